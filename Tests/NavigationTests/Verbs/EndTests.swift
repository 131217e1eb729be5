import Navigation
import Testing
import Values

@Suite struct EndTests {
  var session: Session

  init() throws { session = try Session(Vault.app) }

  @Test mutating func `the finish of the root ends the session with its result`() throws {
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

  @Test func `the finish of the root closes the prompt`() throws {
    var lab = try Session()
    try lab.verb("ask-end")
    #expect(try lab.state.isFinished && lab.state.prompt == nil)
    #expect(try lab.view.prompt == nil && lab.view.back == nil)
  }

  @Test mutating func `the finish of the root drops the pending intent`() throws {
    try session.act("safe")
    try session.act("leave-vault")
    #expect(try session.state.isFinished && session.state.pending == nil)
  }

  @Test func `a command after the finish of the root is a fault`() throws {
    var lab = try Session()
    lab.expectRejected(.fault(.commandAfterFinish)) { try $0.verb("end-push") }
  }

  @Test func `a root without screens of its own ends with its child, and the last screen stays`() throws {
    var relay = try Session(Relay.app)
    try relay.act("pass-on", ["way": "end"])
    #expect(try relay.state.isFinished)
    #expect(try relay.titles == ["Stretch 1"])
    #expect(try relay.view.actions.isEmpty)
  }
}
