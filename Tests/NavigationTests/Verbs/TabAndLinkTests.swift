import Testing
import Values

@testable import Navigation

/// Tab bars, their selection and their badges.
@Suite struct TabTests {
  var session: Session

  init() throws { session = try Session(Vault.app) }

  private var badges: [Int?] {
    get throws { try session.view.tabBar?.tabs.map(\.badge) ?? [] }
  }

  @Test func `two tabs of one name are a fault`() {
    #expect(
      throws: Rejection.fault(
        .located(
          .repeatedTab,
          at: "twins › twins › start › command 1, setTabs"))
    ) { try Session(Twins.app) }
  }

  @Test mutating func `each tab keeps its stack`() throws {
    try session.act("open", ["number": 2])
    try session.perform(.tab("notes"))
    #expect(try session.titles == ["Notes"])
    try session.perform(.tab("items"))
    #expect(try session.titles == ["Items", "Item 2"])
  }

  @Test mutating func `selecting the selected tab pops it to its root`() throws {
    try session.act("open", ["number": 2])
    try session.perform(.tab("items"))
    #expect(try session.titles == ["Items"])
    try session.perform(.tab("items"))
    #expect(try session.titles == ["Items"])
  }

  @Test mutating func `a coordinator selects, and reselects`() throws {
    try session.act("open", ["number": 2])
    try session.act("jump", ["how": "select"])
    #expect(try session.view.tabBar?.selected == 1)
    try session.perform(.tab("items"))
    try session.act("jump", ["how": "reselect"])
    #expect(try session.titles == ["Items"])
  }

  @Test mutating func `the selection of an unknown tab is a fault`() throws {
    session.expectRejected(
      .fault(
        .located(
          .unknownTab("safe"),
          at: "vault › vault › action jump › command 1, select"))
    ) { try $0.act("jump", ["how": "nowhere"]) }
  }

  @Test mutating func `a badge is set from outside and from inside its tab, and removed`() throws {
    #expect(try badges == [nil, nil])
    try session.act("mark", ["count": 3])
    #expect(try badges == [nil, 3])
    try session.perform(.tab("notes"))
    try session.act("mark-own", ["count": 1])
    #expect(try badges == [nil, 1])
    try session.act("mark-own")
    #expect(try badges == [nil, nil])
  }

  @Test mutating func `the root coordinator of a tab cannot finish`() throws {
    session.expectRejected(.fault(.rootOfTabFinishes)) {
      try $0.act("finish-tab")
    }
  }

  @Test mutating func `covered and unknown tabs cannot be selected`() throws {
    session.expectRejected(.unknownTab("nowhere")) { try $0.perform(.tab("nowhere")) }
    try session.act("safe")
    session.expectRejected(.unavailable(.tabNotVisible("notes"))) { try $0.perform(.tab("notes")) }
  }

  @Test func `tabs beyond the nesting limit are refused, and every accepted state can be read`() throws {
    let app = try AppDefinition(NestedTabs.app, limits: .init(depth: 2))
    let nesting = app.limits.nesting
    let deepest = try app.begin(input: ["inside": Value(nesting - 1)])
    #expect(try app.unpack(deepest.packed) == deepest.state)
    #expect(throws: Rejection.tooDeep(limit: nesting)) { try app.begin(input: ["inside": Value(nesting)]) }
  }
}

private struct Twins: Coordinator {
  static let app = App("twins", title: "Twins") { Twins() }
  static let name = "twins"

  func start(_ nav: inout Navigator<Self>) {
    nav.setTabs(.tab(NestedTabs(inside: 0), title: "One"), .tab(NestedTabs(inside: 0), title: "Two"))
  }

  static let wiring = Wiring<Self>().starts(NestedTabs.self)
}

/// Deep links.
@Suite struct LinkTests {
  var session: Session

  init() throws { session = try Session(Vault.app) }

  @Test mutating func `a link builds its target with the back stack that belongs under it`() throws {
    try session.perform(.tab("notes"))
    try session.perform(.open(link: "/items/4"))
    #expect(try session.titles == ["Items", "Item 4"])
    try session.perform(.back)
    #expect(try session.titles == ["Items"])
  }

  @Test mutating func `a link pops the tab that it selects to its root`() throws {
    try session.act("open", ["number": 2])
    try session.perform(.tab("notes"))
    try session.perform(.open(link: "/items/4"))
    #expect(try session.titles == ["Items", "Item 4"])
  }

  @Test mutating func `a link is one revision, and a second one starts from the root again`() throws {
    try session.perform(.open(link: "/items/4"))
    try session.perform(.open(link: "/items/5"))
    #expect(try session.titles == ["Items", "Item 5"])
    #expect(try session.state.revision == 3)
  }

  @Test mutating func `a link dismisses modals`() throws {
    try session.act("safe")
    try session.act("unlock")
    try session.perform(.open(link: "/items/1"))
    #expect(try session.view.modals == 0)
    #expect(try session.titles == ["Items", "Item 1"])
  }

  @Test(arguments: [
    "items/1", "/nothing", "/items", "/items/1/2", "/items/0", "/items/x", "/items/0x1", "/items/+1", "/items/1.5",
    "/items/%zz", "",
  ])
  mutating func `a link with no pattern or an invalid field is rejected`(link: String) throws {
    session.expectRejected { try $0.perform(.open(link: link)) }
  }

  @Test func `a combining character does not hide a separator`() throws {
    let location = try #require(LinkLocation("/items/\u{301}x?a=1&\u{301}b=\u{301}2#\u{301}"))
    #expect(location.path == ["items", "\u{301}x"])
    #expect(location.query == ["a": ["1"], "\u{301}b": ["\u{301}2"]])
  }

  @Test func `a name that a link has twice is a list`() throws {
    let location = try #require(LinkLocation("/tags?tags=a&x=1&tags=b"))
    #expect(location.query == ["tags": ["a", "b"], "x": ["1"]])
  }

  @Test mutating func `a rejected link names the step that failed`() throws {
    do {
      try session.perform(.open(link: "/items/0"))
      Issue.record("The link was accepted.")
    } catch Rejection.invalidLink(let step, _) {
      #expect(step == "/items/{number}")
    }
  }

  @Test func `a session may begin with a link`() throws {
    let app = try AppDefinition(Vault.app)
    let created = try app.begin(link: "/items/7").state
    #expect(created.revision == 1)
    #expect(try app.view(of: created).title == "Item 7")
  }

  @Test func `a link that requires a confirmation is opened after the answer`() throws {
    var club = try Session(Club.app)
    try club.act("write", ["what": "letter"])
    try club.perform(.open(link: "/rooms/red"))
    #expect(try club.view.prompt?.name == "leave")
    try club.act("leave")
    #expect(try club.titles == ["Hall", "The red room"])
  }
}
