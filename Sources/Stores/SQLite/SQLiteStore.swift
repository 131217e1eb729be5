public import CoreMetrics
public import Sessions

/// Sessions in one file of this machine, which this process alone writes. What was answered lasts.
///
/// The sessions that were used last are in memory as well; all others are read when they are asked for.
public final class SQLiteStore: SessionStore {
  public let isShared = false

  private let cache: SessionCache
  private let reader: SQLiteReader
  private let writer: SQLiteWriter
  private let quota: SessionQuota
  private let endedLimit: Int

  /// Opens the file, or makes it. That takes no longer for many sessions, unless the file is of an earlier version.
  ///
  /// - Parameters:
  ///   - path: of the file; beside it lie `-wal` and `-shm` while it is open, which belong to it.
  ///   - limits: where the sessions that live at once are limited, they are counted now.
  ///   - pageLimit: pages of 4 KiB that the file may grow to, as if the disk were full then; nil for no limit.
  ///   - log: gets a sentence for the operator where something goes wrong, from any thread.
  /// - Throws: why the file is not to be had. It is then as it was.
  public init(
    path: String, durability: StoreLocation.Durability = .full, limits: StoreLimits = StoreLimits(),
    pageLimit: Int? = nil,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance, log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreOpeningError) {
    let file = try SQLiteFile(path: path, durability: durability, readers: SQLiteReader.threads, pageLimit: pageLimit)
    cache = SessionCache(limit: limits.cachedSessions)
    endedLimit = limits.endedSessions
    reader = SQLiteReader(file)
    writer = SQLiteWriter(file, cache: cache, metrics: metrics, log: log)
    quota = SessionQuota(limit: limits.sessions, count: limits.sessions == nil ? 0 : try file.countSessions())
    reader.start()
    writer.start()
  }

  /// Finishes what was asked for, moves all of it into the file, and closes it. It blocks meanwhile; afterwards every call throws.
  public func close() {
    reader.stop()
    writer.stop()
  }

  public func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool {
    try quota.claim()
    var isNew = false
    defer { if !isNew { quota.giveBack(1) } }
    isNew = try await writer.write(.insert(session, outcome)) == 1
    return isNew
  }

  public func load(_ key: SessionKey, _ reading: Reading) async throws(StoreError) -> SessionLookup {
    if let session = cache.session(key) { return .live(session) }
    let changes = cache.changes(around: key)
    let found = try await reader.session(key)
    if case .live(let session) = found { cache.keep(read: session, since: changes) }
    return found
  }

  public func replace(_ session: StoredSession, with next: StoredSession) async throws(StoreError) -> Bool {
    try await writer.write(.replace(version: session.version, next: next)) == 1
  }

  public func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool {
    let wasLive = try await writer.write(.delete(session, forgetAt: forgetAt)) == 1
    if wasLive { quota.giveBack(1) }
    return wasLive
  }

  public func creation(for key: IdempotencyDigest) async throws(StoreError) -> CreationLookup {
    try await reader.creation(key)
  }

  public func list(before cursor: SessionCursor, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await reader.list(before: cursor, limit: limit)
  }

  public func list(numbered: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await reader.list(numbered: numbered, limit: limit)
  }

  public func count() async throws(StoreError) -> SessionCount {
    SessionCount(stored: try await reader.count(), live: cache.count)
  }

  public func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int {
    try await reader.count(of: owner, upTo: limit)
  }

  public func sweep(now: Timestamp, tombstoneLifetime: Int64) async throws(StoreError) {
    var ended = Sweeping.rowLimit
    while ended == Sweeping.rowLimit {
      ended = try await writer.write(.endExpired(now: now, tombstoneLifetime: tombstoneLifetime))
      quota.giveBack(ended)
    }
    cache.dropExpired(at: now)
    let moment = max(now, try await reader.lastSurplus(beyond: endedLimit) ?? now)
    while try await writer.write(.forgetSessions(now: moment)) == Sweeping.rowLimit {}
    while try await writer.write(.forgetCreations(now: now)) == Sweeping.rowLimit {}
  }

  public func checkReady() async throws(StoreError) { _ = try await writer.write(.probe) }
}
