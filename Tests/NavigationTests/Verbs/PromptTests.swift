import Testing
import Values

@testable import Navigation

/// Prompts, their buttons, and their interaction with leave policies.
@Suite struct PromptTests {
  var session: Session

  private let promptIsOpen = Rejection.unavailable(.promptIsOpen)

  init() throws {
    session = try Session()
    try session.verb("ask", "tea")
  }

  @Test func `a prompt is closed with the coordinator that asked it`() throws {
    var nest = try Session(Nest.app)
    try nest.grow("start")
    try nest.grow("askAndFinish")
    #expect(try nest.coordinators == ["trunk"])
    #expect(try nest.view.prompt == nil)
  }

  @Test mutating func `while a prompt is open only its buttons are available`() throws {
    let prompt = try #require(try session.view.prompt)
    #expect(prompt.title == "About tea")
    #expect(try session.view.actions.allSatisfy { $0.disabled != nil })
    session.expectRejected(promptIsOpen) { try $0.verb("push") }
    try session.act("answer")
    #expect(try session.received == ["answered"])
    #expect(try session.titles == ["bench", "answer"])
    #expect(try session.view.prompt == nil)
  }

  @Test mutating func `back closes a prompt without an answer`() throws {
    try session.perform(.back)
    #expect(try session.view.prompt == nil)
    #expect(try session.received == [])
    session.expectRejected { try $0.act("answer") }
  }

  @Test func `while a prompt is open there are no tabs, no links and no dismissal`() throws {
    var club = try Session(Club.app)
    for action in ["invite", "retire"] {
      if action == "retire" { try club.perform(.back) }
      try club.act(action)
      if action == "retire" { try club.act("invite") }
      for intent in [Intent.dismiss, .tab("kitchen"), .tab("lounge"), .open(link: "/rooms/red")] {
        club.expectRejected(promptIsOpen) { try $0.perform(intent) }
      }
      #expect(try !club.view.canDismiss && club.view.tabBars.flatMap(\.selectable).isEmpty)
    }
  }

  @Test func `a button acts on the stack that its prompt was asked on`() throws {
    var club = try Session(Club.app)
    try club.act("retire")
    try club.act("invite")
    try club.act("sit")
    #expect(try club.titles == ["Side room", "Seat"])
    #expect(try club.view.modals == 1)
  }

  @Test func `a button whose stack is gone acts on the stack of its coordinator`() throws {
    var club = try Session(Club.app)
    try club.act("retire")
    try club.act("invite")
    var state = try club.state
    let asked = try #require(state.prompt?.asked)
    state.prompt = .asked(
      AskedPrompt(id: asked.id, prompt: asked.prompt, value: asked.value, owner: asked.owner, stack: ID(999)))
    let after = try club.app.perform(.action(name: "sit", input: .emptyObject), on: state)
    #expect(after.stacks(from: try #require(state.node(asked.owner)).hostStack).count == 2)
    #expect(after.shape.count == state.shape.count + 1)
    #expect(try club.app.view(of: after).screen.name == "side-room")
  }

  @Test func `a button that requires a confirmation is performed after the answer to leave`() throws {
    var club = try Session(Club.app)
    try club.act("write", ["what": "letter"])
    try club.act("invite")
    try club.act("depart")
    #expect(try club.view.prompt?.name == "leave")
    try club.act("leave")
    #expect(try club.titles == ["Hall"])
    #expect(try club.view.prompt == nil)
  }

  @Test func `after the answer to stay the prompt is open as before`() throws {
    for stays in [Intent.action(name: "stay", input: .emptyObject), .back] {
      var club = try Session(Club.app)
      try club.act("write", ["what": "letter"])
      try club.act("invite")
      let before = try club.state
      try club.act("depart")
      try club.perform(stays)
      #expect(try club.state.prompt == before.prompt)
      #expect(try club.state.stacks == before.stacks)
    }
  }
}
