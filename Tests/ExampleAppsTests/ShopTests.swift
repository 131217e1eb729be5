import Navigation
import Testing
import UsherTesting
import Values

@testable import ExampleApps

/// The example app `shop`: children, their results, inputs and tabs.
@Suite struct ShopTests {
  private var session: TestSession

  init() throws { session = try TestSession(ExampleApps.shop) }

  /// - Parameter child: the coordinator under `main`.
  private func expectTree(child: String? = nil) {
    session.expect(
      tree: (["tabs", "  main"] + (child.map { ["    \($0)"] } ?? []) + ["  learn"]).joined(separator: "\n"))
  }

  @Test mutating func `buy starts the child buy under main, with the product`() throws {
    try session.act("buy", ["product": 1])
    session.expect(stack: ["Home", "Buy"])
    #expect(session.screen(Buy.self)?.selectedProduct == 1)
    expectTree(child: "buy")
  }

  @Test(arguments: ["buy", "create-account"])
  mutating func `the end of a child leaves its siblings unchanged`(child: String) throws {
    let before = session.state.nodes.map(\.id)
    try session.act(child, child == "buy" ? ["product": 0] : [:])
    #expect(session.state.nodes.count == before.count + 1)
    try session.back()
    #expect(session.state.nodes.map(\.id) == before)
  }

  @Test mutating func `back from the only screen of buy ends it without a purchase`() throws {
    try session.act("buy", ["product": 2])
    try session.back()
    #expect(session.screen(Home.self)?.purchases == [])
    expectTree()
  }

  @Test mutating func `back on the second screen of a child does not end it`() throws {
    try session.act("create-account")
    let nodes = session.state.nodes.map(\.id)
    try session.act("next", ["name": "Ada"])
    session.expect(stack: ["Home", "Your name", "Confirm"])
    #expect(session.state.nodes.map(\.id) == nodes)
    try session.back()
    session.expect(stack: ["Home", "Your name"])
    expectTree(child: "create-account")
    try session.back()
    expectTree()
    #expect(session.screen(Home.self)?.account == nil)
  }

  @Test mutating func `create-account returns the name to main and ends`() throws {
    try session.act("create-account")
    try session.act("next", ["name": "Ada"])
    try session.act("sign-up")
    session.expect(stack: ["Home"])
    #expect(session.screen(Home.self)?.account == "Ada")
    expectTree()
  }

  @Test(arguments: [("", "must not be empty"), (String(repeating: "é", count: 81), "must have at most 80 characters")])
  mutating func `a name has 1 to 80 characters`(name: String, demand: String) throws {
    try session.act("create-account")
    let rejection = #expect(throws: Rejection.self) { try session.act("next", ["name": Value(name)]) }
    #expect(rejection?.reasons == ["name: “Name” \(demand)."])
    let longest = String(repeating: "é", count: 80)
    try session.act("next", ["name": Value(longest)])
    #expect(session.screen(AccountConfirm.self)?.accountName == longest)
  }

  @Test mutating func `pay adds the purchase to home`() throws {
    for product in [1, 0] as [Value] {
      try session.act("buy", ["product": product])
      try session.act("pay")
    }
    #expect(session.screen(Home.self)?.purchases == [1, 0])
    session.expect(
      screen: """
        [Main] Learn
        Home
        Welcome!
        • Yearly
        • Monthly
        1 Buy (Product)
        2 Create account
        t1 Main
        t2 Learn
        """)
    expectTree()
  }

  @Test mutating func `each tab keeps its own stack, and a push keeps the tab bar visible`() throws {
    #expect(session.view.tabBar?.tabs.map(\.title) == ["Main", "Learn"])
    #expect(session.view.tabBar?.tabs[0].icon == "favorites")
    try session.act("buy", ["product": 1])
    #expect(session.view.tabBar?.selected == 0)
    try session.select(tab: "learn")
    session.expect(stack: ["Lessons"])
    try session.select(tab: "main")
    session.expect(stack: ["Home", "Buy"])
  }

  @Test func `a screen compiles without any coordinator in scope`() throws {
    #expect(Standalone(label: "x").content == [.text("x")])
  }
}

/// A screen with an action. This file declares no coordinator.
private struct Standalone: Screen {
  static let name = "standalone"
  static let title: Title<Self> = "Standalone"
  static let actions: [any Action.Type] = [Tap.self]
  var label: String
  var content: [Block] { [.text("\(label)")] }

  struct Tap: Action {
    static let name = "tap"
    static let title: Text = "Tap"
  }
}
