import Navigation
import Testing
import Values

/// The start, finish and cancellation of children, and bubbling; properties 19 and 20.
@Suite struct ChildTests {
  var session: Session

  init() throws {
    session = try Session()
    try session.verb("start")
  }

  @Test mutating func `19: finish delivers exactly one result`() throws {
    try session.act("report", .object([("word", "done")]))
    #expect(try session.received == ["finished done"])
    #expect(try session.titles == ["bench"])
    #expect(try session.coordinators == ["lab"])
  }

  @Test mutating func `19: a child that is popped delivers a cancellation and no result`() throws {
    try session.act("further")
    try session.perform(.back)
    #expect(try session.received == [])
    try session.perform(.back)
    #expect(try session.received == ["cancelled"])
  }

  @Test mutating func `20: finishing an ancestor removes exactly its subtree`() throws {
    try session.act("delegate")
    #expect(try session.coordinators == ["lab", "assistant", "helper"])
    // The errand's report bubbles from the helper to the assistant, which finishes with both.
    try session.act("report", .object([("word", "all")]))
    #expect(try session.coordinators == ["lab"])
    #expect(try session.titles == ["bench"])
    #expect(try session.received == ["finished all"])
  }

  @Test mutating func `an action that the child does not handle bubbles to its ancestors`() throws {
    try session.act("delegate")
    try session.verb("push", "over")
    #expect(try session.titles == ["bench", "Task", "Errand", "over"])
    #expect(try session.view.owner.parent == nil)
  }

  @Test mutating func `a child that is not declared is a fault, and nothing changes`() throws {
    session.expectRejected { try $0.verb("start-undeclared") }
  }

  @Test mutating func `a refusal rejects the action as a whole, with its reason or its field`() throws {
    session.expectRejected { try $0.verb("refuse") }
    var facts: [FieldFault.Fact] = []
    do {
      try session.verb("refuse")
    } catch Rejection.refused(let failures) {
      facts = failures.map(\.fault.fact)
    }
    #expect(facts == [.refused("Not today.")])
    session.expectRejected { try $0.verb("refuse-field") }
  }

  @Test mutating func `the finish of the root ends the session`() throws {
    try session.verb("end")
    #expect(try session.state.isFinished)
    #expect(try session.view.actions.isEmpty)
    #expect(try session.view.back == nil)
    session.expectRejected(.finished) { try $0.perform(.back) }
    session.expectRejected(.finished) { try $0.verb("push") }
  }

  @Test func `a child with the whole stack can be followed by another one`() throws {
    var relay = try Session(Relay.app)
    try relay.act("pass-on", ["way": "start"])
    #expect(try relay.titles == ["Stretch 2"])
    #expect(try relay.coordinators == ["relay", "leg"])
  }

  @Test func `a child with the whole stack of a modal can be followed by another one in it`() throws {
    var relay = try Session(Relay.app)
    try relay.act("run-lap")
    try relay.act("pass-on", ["way": "start"])
    #expect(try relay.titles == ["Stretch 12"])
    #expect(try relay.view.modals == 1)
    try relay.act("pass-on", ["way": "start"])
    #expect(try relay.titles == ["Stretch 1"])
    #expect(try relay.coordinators == ["relay", "leg"])
    #expect(try relay.state.nodes[0].state.encoding["laps"] == 1)
  }

  @Test mutating func `a prompt that its coordinator does not declare is a fault`() throws {
    session.expectRejected(
      .fault(
        .located(
          .undeclaredPrompt("question", coordinator: "assistant"),
          at: "lab › assistant › action consult › command 1, ask"))
    ) {
      try $0.act("consult")
    }
  }
}

/// The finish of the root coordinator.
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
    #expect(view.tabBars.map(\.canSelect) == [[false, false]])
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
    lab.expectRejected(
      .fault(
        .located(
          .commandAfterFinish,
          at: "lab › lab › action do › command 2, push"))
    ) { try $0.verb("end-push") }
  }

  @Test func `a root without screens of its own ends with its child, and the last screen stays`() throws {
    var relay = try Session(Relay.app)
    try relay.act("pass-on", ["way": "end"])
    #expect(try relay.state.isFinished)
    #expect(try relay.titles == ["Stretch 1"])
    #expect(try relay.view.actions.isEmpty)
  }
}
