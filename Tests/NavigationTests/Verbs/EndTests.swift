import Navigation
import Testing
import Values

@Suite struct EndTests {
  var session: Session

  init() throws { session = try Session(Vault.app) }

  @Test mutating func `the root's finish ends the session with its result`() throws {
    try session.act("leave-vault")
    #expect(try session.state.isFinished)
    #expect(try session.state.result == ["visits": 0])
  }

  @Test mutating func `a finished session offers nothing and rejects everything`() throws {
    try session.act("leave-vault")
    let view = try session.view
    #expect(view.actions.isEmpty)
    #expect(view.back == nil && !view.canDismiss)
    #expect(view.canSelect == [false, false])
    for intent in [
      Intent.action(name: "open", input: ["number": 1]), .back, .dismiss, .tab("notes"), .open(link: "/items/1"),
    ] {
      session.expectRejected(.finished) { try $0.perform(intent) }
    }
  }
}
