internal import Messages
public import Navigation
public import Values

/// A session of an app inside a test, without a server or a store.
///
///     var session = try TestSession(clinic(.sample), locale: "de")
///     try session.act("find", ["code": "K7Q2"])
///     #expect(session.title == "Your appointment")
///
/// Every step encodes and decodes the state as a store would, so that a test fails for a state that cannot be stored.
public struct TestSession: Sendable {
  public let app: AppDefinition
  public private(set) var state: SessionState
  /// The visible screen with its data, its actions and its navigation.
  public private(set) var view: VisibleScreen
  /// The time of the session, which begins at 2000-01-01 and which ``advance(by:)`` moves.
  public private(set) var now = Timestamp(milliseconds: 946_684_800_000)
  /// The principal of the next actions: a test changes its claims as a new token does.
  public var principal: SessionPrincipal?
  private var stepCount: UInt64 = 1
  /// The detached effects of all steps.
  private var detached: [DetachedEffect] = []

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - input: the input of the app.
  ///   - link: a deep link to open first.
  ///   - locale: a language tag such as `de-CH`.
  ///   - principal: the owner of the session.
  /// - Throws: `WiringFaults` for faults in the wiring of the app, or a `Rejection` of the creation.
  public init(
    _ app: App, input: Value = .emptyObject, link: String? = nil, locale: String? = nil,
    principal: SessionPrincipal? = nil
  ) throws {
    let app = try AppDefinition(app)
    let state = try app.create(
      input: input, link: link, environment: SessionEnvironment(locale: locale, principal: principal),
      stamp: StepStamp(time: now, seed: 1))
    self.app = app
    self.principal = principal
    detached = state.environment.detached
    self.state = try app.unpack(app.pack(state), locale: locale)
    view = try app.view(of: self.state)
  }

  /// Performs an intent. A rejected intent leaves the session unchanged.
  public mutating func perform(_ intent: Intent) throws {
    try store(try app.perform(intent, on: principal.flatMap { state.acting(with: $0) } ?? state, stamp: stamp()))
  }

  private mutating func stamp() -> StepStamp {
    stepCount += 1
    return StepStamp(time: now, seed: stepCount)
  }

  private mutating func store(_ next: SessionState) throws {
    let stored = try app.unpack(app.pack(next), locale: next.environment.locale)
    view = try app.view(of: stored)
    state = stored
    detached += next.environment.detached
  }
}

extension TestSession {
  /// Performs an action of the visible screen or of the open prompt.
  public mutating func act(_ name: String, _ input: Value = .emptyObject) throws {
    try perform(.action(name: name, input: input))
  }

  public mutating func act<A: Action>(_ action: A) throws { try act(A.name, try Value(encoding: action)) }

  public mutating func back() throws { try perform(.back) }

  public mutating func dismiss() throws { try perform(.dismiss) }

  public mutating func select(tab name: String) throws { try perform(.tab(name)) }

  public mutating func open(_ link: String) throws { try perform(.open(link: link)) }
}

// MARK: Effects, timers and signals
extension TestSession {
  /// The names of the pending effects, in the order of their requests.
  public var pendingEffects: [String] { state.work.filter { $0.effect != nil }.map { app.name(of: $0) } }

  /// Returns the pending effects of a type, in the order of their requests.
  public func effects<E: Effect>(_ type: E.Type) throws -> [E] {
    try state.work.filter { app.name(of: $0) == E.name }.compactMap { try $0.effect?.input.decode(E.self) }
  }

  /// Completes the oldest pending effect of a type. No effect runs in a test.
  ///
  /// - Throws: ``TestSessionError``, or a `Rejection` of the handler.
  public mutating func complete<E: Effect>(_ effect: E.Type, with output: E.Output) throws {
    try apply(.done(try oldest(E.self), try EffectDefinition.encoded(output)), E.name)
  }

  /// Completes the oldest pending effect of a type that has no output.
  public mutating func complete<E: Effect>(_ effect: E.Type) throws where E.Output == Nothing {
    try complete(E.self, with: Nothing())
  }

  /// Lets the oldest pending effect of a type fail.
  ///
  /// - Throws: ``TestSessionError``, or a `Rejection` of the handler.
  public mutating func fail<E: Effect>(_ effect: E.Type, with failure: EffectFailure) throws {
    try apply(.failed(try oldest(E.self), failure), E.name)
  }

  /// Returns the detached effects of a type that were requested so far, in their order. A compensation is among them once
  /// its coordinator has ended before the outcome.
  public func detached<E: Effect>(_ effect: E.Type) throws -> [E] {
    try detached.filter { app.effects[$0.effect].name == E.name }.map { try $0.input.decode(E.self) }
  }

  /// Moves the time of the session, and lets the timers that are due by then fire in their order, each at its time.
  ///
  /// - Throws: ``TestSessionError``, or a `Rejection` of a handler. The time is then that of its timer.
  public mutating func advance(by duration: Duration) throws {
    let end = now + duration
    while let (id, name, dueAt) = nextTimer, dueAt <= end {
      now = max(now, dueAt)
      try apply(.due(id), name)
    }
    now = end
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
    let input: Value
    do throws(InvalidInput) {
      input = try app.signals[index].input.check((try? Value(encoding: signal)) ?? .emptyObject)
    } catch {
      throw Rejection.invalidInput(error)
    }
    try apply(.signal(work.id, input, SignalDelivery(stepCount)), S.name)
  }

  private func oldest<E: Effect>(_ type: E.Type) throws -> WorkID {
    let work = state.work.first { $0.effect != nil && app.name(of: $0) == E.name }
    guard let work else { throw TestSessionError.notPending(E.name) }
    return work.id
  }

  private var nextTimer: (WorkID, String, Timestamp)? {
    state.work.compactMap { work in
      guard case .timer(let timer) = work.content else { return nil }
      return (work.id, app.name(of: work), timer.dueAt)
    }.min { $0.2 < $1.2 }
  }

  private mutating func apply(_ event: BackgroundEvent, _ name: String) throws {
    switch try app.apply(event, to: state, stamp: stamp()) {
    case .applied(let next): try store(next)
    case .blocked(let obstacle): throw TestSessionError.blocked(name, obstacle)
    case .obsolete, .repeated: throw TestSessionError.notPending(name)
    }
  }
}

/// The reason why an event cannot occur in a test session.
public enum TestSessionError: Error, Equatable, CustomStringConvertible {
  /// No effect, timer or signal of this name is pending.
  case notPending(String)
  /// The session cannot take the event of this name for now.
  case blocked(String, BackgroundObstacle)

  public var description: String {
    switch self {
    case .notPending(let name): "Nothing of the name \(name) is pending."
    case .blocked(let name, let obstacle): "The event \(name) waits. \(obstacle)"
    }
  }
}

extension TestSession {
  public var title: String { view.title.string }

  /// The titles of the visible stack, bottom first.
  public var titles: [String] {
    view.stack.map { entry in (try? app.title(of: entry, in: state).string) ?? "" }
  }

  /// Returns the visible screen, if it is of this type.
  public func screen<S: Screen>(_ type: S.Type = S.self) -> S? {
    view.screen.name == S.name ? try? view.data.decode(S.self) : nil
  }

  /// Returns the reason why an action of the visible screen is disabled, as clients read it; nil if it is enabled.
  public func disabledReason(of action: String) -> String? {
    guard let offered = view.actions.first(where: { $0.definition.name == action }) else {
      return "The screen has no action \(action)."
    }
    return offered.disabled?.sentence
  }

  /// Returns the result of the root coordinator; nil until the session has finished.
  public func result<Result: Decodable>(as type: Result.Type = Result.self) -> Result? {
    state.result.flatMap { try? $0.decode(Result.self) }
  }
}
