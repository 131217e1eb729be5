import TestApps
import TestSupport
import Testing
import Values

@testable import Navigation

/// The properties of sessions with effects, timers and signals, along random walks of intents and background events.
@Suite struct WorkWalkTests {
  /// One step of a walk, for its repetition.
  private enum Step {
    case intent(Intent, StepStamp)
    case event(BackgroundEvent, StepStamp)
  }

  private let app: AppDefinition

  init() throws { app = try AppDefinition(Cashier.app()) }

  @Test func `properties 1 to 10, 12, 22, 25 and 28 hold with background events in any order`() throws {
    var random = Randomness(seed: RandomWalks.seed)
    var left = RandomWalks.steps / 10
    while left > 0 {
      let length = min(left, 200)
      left -= length
      var session = try app.create(stamp: stamp(0))
      var steps: [Step] = []
      var settled: Set<WorkID> = []
      do {
        for number in 1...length {
          session = try step(from: session, stamp(number), &steps, &settled, &random)
        }
        try hold(28, app.pack(try repeated(steps)) == app.pack(session), "repeating the steps leads to another state")
      } catch let failure as PropertyFailure {
        let list = steps.map { "  \($0)" }.joined(separator: "\n")
        throw PropertyFailure(failure.property, "\(failure.sentence)\nWALK_SEED=\(RandomWalks.seed), after:\n\(list)")
      }
    }
  }

  private func stamp(_ number: Int) -> StepStamp {
    StepStamp(time: Timestamp(milliseconds: Int64(number) * 1000), seed: UInt64(number) + 1)
  }

  private func step(
    from state: SessionState, _ stamp: StepStamp, _ steps: inout [Step], _ settled: inout Set<WorkID>,
    _ random: inout Randomness
  ) throws -> SessionState {
    if random.once(in: 2) {
      let intents = try AvailableIntents(app, state).advertised(&random)
      guard !intents.isEmpty else { return state }
      let intent = random.pick(intents)
      // A rejection stands for a full session, or for a child that ends in the step in which it performs an effect.
      guard let next = try? app.perform(intent, on: state, stamp: stamp) else { return state }
      steps.append(.intent(intent, stamp))
      try check(next, after: state)
      return next
    }
    let event = anyEvent(for: state, settled, &random)
    let before = app.pack(state)
    // A rejection stands for an event of the other kind of work, such as an outcome for a timer.
    guard let result = try? app.apply(event, to: state, stamp: stamp) else { return state }
    guard case .applied(let next) = result else {
      try hold(12, app.pack(state) == before, "an event that was not applied has changed the session")
      let isAwaited = state.work.contains { $0.id == event.work && !$0.hasTaken(event) }
      if case .repeated = result { try hold(12, !isAwaited, "an awaited signal is repeated: \(event)") }
      if case .obsolete = result { try hold(12, !isAwaited, "an awaited event is obsolete: \(event)") }
      return state
    }
    try hold(22, settled.insert(event.work).inserted, "an event was applied twice: \(event)")
    let hasTaken = state.work.contains { $0.id == event.work && $0.hasTaken(event) }
    try hold(22, !hasTaken, "a signal was applied twice: \(event)")
    steps.append(.event(event, stamp))
    try check(next, after: state)
    return next
  }

  private func check(_ next: SessionState, after state: SessionState) throws {
    try audit(next, of: app)
    try hold(9, next.revision == state.revision + 1, "the revision went from \(state.revision) to \(next.revision)")
    let packed = app.pack(next)
    let read = try app.unpack(packed)
    try hold(10, read == next, "reading the packed form gives another state")
    try hold(10, app.pack(read) == packed, "the packed form is not canonical")
  }

  /// Returns an event for pending work, for settled work, or for none.
  private func anyEvent(
    for state: SessionState, _ settled: Set<WorkID>, _ random: inout Randomness
  ) -> BackgroundEvent {
    let pending = state.work.map(\.id)
    let others = settled.sorted() + [WorkID(UInt32(random.below(99)) + 1)]
    let id = random.pick(random.once(in: 5) || pending.isEmpty ? others : pending)
    if random.once(in: 20), let work = state.work.first(where: { $0.id == id }) {
      return .dropped(id, work.signal.map { _ in SignalDelivery(UInt64(random.below(50))) })
    }
    let work = random.once(in: 20) && !state.work.isEmpty ? random.pick(state.work) : state.work.first { $0.id == id }
    switch work?.content {
    case .timer: return .due(id)
    case .signal:
      let card = Value.object([("card", Value(random.below(10)))])
      return .signal(id, card, SignalDelivery(UInt64(random.below(50))))
    case .effect, nil:
      return random.once(in: 3)
        ? .failed(id, EffectFailure(.timeout, detail: "It took too long."))
        : .done(id, Value("receipt \(random.below(9))"))
    }
  }

  /// Carries the steps out again from the beginning.
  private func repeated(_ steps: [Step]) throws -> SessionState {
    var state = try app.create(stamp: stamp(0))
    for step in steps {
      switch step {
      case .intent(let intent, let stamp): state = try app.perform(intent, on: state, stamp: stamp)
      case .event(let event, let stamp):
        guard case .applied(let next) = try app.apply(event, to: state, stamp: stamp) else {
          throw PropertyFailure(28, "an event cannot be repeated: \(event)")
        }
        state = next
      }
    }
    return state
  }
}

extension PendingWork {
  /// Whether the work is a signal that has taken the delivery of an event.
  fileprivate func hasTaken(_ event: BackgroundEvent) -> Bool {
    switch event {
    case .signal(_, _, let delivery, _), .dropped(_, let delivery?):
      return signal?.deliveries.contains(delivery) ?? false
    default: return false
    }
  }
}
