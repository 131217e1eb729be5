public import CoreMetrics
public import Navigation
internal import Observability
internal import Synchronization
package import Values

/// The life of sessions: creation, views, actions, hand-over, expiry and end.
///
/// A service keeps no session between two calls: the store has them all. A service keeps only the event streams that it
/// serves.
public final class SessionService: Sendable {
  public struct Settings: Sendable {
    /// Seconds until a session expires, unless its app or its creator asks for another time (`--session-ttl`).
    public var timeToLive: Int64 = 86_400
    /// The seconds that a creator may ask for (`--max-session-life`).
    public var allowedTimeToLive: ClosedRange<Int64> = 1...31_536_000
    /// Seconds that a tombstone remains of a session that has expired or was ended.
    public var tombstoneLifetime: Int64 = 86_400
    /// Seconds that the response to a request with an idempotency key can be replayed.
    public var idempotencyKeyLifetime: Int64 = 86_400
    /// The number of entries in each session's journal, at least 16 (`--history`).
    ///
    /// If they exceed 64 KiB, the journal keeps only the last 16.
    public var journalLimit = 64
    /// The maximum size of a session's stored state in bytes (`--max-session-bytes`).
    public var stateLimit = 1 << 20
    /// The maximum number of sessions per owner; nil for no limit (`--max-sessions-per-principal`).
    ///
    /// Concurrent creations may exceed it slightly.
    public var ownerLimit: Int?
    /// Seconds until an offer to hand a session over expires.
    public var offerLifetime: Int64 = 600
    /// Seconds that the definition of a flow is kept after its last use for new sessions, if no session needs it.
    public var definitionLifetime: Int64 = 3600
    /// The time after which a stuck event no longer keeps the later events of its coordinator back. Operators have as
    /// long to decide about it before its order is lost.
    public var setAsideAfter = Duration.seconds(900)
    /// The time after which the log tells that a guard or a full queue of prompts keeps an event back.
    public var blockedWarning = Duration.seconds(900)

    public init() {}
  }

  package let registry: AppRegistry
  public let store: any SessionStore
  public let settings: Settings
  let clock: TimeSource
  let channels = EventChannels()
  let metrics: ActionMetrics
  /// The stuck events: as counted in the store, and those since, so that an alert need not wait for the next count.
  let stuckMeter: Meter
  private let log: @Sendable (String) -> Void
  /// Wakes the ``WorkRunner`` of this process.
  let runner = RunnerSignal()
  /// The requests that wait now, and whether all waiting is over.
  let waiters = Mutex((all: [ObjectIdentifier: SettlingSubscriber](), isOver: false))
  /// The secret of the store; nil until it is needed.
  let storeSecret = Mutex<[UInt8]?>(nil)

  public convenience init(
    apps: [AppDefinition], store: any SessionStore, settings: Settings = Settings(), clock: TimeSource = .system,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) {
    self.init(apps: apps, flows: nil, store: store, settings: settings, clock: clock, metrics: metrics)
  }

  /// - Parameters:
  ///   - apps: the apps in Swift.
  ///   - flows: the compilation of definitions from files; nil if the service hosts no flows.
  ///   - log: receives a sentence for each fault of an app that a step survives.
  package init(
    apps: [AppDefinition], flows: FlowCompilation?, store: any SessionStore, settings: Settings = Settings(),
    clock: TimeSource = .system, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    registry = AppRegistry(apps, flows, FlowMetrics(metrics))
    self.store = store
    self.settings = settings
    self.clock = clock
    self.metrics = ActionMetrics(apps, metrics)
    stuckMeter = Meter(label: Metric.workStuck.name, dimensions: [], factory: metrics)
    self.log = log
  }

  /// Logs the faults that the last step of a session has survived.
  func reportFaults(of state: SessionState, in session: SessionKey, _ app: AppDefinition) {
    for fault in state.environment.faults {
      log("A pending intent of the session \(session.short) of \(app.name) failed. \(fault)")
    }
  }

  /// The hosted apps, in the order in which they are listed.
  public var apps: [AppDefinition] { registry.apps }

  /// Returns the app of which a session with this name would be created now.
  public func app(named name: String) -> AppDefinition? { registry.app(named: name) }

  /// Returns the session at its current revision.
  ///
  /// - Parameter owner: the principal that asks, nil for an anonymous one. A session with an owner is unknown to all
  ///   others.
  public func snapshot(_ id: SessionID, by owner: SessionOwner? = nil) async throws(SessionError) -> Snapshot {
    try snapshot(id, of: try await carried(load(id, by: owner)))
  }

  /// Returns the session as ``snapshot(_:by:)`` does, but without waiting; nil if the store does not have it in memory.
  public func snapshotInMemory(_ id: SessionID, by owner: SessionOwner? = nil) throws(SessionError) -> Snapshot? {
    guard let session = loadFromMemory(id, by: owner, .current) else { return nil }
    return try snapshot(id, of: session)
  }

  /// Ends a session. The store keeps a tombstone of it.
  ///
  /// - Parameter revision: the revision that the client has seen; nil ends the session at any revision.
  public func delete(
    _ id: SessionID, by owner: SessionOwner? = nil, at revision: UInt64? = nil
  ) async throws(SessionError) {
    var session = try await load(id, by: owner)
    while true {
      guard session.writeAccess.allows(id) else { throw .readOnly(try snapshot(id, of: session)) }
      guard revision == nil || revision == session.revision else { throw .stale(try snapshot(id, of: session)) }
      let forgetAt = clock.now() + settings.tombstoneLifetime
      if try await wrappingErrors(of: await store.delete(session, forgetAt: forgetAt)) { break }
      do throws(SessionError) {
        session = try await load(id, by: owner)
      } catch .expired {
        // This request or another one has ended the session in the meantime.
        break
      }
    }
    channels.end(session.key, .deleted)
  }

  /// The time of the service.
  package var now: Timestamp { clock.now() }

  /// Removes expired sessions and outdated records from the store. Call it periodically.
  public func sweep() async throws(SessionError) {
    try await wrappingErrors(
      of: await store.sweep(now: clock.now(), tombstoneLifetime: settings.tombstoneLifetime))
    try await sweepDefinitions()
  }

  /// Returns the number of sessions in the store.
  public func count() async throws(SessionError) -> SessionCount {
    try await wrappingErrors(of: await store.count())
  }

  /// Performs an operation of the store, and wraps its error in `SessionError.store`.
  @inline(__always)
  func wrappingErrors<Result>(
    of operation: @autoclosure () async throws(StoreError) -> Result
  ) async throws(SessionError) -> Result {
    do {
      return try await operation()
    } catch {
      throw .store(error)
    }
  }

  /// Performs an operation of an app, and wraps its rejection in `SessionError.rejected`.
  @inline(__always)
  func wrappingRejection<Result>(
    of operation: @autoclosure () throws(Rejection) -> Result
  ) throws(SessionError) -> Result {
    do {
      return try operation()
    } catch {
      throw .rejected(error, nil)
    }
  }

  // MARK: - Loading

  /// Loads the current session of an ID.
  ///
  /// - Parameter owner: the principal that asks.
  /// - Throws: `unknownSession` or `expired` unless the session is alive and the ID and its owner give access to it.
  func load(_ id: SessionID, by owner: SessionOwner?) async throws(SessionError) -> StoredSession {
    if let session = loadFromMemory(id, by: owner, .current) { return session }
    let session: StoredSession
    do throws(SessionError) {
      session = try await load(SessionKey(id), by: owner)
    } catch .expired(let ended?) where !ended.writeAccess.isKnown(id) {
      throw .expired(nil)
    }
    guard session.writeAccess.isKnown(id) else { throw try await unknownAfterDummyLookup() }
    return session
  }

  /// Returns a session that the store has in memory, if it is alive and the ID and its owner give access to it. In any
  /// other case ``load(_:by:)`` decides.
  func loadFromMemory(_ id: SessionID, by owner: SessionOwner?, _ freshness: Freshness) -> StoredSession? {
    guard case .live(let session)? = store.loadFromMemory(SessionKey(id), freshness),
      session.owner == nil || session.owner == owner, session.writeAccess.isKnown(id), clock.now() < session.expiresAt
    else { return nil }
    return session.definition == nil ? session : preparedInMemory(session)
  }

  /// Loads the current session of a key.
  ///
  /// To any principal but its owner, the session does not exist.
  func load(_ key: SessionKey, by owner: SessionOwner?) async throws(SessionError) -> StoredSession {
    try await load(key) { $0 == nil || $0 == owner }
  }

  /// Loads the current session of a key, for internal use: by default without a check of its owner.
  func load(
    _ key: SessionKey, ifOwner isAllowed: (SessionOwner?) -> Bool = { _ in true }
  ) async throws(SessionError) -> StoredSession {
    switch try await lookUp(key) {
    case .gone(let owner) where isAllowed(owner): throw .expired(nil)
    case .live(let session) where isAllowed(session.owner): return try await prepared(unexpired(session))
    case .unknown: throw .unknownSession
    case .gone, .live: throw try await unknownAfterDummyLookup()
    }
  }

  @inline(__always)
  func lookUp(_ key: SessionKey) async throws(SessionError) -> SessionLookup {
    try await wrappingErrors(of: await store.load(key))
  }

  @inline(__always)
  func replace(_ session: StoredSession, with next: StoredSession) async throws(SessionError) -> Bool {
    try await wrappingErrors(of: await store.replace(session, with: next))
  }

  /// Requires that the state after a step is not too large.
  ///
  /// - Parameters:
  ///   - session: the session before the step; nil for the creation.
  ///   - input: the size in bytes of the value from outside that has led to the state.
  func checkSize(
    of navigation: LiveNavigation, after session: StoredSession?, adding input: Int = 0
  ) throws(SessionError) {
    let known = session?.navigation.knownSize ?? 0
    if navigation.isLarger(than: settings.stateLimit, known: known, adding: input) {
      throw .tooLarge(limit: settings.stateLimit)
    }
  }

  /// Stores and announces a step that no request for an intent has caused. Returns the session after it; nil if the
  /// session has been replaced since it was loaded.
  ///
  /// - Parameter expiresAt: the new time of expiry; nil for an event in the background, which extends no session.
  func commit(
    _ entry: JournalEntry, of session: StoredSession, _ navigation: LiveNavigation, _ visible: VisibleScreen,
    writeAccess: WriteAccess? = nil, definition: DefinitionDigest? = nil, expiresAt: Timestamp? = nil
  ) async throws(SessionError) -> StoredSession? {
    let next = session.advanced(
      to: .live(navigation), by: entry, keeping: settings.journalLimit, writeAccess: writeAccess,
      definition: definition, expiresAt: expiresAt)
    guard try await replace(session, with: next) else { return nil }
    announce(entry, of: next, after: session, navigation) { channel in
      Snapshot(id: channel.id, session: next, navigation: navigation, visible: visible)
    }
    return next
  }

  /// Tells everyone who waits for a step that is stored now: the metrics, the subscribers, the runner and the log.
  ///
  /// - Parameter snapshot: returns the session after the step for a channel.
  func announce(
    _ entry: JournalEntry, of next: StoredSession, after session: StoredSession, _ navigation: LiveNavigation,
    _ snapshot: (EventChannel) -> Snapshot
  ) {
    metrics.count(entry.kind, entry.name, of: next.app)
    if let channel = channels.channel(of: next.key) { channel.advance(to: snapshot(channel)) }
    if entry.seed != 0 { runner.workRequested() }
    if navigation.state.environment.hasStep { reportFaults(of: navigation.state, in: next.key, navigation.app) }
    releaseEvents(of: next, after: session, in: navigation.app, navigation.state)
  }

  /// Returns the session, unless it has expired and only awaits the next sweep.
  private func unexpired(_ session: StoredSession) throws(SessionError) -> StoredSession {
    let now = clock.now()
    if now < session.expiresAt { return session }
    throw now < session.expiresAt + settings.tombstoneLifetime ? .expired(session) : .unknownSession
  }

  /// Returns `unknownSession` after a dummy lookup, so that the response time does not reveal whether the session
  /// exists.
  ///
  /// A store that is not shared finds most existing sessions in memory, but searches the disk for unknown ones.
  private func unknownAfterDummyLookup() async throws(SessionError) -> SessionError {
    if !store.isShared { _ = try await lookUp(SessionKey(.random())) }
    return .unknownSession
  }
}
