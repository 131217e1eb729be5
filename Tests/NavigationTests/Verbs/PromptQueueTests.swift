import Testing
import Values

@testable import Navigation

/// Prompts that events in the background ask while another prompt is open.
@Suite struct PromptQueueTests {
  private let app: AppDefinition
  private var state: SessionState
  private var deliveries: UInt64 = 0

  init() throws {
    app = try AppDefinition(App("counter", title: "Counter") { FrontOffice.Counter() })
    state = try app.create()
  }

  private mutating func act(_ name: String, _ input: Value = .emptyObject) throws {
    try store(try app.perform(.action(name: name, input: input), on: state))
  }

  /// Lets a caller ask, and returns whether the session has taken the signal.
  @discardableResult private mutating func call(_ text: String, from caller: String = "desk") throws -> Bool {
    deliveries += 1
    let work = try #require(state.work.first { (caller == "guest") == ($0.owner != state.nodes[0].id) })
    switch try app.apply(.signal(work.id, ["text": Value(text)], SignalDelivery(deliveries)), to: state) {
    case .applied(let next): try store(next)
    case .blocked(.promptQueueFull): return false
    case let other: Issue.record("The signal is \(other).")
    }
    return true
  }

  private mutating func store(_ next: SessionState) throws {
    try audit(next, of: app)
    #expect(try app.unpack(app.pack(next)) == next)
    state = next
  }

  private var prompt: String? { get throws { try app.view(of: state).prompt?.title.string } }
  private var answers: Value? { state.nodes[0].state.encoding["answers"] }

  @Test mutating func `prompts open one after the other, in the order in which they were asked`() throws {
    for text in ["one", "two", "three"] { try call(text) }
    var ids: [PromptID] = []
    for text in ["one", "two", "three"] {
      #expect(try prompt == text)
      ids.append(try #require(try app.view(of: state).prompt).id)
      if text == "two" { try store(try app.perform(.back, on: state)) } else { try act("answer") }
    }
    #expect(Set(ids).count == 3)
    #expect(try prompt == nil)
    #expect(answers == 2)
  }

  @Test mutating func `equal prompts are answered one by one`() throws {
    for _ in 0..<2 { try call("again") }
    let first = try #require(state.prompt).id
    try act("answer")
    #expect(try #require(state.prompt).id != first)
    try act("answer")
    #expect(answers == 2)
    #expect(state.prompt == nil)
  }

  @Test mutating func `an event that finds the queue full waits for an answer`() throws {
    for number in 0...AskedPrompt.queueLimit { #expect(try call("\(number)")) }
    let before = state
    #expect(try !call("last"))
    #expect(state == before)
    try act("answer")
    #expect(try call("last"))
    #expect(state.queuedPrompts.count == AskedPrompt.queueLimit)
  }

  @Test mutating func `the button of a prompt may ask another one, which opens before those that wait`() throws {
    for text in ["one", "two"] { try call(text) }
    try act("ask-back")
    #expect(try prompt == "Really?")
    try act("answer")
    #expect(try prompt == "two")
  }

  @Test mutating func `the prompts of an ended coordinator are dropped`() throws {
    try act("invite")
    try call("one")
    for text in ["guest", "two"] { try call(text, from: text == "guest" ? "guest" : "desk") }
    #expect(state.queuedPrompts.count == 2)
    // The guest leaves behind the open prompt.
    try call("leave", from: "guest")
    #expect(state.nodes.count == 1)
    #expect(state.queuedPrompts.map(\.value) == [["text": "two"], ["text": "Goodbye"]])
    try act("answer")
    #expect(try prompt == "two")
  }

  @Test mutating func `the end of a coordinator opens the next prompt, and not the one that its parent asks then`()
    throws
  {
    try act("invite")
    try call("guest", from: "guest")
    try call("two")
    try call("leave", from: "guest")
    #expect(try prompt == "two")
    #expect(state.queuedPrompts.map(\.value) == [["text": "Goodbye"]])
  }

  @Test mutating func `a prompt waits behind the question before a screen is left`() throws {
    for answer in ["stay", "leave"] {
      try act("write")
      try store(try app.perform(.back, on: state))
      #expect(try app.view(of: state).prompt?.name == "leave")
      try call("one")
      #expect(try app.view(of: state).prompt?.name == "leave")
      try act(answer)
      #expect(try prompt == "one")
      try act("answer")
      #expect(try prompt == nil)
      #expect(try app.view(of: state).screen.name == (answer == "stay" ? "letter" : "desk"))
      if answer == "stay" { for action in ["burn", "leave"] { try act(action) } }
    }
  }

  @Test mutating func `an event that shows another screen closes the question, and opens the next prompt`() throws {
    try act("write")
    try store(try app.perform(.back, on: state))
    try call("one")
    try call("burn")
    #expect(try prompt == "one")
    #expect(try app.view(of: state).screen.name == "desk")
  }

  @Test mutating func `no prompt outlives its session`() throws {
    for text in ["one", "two", "end"] { try call(text) }
    #expect(state.isFinished)
    #expect(state.prompt == nil && state.queuedPrompts.isEmpty)
  }

  @Test mutating func `the handler of an action asks one prompt only`() throws {
    #expect(
      throws: Rejection.fault(
        .located(
          .promptWhileOpen("inquiry"),
          at: "counter › counter › action ask-twice › command 2, ask"))
    ) {
      try app.perform(.action(name: "ask-twice", input: .emptyObject), on: state)
    }
  }

  @Test mutating func `an intent behind a guard waits for all prompts`() throws {
    try act("enter-vault")
    #expect(state.pending != nil)
    for number in 0...AskedPrompt.queueLimit { try call("\(number)") }
    #expect(try call("unlock"))
    for _ in 0...AskedPrompt.queueLimit {
      #expect(state.pending != nil)
      try act("answer")
    }
    #expect(state.pending == nil)
    #expect(state.prompt?.asked?.value == ["text": "Vault"])
  }
}

/// An app whose prompts are asked by calls.
private enum FrontOffice {
  struct Counter: Coordinator {
    static let name = "counter"
    var answers = 0
    var isOpen = false

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Desk())
      nav.await(Call.self)
    }

    static let wiring = Wiring<Self>()
      .shows(Desk.self)
      .shows(Letter.self)
      .shows(Vault.self)
      .asks(Inquiry.self)
      .starts(Guest.self, finished: { _, _, nav in nav.ask(Inquiry(text: "Goodbye")) })
      .guards(screen: Vault.self, until: { $0.isOpen }, otherwise: { _, _ in })
      .on(signal: Call.self) { me, call, nav in
        switch call.text {
        case "burn": nav.popToRoot()
        case "end": nav.finish()
        case "unlock": me.isOpen = true
        default: nav.ask(Inquiry(text: call.text))
        }
      }
      .on(Answer.self) { me, _, _ in me.answers += 1 }
      .on(AskBack.self) { _, _, nav in nav.ask(Inquiry(text: "Really?")) }
      .on(AskTwice.self) { _, _, nav in for text in ["one", "two"] { nav.ask(Inquiry(text: text)) } }
      .on(Invite.self) { _, _, nav in nav.start(Guest()) }
      .on(Write.self) { _, _, nav in nav.push(Letter(), leaving: .confirm) }
      .on(Burn.self) { _, _, nav in nav.popToRoot() }
      .on(EnterVault.self) { _, _, nav in
        nav.push(Vault())
        nav.ask(Inquiry(text: "Vault"))
      }
  }

  struct Guest: Coordinator {
    static let name = "guest"

    func start(_ nav: inout Navigator<Self>) {
      nav.push(Desk())
      nav.await(Call.self)
    }

    static let wiring = Wiring<Self>()
      .shows(Desk.self)
      .asks(Inquiry.self)
      .on(signal: Call.self) { _, call, nav in
        if call.text == "leave" { nav.finish() } else { nav.ask(Inquiry(text: call.text)) }
      }
      .on(Answer.self) { _, _, _ in }
  }

  struct Desk: Screen {
    static let name = "desk"
    static let title: Title<Self> = "Desk"
    static let actions: [any Action.Type] = [Write.self, Invite.self, AskTwice.self, EnterVault.self]
  }

  struct Letter: Screen {
    static let name = "letter"
    static let title: Title<Self> = "Letter"
    static let actions: [any Action.Type] = [Burn.self]
  }

  struct Vault: Screen {
    static let name = "vault"
    static let title: Title<Self> = "Vault"
  }

  struct Inquiry: Prompt {
    static let name = "inquiry"
    static let actions: [any Action.Type] = [Answer.self, AskBack.self]
    var text: String
    var title: Text { Text(text) }
    var message: Text { "Yes?" }
  }

  struct Call: Signal {
    static let name = "call"
    @Field("Text") var text: String
  }

  struct Answer: Action {
    static let name = "answer"
    static let title: Text = "Answer"
  }

  struct AskBack: Action {
    static let name = "ask-back"
    static let title: Text = "Ask back"
  }

  struct AskTwice: Action {
    static let name = "ask-twice"
    static let title: Text = "Ask twice"
  }

  struct Invite: Action {
    static let name = "invite"
    static let title: Text = "Invite"
  }

  struct Write: Action {
    static let name = "write"
    static let title: Text = "Write"
  }

  struct Burn: Action {
    static let name = "burn"
    static let title: Text = "Burn"
  }

  struct EnterVault: Action {
    static let name = "enter-vault"
    static let title: Text = "Enter the vault"
  }
}
