import Navigation
import Testing
import Values

@Suite struct GuardTests {
  var session: Session

  init() throws { session = try Session(Vault.app) }

  private var showsProtected: Bool {
    get throws { try session.coordinators.contains("safe") }
  }

  @Test mutating func `an action that meets a guard waits, and is done once when the guard passes`() throws {
    try session.act("safe")
    #expect(try session.view.screen.name == "lock")
    #expect(try session.state.pending != nil)
    #expect(try !showsProtected)
    try session.act("unlock")
    #expect(try session.view.screen.name == "treasure")
    #expect(try session.state.pending == nil)
    try session.perform(.dismiss)
    #expect(try session.view.screen.name == "item-list")
    #expect(try session.coordinators == ["vault", "items", "notes"])
  }

  @Test mutating func `once the guard passes nothing stands in the way any more`() throws {
    try session.act("safe")
    try session.act("unlock")
    try session.perform(.dismiss)
    try session.act("safe")
    #expect(try session.view.screen.name == "treasure")
  }

  @Test mutating func `dismissing what the guard presents drops the wish`() throws {
    try session.act("safe")
    try session.perform(.dismiss)
    #expect(try session.state.pending == nil)
    #expect(try session.view.screen.name == "item-list")
  }

  @Test mutating func `back from what the guard presents drops the wish too`() throws {
    try session.act("safe")
    try session.perform(.back)
    #expect(try session.state.pending == nil)
  }

  @Test mutating func `a link that meets a guard waits too`() throws {
    try session.act("open", ["number": 3])
    try session.perform(.open(link: "/safe"))
    #expect(try session.view.screen.name == "lock")
    #expect(try !showsProtected)
    try session.act("unlock")
    #expect(try session.view.screen.name == "treasure")
    try session.perform(.back)
    #expect(try session.titles == ["Items"])
  }

  @Test mutating func `what a guard protects goes when the guard begins to fail`() throws {
    try session.act("safe")
    try session.act("unlock")
    try session.act("lock-up")
    #expect(try !showsProtected)
    #expect(try session.view.screen.name == "item-list")
    #expect(try session.state.nodes[0].state["visits"] == 1)
  }

  @Test mutating func `a later wish takes the place of the one that waits`() throws {
    try session.act("safe")
    try session.perform(.open(link: "/items/2"))
    #expect(try session.state.pending == nil)
    #expect(try session.titles == ["Items", "Item 2"])
  }
}
