import Testing
import Values

@testable import Navigation

/// Intents that wait, behind a question or a guard, while events in the background change what the user agreed to.
@Suite struct AgreementTests {
  let app: AppDefinition
  var state: SessionState

  init() throws {
    app = try AppDefinition(App("stall", title: "Stall") { Stall() })
    state = try app.create()
    try act("show")
  }

  private mutating func act(_ name: String) throws {
    state = try app.perform(.action(name: name, input: .emptyObject), on: state)
    try audit(state, of: app)
  }

  /// Has the first timer with these values fire.
  private mutating func fire(_ change: Stall.Change) throws {
    let value = try Value(encoding: change)
    let work = try #require(state.work.first { $0.timer?.value == value })
    guard case .applied(let next) = try app.apply(.due(work.id), to: state) else {
      Issue.record("The event was not applied")
      return
    }
    state = next
    try audit(state, of: app)
  }

  private var paid: Value? { state.nodes[0].state.encoding["paid"] }

  @Test mutating func `a new price closes the question before a purchase that leaves the screen`() throws {
    try act("buy-and-go")
    #expect(state.prompt != nil)
    try fire(.init(cents: 20))
    #expect(state.prompt == nil && paid == [])
    #expect(throws: Rejection.self) { try act("leave") }
  }

  @Test mutating func `an event that keeps the price leaves the question open`() throws {
    try act("buy-and-go")
    try fire(.init(cents: 10))
    #expect(state.prompt != nil)
    try act("leave")
    #expect(paid == [10])
  }

  @Test mutating func `a question before another action stays open`() throws {
    try act("go")
    try fire(.init(cents: 20))
    #expect(state.prompt != nil)
    try act("leave")
    #expect(state.visibleEntry?.id == state.stacks[0].entries.first?.id)
  }

  @Test mutating func `a purchase behind a guard is dropped with its price`() throws {
    try act("buy-inside")
    #expect(state.pending != nil && paid == [])
    try fire(.init(cents: 20))
    #expect(state.pending == nil)
    try fire(.init(opens: true))
    #expect(paid == [])
  }

  @Test mutating func `a step that opens the guard and changes the price buys nothing`() throws {
    try act("buy-inside")
    try fire(.init(cents: 20, opens: true))
    #expect(state.pending == nil && paid == [])
  }

  @Test mutating func `a purchase behind a guard is carried out at the price that the user saw`() throws {
    try act("buy-inside")
    try fire(.init(cents: 10))
    try fire(.init(opens: true))
    #expect(state.pending == nil && paid == [10])
  }

  @Test mutating func `a purchase at the price of a member is dropped when the claims of the member lapse`() throws {
    let member = SessionPrincipal(subject: "ann", claims: ["discount": 4], expiresAt: Timestamp(milliseconds: 1000))
    state = try app.create(environment: SessionEnvironment(principal: member))
    try act("show")
    try act("buy-inside")
    #expect(state.pending != nil)
    let late = StepStamp(time: Timestamp(milliseconds: 2000), seed: 1)
    let work = try #require(state.work.first { $0.timer?.key == "2" })
    guard case .applied(let next) = try app.apply(.due(work.id), to: state, stamp: late) else {
      Issue.record("The event was not applied")
      return
    }
    state = next
    #expect(state.pending == nil && paid == [])
  }

  @Test mutating func `an intent that was confirmed before a guard is carried out when an event opens it`() throws {
    try act("leave-inside")
    try act("leave")
    #expect(state.pending != nil && state.prompt == nil)
    try fire(.init(opens: true))
    #expect(state.pending == nil && Array(state.entries).count == 2 && paid == [10])
  }

  @Test mutating func `the handler of a button reads the prompt that the user has seen`() throws {
    try act("ask")
    try fire(.init(cents: 20))
    try act("confirm")
    #expect(paid == [10])
    #expect(state.environment.origin == nil)
    try act("confirm-unasked")
    #expect(paid == [10, -1])
  }
}

/// A stall whose price changes in the background.
private struct Stall: Coordinator {
  static let name = "stall"
  var cents = 10
  var isOpen = false
  var paid: [Int] = []

  struct Change: TimedEvent {
    static let name = "change"
    var cents: Int?
    var opens: Bool?
  }

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Window())
    let changes = [
      Change(cents: 10), Change(cents: 20), Change(opens: true), Change(cents: 20, opens: true),
    ]
    for (number, change) in changes.enumerated() { nav.schedule(change, after: .seconds(60), key: "\(number)") }
  }

  static let wiring = Wiring<Self>()
    .shows(Window.self)
    .shows(Ware.self) { me, screen, context in
      screen.cents = me.cents - (context.principal?.claim("discount") ?? 0)
    }
    .shows(Inside.self)
    .asks(Confirmation.self)
    .guards(screen: Inside.self, until: { $0.isOpen }, otherwise: { _, _ in })
    .on(timer: Change.self) { me, change, _ in
      me.cents = change.cents ?? me.cents
      me.isOpen = change.opens ?? me.isOpen
    }
    .on(Show.self) { _, _, nav in nav.push(Ware()) }
    .on(Go.self) { _, _, nav in nav.popToRoot() }
    .on(BuyAndGo.self) { me, _, nav in
      me.paid.append(me.cents)
      nav.popToRoot()
    }
    .on(BuyInside.self) { me, _, nav in
      me.paid.append(me.cents)
      nav.push(Inside())
    }
    .on(LeaveInside.self) { me, _, nav in
      me.paid.append(me.cents)
      nav.popToRoot()
      nav.push(Inside())
    }
    .on(AskFirst.self) { me, _, nav in nav.ask(Confirmation(cents: me.cents)) }
    .on(Confirm.self) { me, _, nav in me.paid.append(nav.answered(Confirmation.self)?.cents ?? -1) }
    .on(ConfirmUnasked.self) { me, _, nav in me.paid.append(nav.answered(Confirmation.self)?.cents ?? -1) }
}

private struct Window: Screen {
  static let name = "window"
  static let title: Title<Self> = "Window"
  static let actions: [any Action.Type] = [Show.self]
}

private struct Ware: Screen {
  static let name = "ware"
  static let title: Title<Self> = "Ware"
  static let leavePolicy = LeavePolicy.confirm
  static let actions: [any Action.Type] = [
    Go.self, BuyAndGo.self, BuyInside.self, LeaveInside.self, AskFirst.self, ConfirmUnasked.self,
  ]
  static let agreements = [Agreement<Self>(BuyAndGo.self) { $0.cents }, Agreement<Self>(BuyInside.self) { $0.cents }]
  var cents = 0
}

private struct Inside: Screen {
  static let name = "inside"
  static let title: Title<Self> = "Inside"
}

private struct Confirmation: Prompt {
  static let name = "confirmation"
  static let actions: [any Action.Type] = [Confirm.self]
  var cents: Int
  var title: Text { "Pay \(cents) cents?" }
  var message: Text { "" }
}

private struct Show: Action {
  static let name = "show"
  static let title: Text = "Show"
}

private struct Go: Action {
  static let name = "go"
  static let title: Text = "Go"
}

private struct BuyAndGo: Action {
  static let name = "buy-and-go"
  static let title: Text = "Buy and go"
}

private struct BuyInside: Action {
  static let name = "buy-inside"
  static let title: Text = "Buy inside"
}

private struct LeaveInside: Action {
  static let name = "leave-inside"
  static let title: Text = "Leave for inside"
}

private struct AskFirst: Action {
  static let name = "ask"
  static let title: Text = "Ask first"
}

private struct Confirm: Action {
  static let name = "confirm"
  static let title: Text = "Confirm"
}

private struct ConfirmUnasked: Action {
  static let name = "confirm-unasked"
  static let title: Text = "Confirm unasked"
}
