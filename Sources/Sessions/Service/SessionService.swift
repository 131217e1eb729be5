public import Navigation
internal import Values

/// The life of sessions: create, view, act, end and expire. It keeps nothing between two calls: the store has it all.
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

    public init() {}
  }

  /// The hosted apps, in the order in which they are listed.
  public let apps: [AppDefinition]
  public let store: any SessionStore
  public let settings: Settings
  let clock: TimeSource
  private let appsByName: [String: AppDefinition]

  public init(
    apps: [AppDefinition], store: any SessionStore, settings: Settings = Settings(), clock: TimeSource = .system
  ) {
    self.apps = apps
    self.store = store
    self.settings = settings
    self.clock = clock
    appsByName = Dictionary(apps.map { ($0.name, $0) }) { first, _ in first }
  }

  public func app(named name: String) -> AppDefinition? { appsByName[name] }

  /// The session as it is.
  public func snapshot(_ id: SessionID) throws(SessionError) -> Snapshot {
    try snapshot(id, of: try load(SessionKey(id)))
  }

  /// Ends a session; what the store keeps of it is that it is gone.
  public func delete(_ id: SessionID) throws(SessionError) {
    let key = SessionKey(id)
    _ = try load(key)
    _ = try storing { () throws(StoreError) in
      try store.delete(key, forgetAt: clock.now() + settings.memoryOfEnded)
    }
  }

  /// The journal after a revision, oldest first.
  public func history(_ id: SessionID, after revision: UInt64, limit: Int) throws(SessionError) -> [JournalEntry] {
    let key = SessionKey(id)
    _ = try load(key)
    return try storing { () throws(StoreError) in try store.journal(of: key, after: revision, limit: limit) }
  }

  /// Drops what is over; to be called now and then.
  public func sweep() throws(SessionError) {
    try storing { () throws(StoreError) in try store.sweep(now: clock.now(), memory: settings.memoryOfEnded) }
  }

  /// The record of a session that is alive.
  func load(_ key: SessionKey) throws(SessionError) -> SessionRecord {
    switch try storing({ () throws(StoreError) in try store.load(key) }) {
    case .unknown: throw .unknownSession
    case .gone: throw .expired
    case .live(let record):
      let now = clock.now()
      if now < record.expiresAt { return record }
      // Not swept yet, but over all the same.
      throw now < record.expiresAt + settings.memoryOfEnded ? .expired : .unknownSession
    }
  }

  func snapshot(_ id: SessionID, of record: SessionRecord) throws(SessionError) -> Snapshot {
    try snapshot(id, record, try navigation(of: record))
  }

  func snapshot(
    _ id: SessionID, _ record: SessionRecord, _ navigation: LiveNavigation
  ) throws(SessionError) -> Snapshot {
    do throws(Rejection) {
      return try Snapshot(id: id, record: record, navigation: navigation)
    } catch {
      throw .rejected(error, nil)
    }
  }

  func navigation(of record: SessionRecord) throws(SessionError) -> LiveNavigation {
    switch record.navigation {
    case .live(let navigation): return navigation
    case .packed(let packed):
      guard let app = appsByName[record.app] else { throw .unknownApp(hosted: apps.map(\.name)) }
      do throws(PackingError) {
        return LiveNavigation(app: app, state: try app.unpack(packed))
      } catch {
        throw .rejected(.unreadable(error), nil)
      }
    }
  }

  func storing<R>(_ body: () throws(StoreError) -> R) throws(SessionError) -> R {
    do throws(StoreError) {
      return try body()
    } catch {
      throw .store(error)
    }
  }
}
