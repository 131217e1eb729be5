internal import Messages
public import Navigation
internal import Sessions
public import Testing
internal import TimeZones
public import Values

/// A session of an app inside a test, without a server or a store.
///
///     var session = try TestSession(clinic, locale: "de")
///     try session.fake(FetchAppointment.self) { fetch in Appointment(code: fetch.code, doctor: "Dr. Okafor") }
///     try session.act("find", ["code": "K7Q2"])
///     session.expect(stack: ["Check in", "Your appointment"])
///
/// Every step encodes and decodes the state as a store would, so that a test fails for a state that cannot be stored.
public struct TestSession: Sendable {
  /// The app, with the declarations of its coordinators.
  public private(set) var app: AppDefinition
  /// The whole state: the coordinators, the stacks and the pending work.
  public private(set) var state: SessionState
  /// The visible screen with its data, its actions and its navigation.
  public private(set) var view: VisibleScreen
  /// The time of the session, which ``advance(by:)`` moves.
  public internal(set) var now: Timestamp
  /// The time at which sessions begin unless a test says otherwise: 2000-01-01T00:00:00Z.
  public static let start = Timestamp(milliseconds: 946_684_800_000)
  /// The principal of the next actions: a test changes its claims as a new token does. The owner stays that of the
  /// creation. A session without an owner ignores the principal, and one with an owner its subject, as in production.
  public var principal: SessionPrincipal?
  private(set) var stepCount: UInt64 = 1
  private let createdAt: Timestamp
  /// The time at which the session expires; nil for an app that declares no lifetime. A session expires by itself in the
  /// service only.
  private(set) var expiresAt: Timestamp?
  /// The detached effects of all steps.
  private(set) var detachedEffects: [DetachedEffect] = []
  /// The faults of the app that the steps have survived. The service logs them.
  public private(set) var faults: [AppFault] = []
  /// The effects that a fake or the test has performed.
  var performedEffects: [(name: String, input: Value)] = []
  /// The fakes by the names of their effects. A fake turns the input of an effect into its outcome.
  var fakes: [String: @Sendable (_ id: WorkID, _ input: Value) throws -> BackgroundEvent] = [:]
  /// The outcomes of fakes. An outcome that a guard blocks is applied after a later step.
  var outcomes: [WorkID: BackgroundEvent] = [:]
  /// The effects whose outcome the session has rejected.
  var stuck: Set<WorkID> = []
  /// The timers that were due when a guard blocked them.
  var waitingTimers: Set<WorkID> = []

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - input: the input of the app.
  ///   - link: a deep link to open first.
  ///   - locale: a language tag such as `de-CH`.
  ///   - timeZone: the name of a time zone such as `Europe/Berlin`; nil for that of the app.
  ///   - principal: the owner of the session.
  ///   - now: the time at which the session begins.
  /// - Throws: `WiringFaults` for faults in the wiring of the app, a `Rejection` of the creation, or
  ///   ``TestSessionError/unknownTimeZone(_:)``.
  public init(
    _ app: App, input: Value = .emptyObject, link: String? = nil, locale: String? = nil, timeZone: String? = nil,
    principal: SessionPrincipal? = nil, now: Timestamp = TestSession.start
  ) throws {
    try self.init(
      AppDefinition(app), input: input, link: link, locale: locale, timeZone: timeZone, principal: principal, now: now)
  }

  /// Creates a session of a registered app, such as a compiled flow.
  ///
  /// - Throws: a `Rejection` of the creation, or ``TestSessionError/unknownTimeZone(_:)``.
  public init(
    _ app: AppDefinition, input: Value = .emptyObject, link: String? = nil, locale: String? = nil,
    timeZone: String? = nil, principal: SessionPrincipal? = nil, now: Timestamp = TestSession.start
  ) throws {
    if let timeZone, NamedTimeZone(timeZone) == nil { throw TestSessionError.unknownTimeZone(timeZone) }
    let environment = SessionEnvironment(
      locale: locale, principal: principal, timeZone: app.sessionTimeZone(timeZone))
    let state = try app.create(
      input: input, link: link, environment: environment, stamp: StepStamp(time: now, seed: 1))
    self.app = app
    self.now = now
    createdAt = now
    expiresAt = app.life?.expiry(ofCreationAt: now, at: now)
    self.principal = principal
    detachedEffects = state.environment.detached
    self.state = try app.unpack(app.pack(state), in: state.environment.stored)
    view = try app.view(of: self.state)
  }

  /// Performs an intent. A rejected intent leaves the session unchanged.
  ///
  /// - Throws: a `Rejection`, or an error of a fake, as ``fake(_:_:)`` says.
  public mutating func perform(_ intent: Intent) throws {
    try store(try app.perform(intent, on: principal.flatMap { state.acting(with: $0) } ?? state, stamp: stamp()))
    if let life = app.life { expiresAt = life.expiry(ofCreationAt: createdAt, expiring: expiresAt, at: now) }
    try runFakes()
  }

  /// Returns the time until which a timer waits; nil for other work, and for a timer before an end that is not known.
  func dueAt(_ work: PendingWork) -> Timestamp? {
    guard let timer = work.timer else { return nil }
    return timer.lead == nil ? timer.dueAt : expiresAt.flatMap { work.dueAt(expiring: $0) }
  }

  /// Moves the session to another version of its app, as the service does with the next use of a session.
  ///
  /// - Throws: a `PackingError` or a `Rejection` if the state is invalid in the version. The session then stays unchanged.
  public mutating func move(to app: AppDefinition) throws {
    var moved = self
    moved.app = app
    let stored = try app.unpack(self.app.pack(state), in: state.environment.stored)
    try moved.store(try app.carry(stored, from: self.app.version, stamp: moved.stamp()))
    try app.drawHiddenScreens(of: moved.state)
    self = moved
  }

  /// Applies an event to the state.
  mutating func apply(_ event: BackgroundEvent) throws -> BackgroundResult {
    let result = try app.apply(event, to: state, stamp: stamp())
    if case .applied(let next) = result { try store(next) }
    return result
  }

  private mutating func stamp() -> StepStamp {
    stepCount += 1
    return StepStamp(time: now, seed: stepCount)
  }

  private mutating func store(_ next: SessionState) throws {
    let stored = try app.unpack(app.pack(next), in: next.environment.stored)
    view = try app.view(of: stored)
    state = stored
    detachedEffects += next.environment.detached
    faults += next.environment.faults
  }

  // MARK: Actions and system navigation

  /// Performs an action of the visible screen or of the open prompt.
  ///
  /// - Parameters:
  ///   - name: the name of the action; `leave` and `stay` answer the question of a leave policy.
  ///   - input: the values of its fields.
  public mutating func act(_ name: String, _ input: Value = .emptyObject) throws {
    try perform(.action(name: name, input: input))
  }

  /// Performs an action whose fields have been assigned.
  public mutating func act<A: Action>(_ action: A) throws { try act(A.name, try Value(encoding: action)) }

  /// Goes back, or closes the open prompt.
  public mutating func back() throws { try perform(.back) }

  /// Dismisses the visible modal.
  public mutating func dismiss() throws { try perform(.dismiss) }

  /// Selects a tab by the name of its root coordinator.
  public mutating func select(tab name: String) throws { try perform(.tab(name)) }

  /// Opens a deep link.
  public mutating func open(_ link: String) throws { try perform(.open(link: link)) }

  /// Changes the language of the session.
  ///
  /// - Parameter locale: a language tag such as `de-CH`.
  public mutating func change(locale: String) throws { try perform(.locale(locale)) }

  /// Loads a property of the visible screen again, after a failure.
  public mutating func reload(_ property: String) throws { try perform(.reload(property)) }

  // MARK: The visible screen

  /// The title of the visible screen.
  public var title: String { view.title.string }

  /// The titles of the visible stack, bottom first.
  public var titles: [String] {
    view.stack.map { entry in (try? app.title(of: entry, in: state).string) ?? "" }
  }

  /// Returns the visible screen with its data, if it is of this type.
  public func screen<S: Screen>(_ type: S.Type = S.self) -> S? {
    view.screen.name == S.name ? try? view.data.decode(S.self) : nil
  }

  /// Returns the reason why an action of the open prompt or the visible screen is disabled, as clients read it; nil if it
  /// is enabled. Records an issue if there is no such action.
  public func disabledReason(of action: String, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
    var offered = view.actions
    for case .action(let button) in view.prompt?.buttons ?? [] { offered.insert(button, at: 0) }
    guard let found = offered.first(where: { $0.definition.name == action }) else {
      Issue.record("The screen has no action \(action).", sourceLocation: sourceLocation)
      return nil
    }
    return found.disabled?.sentence(in: app.serviceLanguage(for: state.environment.locale))
  }

  /// Returns the result of the root coordinator; nil until the session has finished.
  public func result<Result: Decodable>(as type: Result.Type = Result.self) -> Result? {
    state.result.flatMap { try? $0.decode(Result.self) }
  }
}

extension SessionEnvironment {
  /// The facts that a store keeps beside the packed state.
  fileprivate var stored: SessionEnvironment { SessionEnvironment(locale: locale, timeZone: timeZone, time: time) }
}
