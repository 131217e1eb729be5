import Testing
import Values

@testable import Navigation

/// What cannot be carried over says precisely why, and is told apart from damaged bytes.
@Suite struct CarryingObstacleTests {
  private let card = PackedName(.screen, "card", version: 1)
  private var desk: Session

  init() throws { desk = try PlainDesk.session() }

  private func expect(
    _ build: any DeskBuild.Type, _ obstacle: CarryingObstacle?, _ sentence: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try build.obstacle(to: desk.packed)
    #expect(found == obstacle, sourceLocation: location)
    #expect(found?.description ?? "" == sentence, sourceLocation: location)
  }

  private func expectUndeclared(
    _ build: any DeskBuild.Type, _ sentence: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    try expect(build, .undeclared(sentence), sentence, location)
  }

  private mutating func fetch(_ what: String) throws { try desk.act("fetch", ["what": Value(what)]) }

  // MARK: Values

  @Test func `an older version without a rule`() throws {
    let sentence = "Its screen card has version 1, and the app has no rule that carries it over."
    try expect(DeskBuilds.NoRule.self, .noRule(card), sentence)
    // The name is gone, and there is a rule for another version of it.
    try expect(DeskBuilds.RenamedLater.self, .noRule(card), sentence)
  }

  @Test func `an unknown name`() throws {
    try expect(
      DeskBuilds.Renamed.self, .unknown(card), "The app has no screen card, and nothing that replaces it.")
  }

  @Test func `a version that this build does not know yet`() throws {
    let packed = try DeskBuilds.Newer.session().packed
    let obstacle = try PlainDesk.obstacle(to: packed)
    #expect(obstacle == .newer(PackedName(.screen, "card", version: 3), known: 1))
    #expect(obstacle?.description == "Its screen card has version 3, and the app knows 1 at the most.")
    // The newer build reads the older one's.
    #expect(try Session(DeskBuilds.Newer.app, carrying: desk.packed).view.data == ["numbers": [7]])
  }

  @Test func `a rule that throws`() throws {
    try expect(
      DeskBuilds.Refusing.self, .ruleFailed(card, reason: "card 7 has expired."),
      "Its screen card of version 1 is not carried over: card 7 has expired.")
    try expect(
      DeskBuilds.Misreading.self, .ruleFailed(card, reason: "the key \"holder\" is missing."),
      "Its screen card of version 1 is not carried over: the key \"holder\" is missing.")
    try expect(
      DeskBuilds.Unstorable.self, .ruleFailed(card, reason: "share: the number is not finite."),
      "Its screen card of version 1 is not carried over: share: the number is not finite.")
  }

  @Test func `a value of the same version that does not fit`() throws {
    try expect(
      DeskBuilds.Retyped.self, .misfit(card, reason: "number: expected text, found an integer."),
      "Its screen card does not fit, although the version is the same: number: expected text, found an integer.")
    // What Swift says of this names its type, which is nobody's business.
    try expect(
      DeskBuilds.Restricted.self, .misfit(card, reason: "number: the value does not fit."),
      "Its screen card does not fit, although the version is the same: number: the value does not fit.")
  }

  @Test func `values are decoded only where the version of the app is another`() throws {
    try expect(DeskBuilds.RetypedUnnoticed.self, nil)
  }

  @Test func `rules and checks do without another version of the app`() throws {
    var newer = try Session(DeskBuilds.NewerUnnoticed.app, carrying: desk.packed)
    #expect(try newer.view.data == ["numbers": [7]])
    let obstacle = CarryingObstacle.newer(PackedName(.screen, "card", version: 3), known: 1)
    try newer.act("fetch", ["what": "form"])
    #expect(throws: PackingError.cannotBeCarriedOver(obstacle)) { try desk.app.unpack(newer.packed) }
    #expect(try newer.titles == ["Card", "Form"])
  }

  // MARK: Declarations

  @Test mutating func `a screen, a prompt or a child that its coordinator no longer declares`() throws {
    try expectUndeclared(DeskBuilds.NoCard.self, "desk no longer shows the screen card.")
    try expect(DeskBuilds.NoQuery.self, nil)
    try fetch("query")
    try expectUndeclared(DeskBuilds.NoQuery.self, "desk no longer asks the prompt query.")
    try desk.perform(.back)
    try expect(DeskBuilds.NoClerk.self, nil)
    try fetch("clerk")
    try expectUndeclared(DeskBuilds.NoClerk.self, "desk no longer starts clerk.")
  }

  @Test func `another root coordinator`() throws {
    let app = try AppDefinition(App("desk", title: "Desk", version: 2) { Hallway() })
    let obstacle = CarryingObstacle.undeclared("The app no longer begins with the coordinator desk.")
    #expect(throws: PackingError.cannotBeCarriedOver(obstacle)) { try app.unpack(desk.packed) }
  }

  @Test func `two tabs that become one`() throws {
    let packed = try AppDefinition(App("twins", title: "Twins") { Twins() }).begin().packed
    let app = try AppDefinition(App("twins", title: "Twins", version: 2) { Single() })
    let obstacle = CarryingObstacle.undeclared("Two of its tabs have become one coordinator.")
    #expect(throws: PackingError.cannotBeCarriedOver(obstacle)) { try app.unpack(packed) }
  }

  @Test mutating func `a question whose action has gone, or takes other inputs`() throws {
    try fetch("form")
    try expect(DeskBuilds.NoGo.self, nil)
    try desk.act("go", ["steps": 7])
    #expect(try desk.view.prompt?.name == "leave")
    try expectUndeclared(DeskBuilds.NoGo.self, "It waits to do the action go, which is no longer offered there.")
    try expectUndeclared(DeskBuilds.NarrowGo.self, "It waits to do the action go, which no longer takes that input.")
    try expect(DeskBuilds.NoLink.self, nil)
  }

  @Test mutating func `a question that a link waits behind`() throws {
    try fetch("form")
    try desk.perform(.open(link: "/safe"))
    #expect(try desk.view.prompt?.name == "leave")
    try expectUndeclared(DeskBuilds.NoLink.self, "It waits to open the link /safe, which leads nowhere now.")
    try expect(DeskBuilds.NoGo.self, nil)
  }

  @Test mutating func `a wish whose guard has gone`() throws {
    try desk.act("open-safe")
    #expect(try desk.state.pending != nil)
    try expectUndeclared(
      DeskBuilds.NoGuard.self, "It waits for a guard of the coordinator safe, which desk no longer has.")
    try expect(DeskBuilds.NewGuard.self, nil)
  }

  @Test mutating func `a wish whose link or prompt has gone`() throws {
    try desk.perform(.open(link: "/safe"))
    try expectUndeclared(DeskBuilds.NoLink.self, "It waits to open the link /safe, which leads nowhere now.")
    desk = try PlainDesk.session()
    try fetch("query")
    try desk.act("open-safe")
    guard case .button = try desk.state.pending?.content else { throw PropertyFailure(25, "no button waits") }
    try expectUndeclared(DeskBuilds.NoQuery.self, "desk no longer asks the prompt query.")
  }

  @Test mutating func `a wish whose screen offers it no more, or has been left meanwhile`() throws {
    try desk.act("open-safe")
    var state = try desk.state
    let wish = try #require(state.pending)
    for (origin, sentence) in [
      (try #require(state.root.entries.first?.id), "It waits to do the action go, which is no longer offered there."),
      (EntryID(999), nil),
    ] {
      let content = Wish.Content.action(name: "go", input: .emptyObject, origin: origin)
      state.pending = Wish(
        content: content, guardian: wish.guardian, guardIndex: wish.guardIndex, awaited: wish.awaited)
      let obstacle = try DeskBuilds.NewGuard.obstacle(to: desk.app.pack(state))
      #expect(obstacle?.description == sentence)
    }
  }

  @Test mutating func `a guard that is new and fails for what is shown`() throws {
    try expect(DeskBuilds.NewGuard.self, nil)
    try fetch("form")
    try expectUndeclared(DeskBuilds.NewGuard.self, "A guard now protects its screen form.")
  }

  // MARK: Limits

  @Test func `stacks nested deeper than this host allows`() throws {
    let packed = try Session(Doll.app, input: ["inside": 30]).packed
    let strict = try AppDefinition(Doll.app, limits: .init(depth: 4))
    #expect(throws: PackingError.cannotBeCarriedOver(.tooDeep(limit: 20))) { try strict.unpack(packed) }
    #expect(CarryingObstacle.tooDeep(limit: 20).description == "More than 20 stacks lie in or over each other.")
  }

  @Test mutating func `a stack higher than this host allows can be taken down`() throws {
    for _ in 0..<5 { try fetch("card") }
    let app = try AppDefinition(DeskBuilds.NewGuard.app, limits: .init(depth: 3))
    var state = try app.unpack(desk.packed)
    #expect(throws: Rejection.tooDeep(limit: 3)) {
      try app.perform(.action(name: "fetch", input: ["what": "card"]), on: state)
    }
    state = try app.unpack(app.pack(try app.perform(.back, on: state)))
    #expect(state.root.entries.count == 5)
  }

  // MARK: Damage

  @Test func `damaged bytes are another error than those that cannot be carried over`() throws {
    let newer = try AppDefinition(DeskBuilds.NoRule.app)
    let damaged = Array(desk.packed.dropLast())
    #expect(throws: PackingError.corrupt) { try newer.unpack(damaged) }
    let error = try #require(throws: PackingError.self) { try newer.unpack(desk.packed) }
    #expect(
      "\(error)" == "The session cannot be carried over to this version of the app. "
        + "Its screen card has version 1, and the app has no rule that carries it over.")
  }
}

/// A root coordinator over the desk.
private struct Hallway: Coordinator {
  static let name = "hallway"
  func start(_ nav: inout Navigator<Self>) { nav.start(Desk<PlainDesk>()) }
  static let wiring = Wiring<Self>().starts(Desk<PlainDesk>.self)
}

/// Two tabs in the older build.
private struct Twins: Coordinator {
  static let name = "twins"
  func start(_ nav: inout Navigator<Self>) { nav.setTabs(.tab(Left(), title: "Left"), .tab(Right(), title: "Right")) }
  static let wiring = Wiring<Self>().starts(Left.self).starts(Right.self)

  struct Left: Coordinator {
    static let name = "left"
    func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
    static let wiring = Wiring<Self>().shows(Page.self)
  }
  struct Right: Coordinator {
    static let name = "right"
    func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
    static let wiring = Wiring<Self>().shows(Page.self)
  }
}

/// One coordinator for both in the newer.
private struct Single: Coordinator {
  static let name = "twins"
  func start(_ nav: inout Navigator<Self>) { nav.setTabs(.tab(Both(), title: "Both")) }
  static let wiring = Wiring<Self>().starts(Both.self)

  struct Both: Coordinator {
    static let name = "both"
    static let predecessors: [Predecessor<Self>] = ["left", "right"].map { Predecessor($0, version: 1) { _ in Both() } }
    func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
    static let wiring = Wiring<Self>().shows(Page.self)
  }
}

private struct Page: Screen {
  static let name = "page"
  static let title: Title<Self> = "Page"
}
