public import CoreMetrics
public import Navigation
internal import Values

/// The life of sessions: create, view, act, end and expire. It keeps nothing of them between two calls, but for who follows
/// which: the store has it all.
public final class SessionService: Sendable {
  public struct Settings: Sendable {
    /// Seconds that a session lives unless its creator asks for another time.
    public var timeToLive: Int64 = 86_400
    /// The seconds that a creator may ask for: a second to 30 days.
    public var allowedTimeToLive: ClosedRange<Int64> = 1...2_592_000
    /// Seconds that a session that has ended is remembered as such.
    public var memoryOfEnded: Int64 = 86_400
    /// Seconds that the outcome of a request with an idempotency key is replayed.
    public var memoryOfOutcomes: Int64 = 86_400
    /// Entries kept of each session's journal, at least 16; no more than the last 16 where they come to more than 64 KiB.
    public var journalLimit = 64
    /// Bytes that a session's state may have where it is stored.
    public var stateLimit = 1 << 20
    /// Sessions that somebody may have at once, about: those that are made at the same moment may be a few more. Nil for no limit.
    public var ownerLimit: Int?
    /// Seconds that an offer to hand a session over is good for.
    public var offerTime: Int64 = 600

    public init() {}
  }

  /// The hosted apps, in the order in which they are listed.
  public let apps: [AppDefinition]
  public let store: any SessionStore
  public let settings: Settings
  let clock: TimeSource
  let feed = SessionFeed()
  let metrics: SessionMetrics
  private let appsByName: [String: AppDefinition]

  public init(
    apps: [AppDefinition], store: any SessionStore, settings: Settings = Settings(), clock: TimeSource = .system,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) {
    self.apps = apps
    self.store = store
    self.settings = settings
    self.clock = clock
    self.metrics = SessionMetrics(apps, metrics)
    appsByName = Dictionary(apps.map { ($0.name, $0) }) { first, _ in first }
  }

  public func app(named name: String) -> AppDefinition? { appsByName[name] }

  /// The session as it is.
  ///
  /// - Parameter owner: who asks: a session that belongs to somebody is unknown to everybody else. Nil for nobody in particular.
  public func snapshot(_ id: SessionID, by owner: SessionOwner? = nil) async throws(SessionError) -> Snapshot {
    try snapshot(id, of: try await load(id, by: owner, .current))
  }

  /// Ends a session; what the store keeps of it is that it is gone.
  public func delete(
    _ id: SessionID, by owner: SessionOwner? = nil, at revision: UInt64? = nil
  ) async throws(SessionError) {
    var session = try await load(id, by: owner, .current)
    while true {
      guard session.writeAccess.allows(id) else { throw .readOnly(try snapshot(id, of: session)) }
      guard revision == nil || revision == session.revision else { throw .stale(try snapshot(id, of: session)) }
      let (current, forgetAt) = (session, clock.now() + settings.memoryOfEnded)
      let wasEnded = try await storing(.delete) { () throws(StoreError) in
        try await store.delete(current, forgetAt: forgetAt)
      }
      if wasEnded { break }
      do throws(SessionError) {
        session = try await load(id, by: owner, .current)
      } catch .expired {
        // Ended meanwhile, by this request or another.
        break
      }
    }
    feed.end(session.key, .deleted)
  }

  /// The journal after a revision, oldest first and without what was typed into secret fields.
  public func history(
    _ id: SessionID, by owner: SessionOwner? = nil, after revision: UInt64, limit: Int
  ) async throws(SessionError) -> [JournalEntry] {
    let session = try await load(id, by: owner, .current)
    return session.journal.entries(after: revision, limit: limit, keeping: settings.journalLimit)
      .hidingSecrets(of: app(named: session.app))
  }

  /// Drops what is over; to be called now and then.
  public func sweep() async throws(SessionError) {
    try await storing(.sweep) { () throws(StoreError) in
      try await store.sweep(now: clock.now(), memory: settings.memoryOfEnded)
    }
  }

  /// How many sessions there are, as far as it can be said.
  public func count() async throws(SessionError) -> SessionCount {
    try await storing(.count) { () throws(StoreError) in try await store.count() }
  }

  /// What the store is asked for; its errors are the service's too.
  func storing<Result>(
    _ operation: StoreOperation, _ body: () async throws(StoreError) -> Result
  ) async throws(SessionError) -> Result {
    do {
      return try await metrics.measuring(operation, body)
    } catch {
      throw .store(error)
    }
  }

  func snapshot(_ id: SessionID, of session: StoredSession) throws(SessionError) -> Snapshot {
    let navigation = try navigation(of: session)
    return Snapshot(id: id, session: session, navigation: navigation, visible: try visible(navigation))
  }

  func visible(_ navigation: LiveNavigation) throws(SessionError) -> VisibleScreen {
    do throws(Rejection) {
      return try navigation.app.view(of: navigation.state)
    } catch {
      throw .rejected(error, nil)
    }
  }

  func navigation(of session: StoredSession) throws(SessionError) -> LiveNavigation {
    switch session.navigation {
    case .live(let navigation): return navigation
    case .packed(let packed):
      guard let app = appsByName[session.app] else {
        throw .outdated(session, "The app \(session.app) is not hosted here.")
      }
      do throws(PackingError) {
        return LiveNavigation(app: app, state: try app.unpack(packed, environment: session.environment))
      } catch {
        if case .cannotBeMigrated = error { throw .outdated(session, error.description) }
        throw .rejected(.unreadable(error), nil)
      }
    }
  }
}
