import Testing
import Values

@testable import Navigation

/// Sessions that cannot be migrated: each has a precise reason, and none counts as damaged.
@Suite struct MigrationObstacleTests {
  private let card = PackedName(.screen, "card", version: 1)
  private var desk: Session

  init() throws { desk = try PlainDesk.session() }

  private func expect(
    _ build: any DeskBuild.Type, _ obstacle: MigrationObstacle?, _ sentence: String = "",
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

  @Test func `an older version without a migration is an obstacle`() throws {
    let sentence = "The screen card has version 1, and the app has no migration for it."
    try expect(DeskBuilds.NoRule.self, .noMigration(card), sentence)
    // The name is gone, and there is a migration for another version of it.
    try expect(DeskBuilds.RenamedLater.self, .noMigration(card), sentence)
  }

  @Test func `an unknown name is an obstacle`() throws {
    try expect(
      DeskBuilds.Renamed.self, .unknown(card), "The app has no screen card, and no migration for it.")
  }

  @Test func `a version above the known one is an obstacle`() throws {
    let packed = try DeskBuilds.Newer.session().packed
    let obstacle = try PlainDesk.obstacle(to: packed)
    #expect(obstacle == .newer(PackedName(.screen, "card", version: 3), known: 1))
    #expect(obstacle?.description == "The screen card has version 3, and the app knows at most 1.")
    // The newer build reads the older one's.
    #expect(try Session(DeskBuilds.Newer.app, migrating: desk.packed).view.data == ["numbers": [7]])
  }

  @Test func `a migration that throws is an obstacle`() throws {
    try expect(
      DeskBuilds.Refusing.self, .migrationFailed(card, reason: "card 7 has expired."),
      "The migration of the screen card of version 1 failed: card 7 has expired.")
    try expect(
      DeskBuilds.Misreading.self, .migrationFailed(card, reason: "the key \"holder\" is missing."),
      "The migration of the screen card of version 1 failed: the key \"holder\" is missing.")
    try expect(
      DeskBuilds.Unstorable.self, .migrationFailed(card, reason: "share: the number is not finite."),
      "The migration of the screen card of version 1 failed: share: the number is not finite.")
  }

  @Test func `a value that does not decode is an obstacle`() throws {
    try expect(
      DeskBuilds.Retyped.self, .undecodable(card, reason: "number: expected text, found an integer."),
      "The screen card does not decode, although its version is the current one: number: expected text, found an integer."
    )
    // The description of Swift's own error names the type, which clients should not see.
    try expect(
      DeskBuilds.Restricted.self, .undecodable(card, reason: "number: the value does not fit."),
      "The screen card does not decode, although its version is the current one: number: the value does not fit.")
  }

  @Test func `values are decoded only if the version of the app differs`() throws {
    try expect(DeskBuilds.RetypedUnnoticed.self, nil)
  }

  @Test func `migrations and checks run without a new version of the app`() throws {
    var newer = try Session(DeskBuilds.NewerUnnoticed.app, migrating: desk.packed)
    #expect(try newer.view.data == ["numbers": [7]])
    let obstacle = MigrationObstacle.newer(PackedName(.screen, "card", version: 3), known: 1)
    try newer.act("fetch", ["what": "form"])
    #expect(throws: PackingError.cannotBeMigrated(obstacle)) { try desk.app.unpack(newer.packed) }
    #expect(try newer.titles == ["Card", "Form"])
  }

  // MARK: Declarations

  @Test mutating func `a screen, a prompt or a child that its coordinator no longer declares is an obstacle`() throws {
    try expectUndeclared(DeskBuilds.NoCard.self, "desk no longer shows the screen card.")
    try expect(DeskBuilds.NoQuery.self, nil)
    try fetch("query")
    try expectUndeclared(DeskBuilds.NoQuery.self, "desk no longer asks the prompt query.")
    try desk.perform(.back)
    try expect(DeskBuilds.NoClerk.self, nil)
    try fetch("clerk")
    try expectUndeclared(DeskBuilds.NoClerk.self, "desk no longer starts clerk.")
  }

  @Test func `another root coordinator is an obstacle`() throws {
    let app = try AppDefinition(App("desk", title: "Desk", version: 2) { Hallway() })
    let obstacle = MigrationObstacle.undeclared("The app no longer begins with the coordinator desk.")
    #expect(throws: PackingError.cannotBeMigrated(obstacle)) { try app.unpack(desk.packed) }
  }

  @Test func `two tabs that become one are an obstacle`() throws {
    let packed = try AppDefinition(App("twins", title: "Twins") { Twins() }).begin().packed
    let app = try AppDefinition(App("twins", title: "Twins", version: 2) { Single() })
    let obstacle = MigrationObstacle.undeclared("Two tabs have become one coordinator.")
    #expect(throws: PackingError.cannotBeMigrated(obstacle)) { try app.unpack(packed) }
  }

  @Test mutating func `a confirmation of an action that is removed or has another input is an obstacle`() throws {
    try fetch("form")
    try expect(DeskBuilds.NoGo.self, nil)
    try desk.act("go", ["steps": 7])
    #expect(try desk.view.prompt?.name == "leave")
    try expectUndeclared(DeskBuilds.NoGo.self, "The pending action go is no longer offered there.")
    try expectUndeclared(DeskBuilds.NarrowGo.self, "The pending action go no longer takes its input.")
    try expect(DeskBuilds.NoLink.self, nil)
  }

  @Test mutating func `a confirmation of a removed link is an obstacle`() throws {
    try fetch("form")
    try desk.perform(.open(link: "/safe"))
    #expect(try desk.view.prompt?.name == "leave")
    try expectUndeclared(DeskBuilds.NoLink.self, "The pending link /safe no longer leads anywhere.")
    try expect(DeskBuilds.NoGo.self, nil)
  }

  @Test mutating func `a pending intent without its guard is an obstacle`() throws {
    try desk.act("open-safe")
    #expect(try desk.state.pending != nil)
    try expectUndeclared(
      DeskBuilds.NoGuard.self, "desk no longer has the guard of the coordinator safe that a pending intent waits for.")
    try expect(DeskBuilds.NewGuard.self, nil)
  }

  @Test mutating func `a pending intent without its link or prompt is an obstacle`() throws {
    try desk.perform(.open(link: "/safe"))
    try expectUndeclared(DeskBuilds.NoLink.self, "The pending link /safe no longer leads anywhere.")
    desk = try PlainDesk.session()
    try fetch("query")
    try desk.act("open-safe")
    guard case .button = try desk.state.pending?.content else { throw PropertyFailure(25, "no button is pending") }
    try expectUndeclared(DeskBuilds.NoQuery.self, "desk no longer asks the prompt query.")
  }

  @Test mutating func `a pending action that its screen no longer offers is an obstacle`() throws {
    try desk.act("open-safe")
    var state = try desk.state
    let pending = try #require(state.pending)
    let gone = MigrationObstacle.undeclared("The pending action go is no longer offered there.")
    let entry = try #require(state.root.entries.first)
    let action = PendingIntent.ScreenAction(screen: try #require(entry.screen), name: "go")
    for origin in [entry.id, EntryID(999)] {
      let content = PendingIntent.Content.action(action, input: .emptyObject, origin: origin, handler: ID(2))
      state.pending = PendingIntent(
        content: content, blocker: pending.blocker, awaited: pending.awaited, consents: [])
      let obstacle = try DeskBuilds.NewGuard.obstacle(to: desk.app.pack(state))
      #expect(obstacle == gone)
    }
  }

  @Test mutating func `a new guard that fails for a shown screen is an obstacle`() throws {
    try expect(DeskBuilds.NewGuard.self, nil)
    try fetch("form")
    try expect(DeskBuilds.NewGuard.self, .guarded(.screen, "form"), "A guard now protects the screen form.")
  }

  // MARK: Limits

  @Test func `stacks nested deeper than the host allows are an obstacle`() throws {
    let packed = try Session(NestedTabs.app, input: ["inside": 30]).packed
    let strict = try AppDefinition(NestedTabs.app, limits: .init(depth: 4))
    #expect(throws: PackingError.cannotBeMigrated(.tooDeep(limit: 20))) { try strict.unpack(packed) }
    #expect(MigrationObstacle.tooDeep(limit: 20).description == "More than 20 stacks lie in or over each other.")
  }

  @Test mutating func `a stack higher than the host allows can be popped`() throws {
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

  @Test func `damaged bytes are another error than bytes that cannot be migrated`() throws {
    let newer = try AppDefinition(DeskBuilds.NoRule.app)
    let damaged = Array(desk.packed.dropLast())
    #expect(throws: PackingError.corrupt) { try newer.unpack(damaged) }
    let error = try #require(throws: PackingError.self) { try newer.unpack(desk.packed) }
    #expect(
      "\(error)" == "The session cannot be migrated to this version of the app. "
        + "The screen card has version 1, and the app has no migration for it.")
  }
}

/// A root coordinator that starts the desk.
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

/// One coordinator for both in the newer build.
private struct Single: Coordinator {
  static let name = "twins"
  func start(_ nav: inout Navigator<Self>) { nav.setTabs(.tab(Both(), title: "Both")) }
  static let wiring = Wiring<Self>().starts(Both.self)

  struct Both: Coordinator {
    static let name = "both"
    static let migrations: [Migration<Self>] = ["left", "right"].map { Migration($0, version: 1) { _ in Both() } }
    func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
    static let wiring = Wiring<Self>().shows(Page.self)
  }
}

private struct Page: Screen {
  static let name = "page"
  static let title: Title<Self> = "Page"
}
