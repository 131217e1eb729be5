import Testing
import Values

@testable import Navigation

@Suite struct TabTests {
  var session: Session

  init() throws { session = try Session(Vault.app) }

  private var badges: [Int?] {
    get throws { try session.view.tabBar?.tabs.map(\.badge) ?? [] }
  }

  @Test func `two tabs of one name are a fault`() {
    #expect(throws: Rejection.fault(.repeatedTab)) { try Session(Twins.app) }
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
    session.expectRejected(.fault(.unknownTab("safe"))) { try $0.act("jump", ["how": "nowhere"]) }
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
    session.expectRejected(.unavailable(.rootOfTabFinishes)) {
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
