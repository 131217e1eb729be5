public import Navigation
internal import Values

// MARK: Effects by hand
extension TestSession {
  /// The names of the pending effects, in the order of their requests.
  public var pendingEffects: [String] { state.work.filter { $0.effect != nil }.map { app.name(of: $0) } }

  /// Returns the pending effects of a type, in the order of their requests.
  public func effects<E: Effect>(_ type: E.Type) throws -> [E] {
    try state.work.compactMap { work in app.name(of: work) == E.name ? try work.effect?.input.decode(E.self) : nil }
  }

  /// Returns the effects of a type that have been performed so far, by a fake or by hand, in their order.
  public func performed<E: Effect>(_ type: E.Type) throws -> [E] {
    try performedEffects.filter { $0.name == E.name }.map { try $0.input.decode(E.self) }
  }

  /// Completes the oldest pending effect of a type. An effect never runs in a test.
  ///
  /// - Throws: ``TestSessionError``, or a `Rejection` of the handler.
  public mutating func complete<E: Effect>(_ effect: E.Type, with output: E.Output) throws {
    try end(E.self) { .done($0, try EffectDefinition.encoded(output)) }
  }

  /// Completes the oldest pending effect of a type that has no output.
  public mutating func complete<E: Effect>(_ effect: E.Type) throws where E.Output == Nothing {
    try complete(E.self, with: Nothing())
  }

  /// Lets the oldest pending effect of a type fail.
  ///
  /// - Throws: ``TestSessionError``, or a `Rejection` of the handler.
  public mutating func fail<E: Effect>(_ effect: E.Type, with failure: EffectFailure) throws {
    try end(E.self) { .failed($0, failure) }
  }

  /// Applies the outcome of the oldest pending effect of a type.
  private mutating func end<E: Effect>(_ type: E.Type, _ outcome: (WorkID) throws -> BackgroundEvent) throws {
    let oldest = state.work.first { $0.effect != nil && app.name(of: $0) == E.name }
    guard let oldest, let effect = oldest.effect else { throw TestSessionError.notPending(E.name) }
    try occur(try outcome(oldest.id), named: E.name) { $0.performedEffects.append((E.name, effect.input)) }
  }

  /// Returns the detached effects of a type that were requested so far, in their order. A compensation is among them once
  /// its coordinator has ended before the outcome.
  public func detached<E: Effect>(_ effect: E.Type) throws -> [E] {
    try detachedEffects.filter { app.effects[$0.effect].name == E.name }.map { try $0.input.decode(E.self) }
  }

  // MARK: Timers and signals

  /// Moves the time of the session, and lets the timers that are due by then fire in their order, each at its time. A
  /// timer that a guard blocks fires once the guard passes, and a timer before the end of the session fires if the app
  /// declares a life.
  ///
  /// - Throws: ``TestSessionError``, or a `Rejection` of a handler. The time is then that of its timer.
  public mutating func advance(by duration: Duration) throws {
    let end = now + duration
    for count in 0... {
      guard let (id, name, dueAt) = nextTimer, dueAt <= end else { break }
      if count == Self.maximumOutcomes { throw TestSessionError.endless(name) }
      now = max(now, dueAt)
      if case .blocked = try apply(.due(id)) { waitingTimers.insert(id) } else { try runFakes() }
    }
    now = end
  }

  private var nextTimer: (WorkID, String, Timestamp)? {
    state.work.compactMap { work in
      waitingTimers.contains(work.id) ? nil : dueAt(work).map { (work.id, app.name(of: work), $0) }
    }.min { $0.2 < $1.2 }
  }

  /// Lets a timer fire that has waited for a guard, and returns its name; nil if none can.
  mutating func fireWaitingTimer() throws -> String? {
    for work in state.work where waitingTimers.contains(work.id) {
      guard case .applied = try apply(.due(work.id)) else { continue }
      return app.name(of: work)
    }
    return nil
  }

  /// Receives a signal that a coordinator awaits; the first one, if several do.
  ///
  /// - Parameter key: the key under which it is awaited; nil if it may be any.
  /// - Throws: ``TestSessionError``, or a `Rejection` of an invalid input or of the handler.
  public mutating func receive<S: Signal>(_ signal: S, key: String? = nil) throws {
    let work = state.work.first { work in
      guard let awaited = work.signal, app.name(of: work) == S.name else { return false }
      return key == nil || awaited.key == key
    }
    guard let work, let index = work.signal?.signal else { throw TestSessionError.notPending(S.name) }
    let encoded = try Value(encoding: signal)
    let input: Value
    do throws(InvalidInput) {
      input = try app.signals[index].input.check(encoded)
    } catch {
      throw Rejection.invalidInput(error)
    }
    try occur(.signal(work.id, input, SignalDelivery(stepCount)), named: S.name)
  }

  /// - Parameter note: runs once the event is applied, before the fakes.
  private mutating func occur(
    _ event: BackgroundEvent, named name: String, _ note: (inout Self) -> Void = { _ in }
  ) throws {
    switch try apply(event) {
    case .applied:
      note(&self)
      try runFakes()
    case .blocked(let obstacle): throw TestSessionError.blocked(name, obstacle)
    case .obsolete, .repeated: throw TestSessionError.notPending(name)
    }
  }
}
