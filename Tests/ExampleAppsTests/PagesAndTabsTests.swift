import ExampleApps
import Navigation
import Testing
import UsherTesting
import Values

/// The example app `pages`: a child coordinator, back, and the return to the first screen.
@Suite struct PagesTests {
  private var session: TestSession

  init() throws { session = try TestSession(ExampleApps.pages) }

  private func expectOnlyFirst() {
    session.expect(stack: ["First"])
    session.expect(tree: "first")
  }

  private func expectSecond() {
    session.expect(
      tree: """
        first
          second
        """)
  }

  @Test func `a new session shows first, without a way back`() {
    session.expect(
      screen: """
        First
        1 Next
        """)
    session.expect(tree: "first")
  }

  @Test mutating func `next starts the child coordinator second, which shows third as well`() throws {
    try session.act("next")
    session.expect(stack: ["First", "Second"])
    expectSecond()
    let nodes = session.state.nodes.map(\.id)
    try session.act("third")
    session.expect(stack: ["First", "Second", "Third"])
    #expect(session.state.nodes.map(\.id) == nodes)
  }

  @Test mutating func `back on third keeps the child`() throws {
    try session.act("next")
    try session.act("third")
    session.expect(
      screen: """
        Third
        1 To the first page
        b Back to Second
        """)
    try session.back()
    session.expect(stack: ["First", "Second"])
    expectSecond()
  }

  @Test(arguments: [Intent.action(name: "first", input: [:]), .back])
  mutating func `the custom back and back on second have the same result`(way: Intent) throws {
    try session.act("next")
    try session.perform(way)
    expectOnlyFirst()
  }

  @Test mutating func `first on third removes both entries and the child at once`() throws {
    try session.act("next")
    try session.act("third")
    try session.act("first")
    expectOnlyFirst()
  }
}

/// The example app `tabs`: tabs that are replaced, and a screen over the tab bar.
@Suite struct TabsTests {
  private var session: TestSession

  init() throws { session = try TestSession(ExampleApps.tabs) }

  private func expectBothTabs() {
    session.expect(
      tree: """
        app
          home
          profile
        """)
  }

  @Test mutating func `restart replaces both tabs by new ones, and leaks none`() throws {
    expectBothTabs()
    let before = session.state.nodes.map(\.id)
    try session.select(tab: "profile")
    try session.act("restart")
    expectBothTabs()
    let after = session.state.nodes.map(\.id)
    #expect(after[0] == before[0] && Set(after[1...]).isDisjoint(with: before))
    session.expect(stack: ["Home"])
  }

  @Test mutating func `home-detail covers the tab bar, and close returns to the same tab`() throws {
    let home = session.view.entry.id
    try session.act("open", ["detailId": "ä/7"])
    session.expect(
      screen: """
        Detail
        Detail ä/7
        1 Close
        b Back to Home
        """)
    #expect(throws: Rejection.unavailable(.tabNotVisible("home"))) { try session.select(tab: "home") }
    try session.act("close")
    #expect(session.view.tabBar?.selected == 0)
    #expect(session.view.entry.id == home)
  }

  @Test mutating func `tab changes keep the coordinators and the screens`() throws {
    let (nodes, screen) = (session.state.nodes.map(\.id), session.view.entry.id)
    try session.select(tab: "profile")
    try session.select(tab: "home")
    #expect(session.view.entry.id == screen)
    #expect(session.state.nodes.map(\.id) == nodes)
  }
}
