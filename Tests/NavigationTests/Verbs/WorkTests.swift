import TestApps
import Testing
import Values

@testable import Navigation

/// Effects and scheduled events in the engine: requests, outcomes, cancellation and replay.
@Suite struct WorkTests {
  let app: AppDefinition
  var state: SessionState

  init() throws {
    app = try AppDefinition(Cashier.app())
    state = try app.create(stamp: Self.stamp(0))
  }

  /// The time and the seed of the step number `step`, ten seconds after the previous one.
  private static func stamp(_ step: Int64) -> StepStamp {
    StepStamp(time: Timestamp(milliseconds: 1_000_000 + 10_000 * step), seed: UInt64(step + 7))
  }

  private mutating func act(_ name: String, _ input: Value, step: Int64 = 1) throws {
    state = try app.perform(.action(name: name, input: input), on: state, stamp: Self.stamp(step))
    try check()
  }

  private mutating func apply(_ event: BackgroundEvent, step: Int64 = 2) throws {
    guard case .applied(let next) = try app.apply(event, to: state, stamp: Self.stamp(step)) else {
      Issue.record("\(event) was not applied")
      return
    }
    #expect(next.revision == state.revision + 1)
    state = next
    try check()
  }

  /// Checks the invariants, and that the packed form holds all of the state.
  private func check() throws {
    try audit(state, of: app)
    #expect(try app.unpack(app.pack(state)) == state)
  }

  private var screen: String? { state.visibleEntry?.screen.map { app.screens[$0].name } }

  private mutating func charge(_ amount: Int, asking: Bool = false) throws -> WorkID {
    try act("charge", ["amount": Value(amount), "asks": Value(asking)])
    return try #require(state.work.last?.id)
  }

  private func expectObsolete(_ event: BackgroundEvent) throws {
    guard case .obsolete = try app.apply(event, to: state) else {
      Issue.record("\(event) was applied")
      return
    }
  }

  private func expectRepeated(_ event: BackgroundEvent) throws {
    guard case .repeated = try app.apply(event, to: state) else {
      Issue.record("\(event) is not recognised")
      return
    }
  }

  @Test mutating func `an action requests an effect, and its outcome continues`() throws {
    let id = try charge(5)
    #expect(screen == "charging")
    let work = try #require(state.work.first)
    #expect(work.owner == state.nodes[0].id)
    #expect(work.since == Self.stamp(1).time)
    #expect(work.effect?.input == ["amount": 5])
    #expect(work.effect?.seed == Self.stamp(1).seed)
    try apply(.done(id, "receipt"))
    #expect(screen == "paid")
    #expect(state.work.isEmpty)
    #expect(state.nodes[0].state.encoding["receipts"] == ["receipt"])
  }

  @Test mutating func `a failure reaches its own handler, with its reason`() throws {
    let id = try charge(5)
    let failure = EffectFailure(.error, detail: "The bank is busy.")
    try apply(.failed(id, failure))
    #expect(screen == "not-paid")
    #expect(state.nodes[0].state.encoding["failures"]?.count == 1)
  }

  @Test mutating func `an output that this version of the effect does not have is a failure`() throws {
    let id = try charge(5)
    try apply(.done(id, ["number": 7]))
    #expect(screen == "not-paid")
    #expect("\(try #require(state.nodes[0].state.encoding["failures"]))".contains("decoding"))
  }

  @Test mutating func `an outcome is applied once`() throws {
    let id = try charge(5)
    try apply(.done(id, "receipt"))
    let before = app.pack(state)
    try expectObsolete(.done(id, "receipt"))
    try expectObsolete(.failed(id, EffectFailure(.error, detail: "")))
    #expect(app.pack(state) == before)
  }

  @Test mutating func `the outcome of an unknown effect changes nothing`() throws {
    try expectObsolete(.done(WorkID(99), "receipt"))
    try expectObsolete(.due(WorkID(99)))
  }

  @Test mutating func `the end of a coordinator cancels its work`() throws {
    try act("sell", ["amount": 5, "endsAtOnce": false])
    #expect(state.work.count == 3)
    let id = try #require(state.work.first?.id)
    state = try app.perform(.back, on: state)
    #expect(state.work.isEmpty)
    try expectObsolete(.done(id, "receipt"))
  }

  @Test mutating func `an outcome may end its coordinator, whose result reaches the parent`() throws {
    try act("sell", ["amount": 5, "endsAtOnce": false])
    try apply(.done(try #require(state.work.first?.id), "receipt"))
    #expect(state.nodes.count == 1)
    #expect(state.work.isEmpty)
    #expect(state.nodes[0].state.encoding["receipts"] == ["receipt"])
  }

  @Test mutating func `a request in the step that ends the coordinator is a fault`() throws {
    let before = app.pack(state)
    #expect(
      throws: Rejection.fault(
        .located(
          .effectOfEndedCoordinator("charge-card"),
          at: "cashier › sale › start › command 5, finish"))
    ) {
      try act("sell", ["amount": 5, "endsAtOnce": true])
    }
    #expect(app.pack(state) == before)
  }

  @Test mutating func `a session has at most 64 pending effects, and as many scheduled events`() throws {
    for number in 0..<64 {
      try act("charge-order", ["amount": 1, "order": Value("\(number)")])
      try act("offer", ["reason": Value("\(number)")])
    }
    let before = app.pack(state)
    #expect(throws: Rejection.tooMuchWork(limit: 64)) { try act("charge-order", ["amount": 1, "order": "x"]) }
    #expect(throws: Rejection.tooMuchWork(limit: 64)) { try act("offer", ["reason": "x"]) }
    #expect(app.pack(state) == before)
    // One that is replaced makes room for its successor.
    try act("offer", ["reason": "5"])
  }

  @Test mutating func `a signal is delivered as often as it arrives, and each delivery once`() throws {
    try act("listen", ["listens": true])
    let first = try #require(state.work.first)
    try act("listen", ["listens": true])
    #expect(state.work == [first])
    try apply(.signal(first.id, ["card": 3], SignalDelivery(1)))
    let second = try #require(state.work.first)
    #expect(second.id != first.id && second.signal?.address == first.signal?.address)
    try expectObsolete(.signal(first.id, ["card": 4], SignalDelivery(2)))
    try expectRepeated(.signal(second.id, ["card": 4], SignalDelivery(1)))
    try apply(.signal(second.id, ["card": 4], SignalDelivery(2)))
    #expect(state.nodes[0].state.encoding["receipts"] == ["card 3", "card 4"])
    #expect(state.work.first?.signal?.deliveries == [SignalDelivery(1), SignalDelivery(2)])
    #expect(try app.unpack(app.pack(state)) == state)
    try act("listen", ["listens": false])
    #expect(state.work.isEmpty)
  }

  @Test mutating func `a coordinator awaits a signal under several keys, and cancels each by itself`() throws {
    for reader in ["left", "right", "left"] { try act("listen", ["listens": true, "reader": Value(reader)]) }
    try act("listen", ["listens": true])
    #expect(state.work.map { $0.signal?.key } == ["left", "right", nil])
    #expect(Set(state.work.compactMap { $0.signal?.address }).count == 3)
    // The key stays when a signal is applied.
    try apply(.signal(state.work[1].id, ["card": 3], SignalDelivery(1)))
    #expect(state.work.map { $0.signal?.key } == ["left", "right", nil])
    try check()
    try act("listen", ["listens": false, "reader": "left"])
    #expect(state.work.map { $0.signal?.key } == ["right", nil])
    try act("listen", ["listens": false])
    #expect(state.work.map { $0.signal?.key } == ["right"])
    for reader in ["", String(repeating: "é", count: 128)] {
      #expect(
        throws: Rejection.fault(
          .located(
            .invalidSignalKey("card-read"),
            at: "cashier › cashier › action listen › command 1, await"))
      ) {
        try act("listen", ["listens": true, "reader": Value(reader)])
      }
    }
  }

  @Test mutating func `an event that is given up reaches no handler, and waits no longer`() throws {
    try act("listen", ["listens": true])
    let signal = try #require(state.work.last?.id)
    let effect = try charge(5)
    let before = state.nodes[0].state.encoding
    try apply(.dropped(effect, nil))
    try apply(.dropped(signal, SignalDelivery(1)))
    #expect(state.nodes[0].state.encoding == before)
    // The signal is awaited still.
    #expect(state.work.count == 1)
    try expectRepeated(.signal(try #require(state.work.first?.id), ["card": 3], SignalDelivery(1)))
    try apply(.dropped(try #require(state.work.first?.id), nil))
    #expect(state.work.isEmpty)
  }

  @Test mutating func `the last 256 deliveries of a signal are known`() throws {
    try act("listen", ["listens": true])
    for number in 1...257 as ClosedRange<UInt64> {
      try apply(.signal(try #require(state.work.first?.id), ["card": 3], SignalDelivery(number)))
    }
    let id = try #require(state.work.first?.id)
    try expectRepeated(.signal(id, ["card": 3], SignalDelivery(2)))
    try apply(.signal(id, ["card": 3], SignalDelivery(1)))
  }

  @Test mutating func `a signal that meets a guard changes nothing, and outcomes are not signals`() throws {
    try act("listen", ["listens": true])
    try act("shut", ["isOpen": false])
    let id = try #require(state.work.first?.id)
    let before = app.pack(state)
    guard case .blocked = try app.apply(.signal(id, ["card": 9], SignalDelivery(1)), to: state) else {
      Issue.record("A guard let the signal pass.")
      return
    }
    #expect(throws: Rejection.fault(.mismatchedEvent)) { try apply(.due(id)) }
    #expect(app.pack(state) == before)
  }

  @Test mutating func `an event is due so long after the step that schedules it, and is delivered once`() throws {
    try act("offer", ["reason": "old"])
    let work = try #require(state.work.first)
    #expect(work.timer?.dueAt == Self.stamp(1).time + 60)
    #expect(work.timer?.key == "old")
    try apply(.due(work.id))
    #expect(state.nodes[0].state.encoding["expired"] == ["old"])
    try expectObsolete(.due(work.id))
  }

  @Test mutating func `an event of the same key is replaced, and another key is not`() throws {
    try act("offer", ["reason": "a"])
    let first = try #require(state.work.first?.id)
    try act("offer", ["reason": "b"], step: 2)
    try act("offer", ["reason": "a"], step: 3)
    #expect(state.work.map { $0.timer?.key } == ["b", "a"])
    #expect(state.work.last?.timer?.dueAt == Self.stamp(3).time + 60)
    try expectObsolete(.due(first))
    try act("withdraw", ["reason": "b"])
    #expect(state.work.map { $0.timer?.key } == ["a"])
    try act("withdraw", ["reason": "b"])
  }

  @Test mutating func `an event that meets a guard changes nothing, until the guard passes`() throws {
    let id = try charge(5)
    try act("shut", ["isOpen": false])
    let before = app.pack(state)
    guard case .blocked = try app.apply(.done(id, "receipt"), to: state) else {
      Issue.record("The event was not blocked")
      return
    }
    #expect(app.pack(state) == before)
    try act("shut", ["isOpen": true])
    try apply(.done(id, "receipt"))
    #expect(screen == "paid")
  }

  @Test mutating func `an outcome replaces a screen that asks before it is left, and closes its question`() throws {
    let id = try charge(5, asking: true)
    state = try app.perform(.back, on: state)
    guard case .leaving = state.prompt else {
      Issue.record("No question")
      return
    }
    try apply(.done(id, "receipt"))
    #expect(state.prompt == nil)
    #expect(screen == "paid")
  }

  @Test mutating func `an event that shows another screen closes the question of the one before`() throws {
    try act("offer", ["reason": "x"])
    let offer = try #require(state.work.first?.id)
    _ = try charge(5, asking: true)
    state = try app.perform(.back, on: state)
    try apply(.due(offer))
    #expect(state.prompt == nil)
  }

  @Test mutating func `the same step with the same time and seed leads to the same bytes`() throws {
    let before = state
    _ = try charge(5)
    let intent = Intent.action(name: "charge", input: ["amount": 5, "asks": false])
    let again = try app.perform(intent, on: before, stamp: Self.stamp(1))
    #expect(app.pack(again) == app.pack(state))
    let other = try app.perform(intent, on: before, stamp: Self.stamp(3))
    #expect(app.pack(other) != app.pack(state))
  }

  @Test mutating func `a coordinator cancels its effects of one key, and no others`() throws {
    for order in ["a", "b", "a"] { try act("charge-order", ["amount": 5, "order": Value(order)]) }
    try act("sell", ["amount": 5, "endsAtOnce": false])
    state = try app.perform(.action(name: "cancel-order", input: ["order": "x"]), on: state)
    #expect(state.work.count == 6)
    let cancelled = try #require(state.work.first?.id)
    state = try app.perform(.action(name: "cancel-order", input: ["order": "a"]), on: state)
    #expect(state.work.map { $0.effect?.key } == [.given("b"), nil, nil, nil])
    try expectObsolete(.done(cancelled, "receipt"))
    // That of the sale has no key either.
    state = try app.perform(.action(name: "cancel-order", input: [:]), on: state)
    #expect(state.work.count == 4)
    state = try app.perform(.back, on: state)
    try act("charge-order", ["amount": 6, "order": "a"])
    #expect(state.work.map { $0.effect?.key } == [.given("b"), .given("a")])
  }

  @Test mutating func `a pending effect's key with another input is a fault`() throws {
    try act("charge-order", ["amount": 5, "order": "a"])
    try act("charge-order", ["amount": 5, "order": "a"])
    #expect(
      throws: Rejection.fault(
        .located(
          .effectKeyReused("charge-card"),
          at: "cashier › cashier › action charge-order › command 1, perform"))
    ) {
      try act("charge-order", ["amount": 6, "order": "a"])
    }
    try act("charge-order", ["amount": 6, "order": "b"])
  }

  @Test mutating func `an end of the session cancels all work`() throws {
    #expect(throws: Never.self) { try charge(5) }
    var finished = state
    finished.result = "over"
    guard case .obsolete = try app.apply(.done(try #require(state.work.first?.id), "receipt"), to: finished) else {
      Issue.record("A finished session took an outcome")
      return
    }
  }

  @Test(arguments: ["effect", "timer"])
  mutating func `truncated work is not a session`(kind: String) throws {
    if kind == "effect" { _ = try charge(5) } else { try act("offer", ["reason": "x"]) }
    let packed = app.pack(state)
    for length in 0..<packed.count {
      #expect(throws: PackingError.self) { try app.unpack(Array(packed[..<length])) }
    }
  }

  @Test func `wiring faults of effects and events are found`() {
    func faults(_ app: App) -> [WiringFault] {
      do {
        _ = try AppDefinition(app)
        return []
      } catch {
        return error.faults.map(\.fault)
      }
    }
    let found = faults(App("faulty", title: "", services: ScriptedBank() as any Bank) { Faulty() })
    #expect(found.contains(.repeatedOutcome))
    #expect(found.contains(.invalidPolicy))
    #expect(found.contains(.invalidName))
    #expect(found.contains(.missingServices(needed: "Vouchers", given: "ScriptedBank")))
    #expect(found.contains(.repeatedHandler))
  }
}

/// A coordinator with one of each fault.
private struct Faulty: Coordinator {
  typealias Services = any Bank
  static let name = "faulty"
  func start(_ nav: inout Navigator<Self>) { nav.push(Paid()) }
  static let wiring = Wiring<Self>()
    .shows(Paid.self)
    .performs(ChargeCard.self, done: { _, _, _ in }, failed: { _, _, _ in })
    .performs(ChargeCard.self, done: { _, _, _ in }, failed: { _, _, _ in })
    .performs(Endless.self, done: { _, _, _ in }, failed: { _, _, _ in })
    .on(timer: OfferExpired.self) { _, _, _ in }
    .on(timer: OfferExpired.self) { _, _, _ in }
}

private protocol Vouchers: Sendable {}

private struct Endless: Effect {
  typealias Services = any Vouchers
  static let name = "Endless"
  static let policy = EffectPolicy(timeout: .seconds(1_000_000), attempts: 0)
  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}
