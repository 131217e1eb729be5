public import CoreMetrics
public import Sessions
public import Values

/// A store in one file on this machine, which only this process writes. Acknowledged writes are durable.
///
/// The most recently used sessions are cached in memory; the others are read from the file on demand.
public final class SQLiteStore: SessionStore {
  public let isShared = false

  private let cache: SessionCache
  let reader: SQLiteReader
  let writer: SQLiteWriter
  private let quota: SessionQuota
  private let tombstoneLimit: Int

  /// Opens the session file, and creates it if it does not exist.
  ///
  /// The time does not depend on the number of sessions, unless the file has to be migrated or ``StoreLimits/sessions``
  /// is set.
  ///
  /// - Parameters:
  ///   - path: the path of the file. While it is open, the files with the suffixes `-wal` and `-shm` belong to it.
  ///   - limits: if ``StoreLimits/sessions`` is set, the sessions are counted now.
  ///   - pageLimit: the number of 4 KiB pages at which the disk counts as full, or nil for no limit.
  ///   - log: receives messages for the operator, from any thread.
  /// - Throws: ``StoreOpeningError`` if the file cannot be opened. Its content is unchanged.
  public init(
    path: String, durability: StoreLocation.Durability = .full, limits: StoreLimits = StoreLimits(),
    pageLimit: Int? = nil,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance, log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreOpeningError) {
    let file = try SQLiteFile(
      path: path, durability: durability, readers: SQLiteReader.threadCount, pageLimit: pageLimit)
    cache = SessionCache(limit: limits.cachedSessions)
    tombstoneLimit = limits.tombstones
    reader = SQLiteReader(file)
    writer = SQLiteWriter(file, cache: cache, metrics: metrics, log: log)
    quota = SessionQuota(limit: limits.sessions, count: limits.sessions == nil ? 0 : try file.countSessions())
    reader.start()
    writer.start()
  }

  /// Finishes all pending work, moves SQLite's log into the file, and closes it. Blocks meanwhile; later calls throw.
  public func close() {
    reader.stop()
    writer.stop()
  }

  public func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool {
    try quota.reserve()
    var isNew = false
    defer { if !isNew { quota.release(1) } }
    isNew = try await writer.write { try $0.insert(session, outcome) }
    return isNew
  }

  public func loadFromMemory(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup? {
    cache.session(key).map { .live($0) }
  }

  public func load(_ key: SessionKey) async throws(StoreError) -> SessionLookup {
    if let cached = cache.session(key) { return .live(cached) }
    let generation = cache.generation(for: key)
    let found = try await reader.read { try $0.session(key) }
    if case .live(let session) = found { cache.insert(read: session, since: generation) }
    return found
  }

  /// Reads the sessions that are not in memory in one transaction.
  public func loadTogether(_ keys: [SessionKey]) async -> [StoredSession?] {
    let cached = keys.map { cache.session($0) }
    let missing = zip(keys, cached).compactMap { key, session in session == nil ? key : nil }
    guard missing.count > 1, var read = try? await reader.read({ try $0.sessions(missing) })[...] else { return cached }
    return cached.map { $0 ?? read.removeFirst() }
  }

  public func replace(
    _ session: StoredSession, with next: StoredSession,
    then completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    writer.write({ try $0.replace(session, with: next) }, then: completion)
  }

  public func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool {
    let wasLive = try await writer.write { try $0.delete(session, forgetAt: forgetAt) }
    if wasLive { quota.release(1) }
    return wasLive
  }

  public func creation(for key: IdempotencyDigest) async throws(StoreError) -> CreationLookup {
    try await reader.read { connection in
      try connection.first("SELECT content, expires_at FROM creation WHERE key = ?", [.bytes(key.bytes)]) { row in
        try CreationLookup(key: key, content: try row.bytes(0), expiresAt: try row.time(1))
      } ?? .unknown
    }
  }

  public func list(_ sessions: SessionList, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await reader.read { connection in
      switch sessions {
      case .before(let cursor):
        try connection.sessions(
          where: "(created_at, number) < (?, ?) ORDER BY created_at DESC, number DESC",
          [cursor.createdAt.binding, .integer(cursor.number)], limit: limit)
      case .numbered(let numbers):
        try connection.sessions(
          where: "number BETWEEN ? AND ? ORDER BY number",
          [.integer(numbers.lowerBound), .integer(numbers.upperBound)], limit: limit)
      }
    }
  }

  public func count() async throws(StoreError) -> SessionCount {
    SessionCount(stored: try await reader.read { Int(try $0.number(SQLiteFile.count) ?? 0) }, live: cache.count)
  }

  public func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int {
    try await reader.read { connection in
      Int(
        try connection.number(
          "SELECT count(*) FROM (SELECT 1 FROM session WHERE NOT ended AND owner = ? LIMIT ?)", .bytes(owner.bytes),
          .integer(Int64(limit))) ?? 0)
    }
  }

  public func endSessions(of group: SessionGroup, forgetAt: Timestamp) async throws(StoreError) -> [SessionKey] {
    let ended = try await writer.write { batch in
      switch group {
      case .owner(let owner):
        // Also the detached effects of sessions that have ended.
        try batch.connection.run("DELETE FROM work WHERE owner = ?", .bytes(owner.bytes))
        return try batch.endSessions(
          where: "owner = ? AND owner IS NOT NULL AND NOT ended", .bytes(owner.bytes), forgetAt)
      case .definition(let digest):
        return try batch.endSessions(
          where: "NOT ended AND definition IS NOT NULL AND definition = ?", .bytes(digest.bytes), forgetAt)
      }
    }
    quota.release(ended.count)
    return ended
  }

  public func purge() async throws(StoreError) { try await writer.write({ _ in }, as: .purge) }

  public func sweep(now: Timestamp, tombstoneLifetime: Int64) async throws(StoreError) {
    var ended = StoreLimits.sweepBatch
    while ended == StoreLimits.sweepBatch {
      ended = try await apply(.endExpired(now: now, tombstoneLifetime: tombstoneLifetime))
      quota.release(ended)
    }
    cache.removeExpired(at: now)
    // The time when all tombstones in excess of the limit are due, if there are any.
    let excess = try await reader.read { [tombstoneLimit] connection in
      try connection.number(
        "SELECT expires_at FROM session WHERE ended = 1 ORDER BY expires_at DESC LIMIT 1 OFFSET ?",
        .integer(Int64(tombstoneLimit)))
    }
    let due = max(now, excess.map { Timestamp(milliseconds: $0) } ?? now)
    while try await apply(.removeTombstones(now: due)) == StoreLimits.sweepBatch {}
    let changes: [StaticString] = [
      "DELETE FROM creation WHERE key IN (SELECT key FROM creation WHERE expires_at <= ? LIMIT ?)",
      """
      UPDATE signal SET held_until = NULL, event = NULL
      WHERE (key, delivery) IN (SELECT key, delivery FROM signal WHERE held_until <= ? LIMIT ?)
      """,
      "DELETE FROM signal WHERE (key, delivery) IN (SELECT key, delivery FROM signal WHERE forget_at <= ? LIMIT ?)",
    ]
    for change in changes {
      let changeBatch = { @Sendable (batch: SQLiteBatch) in
        try batch.connection.run(change, now.binding, .integer(Int64(StoreLimits.sweepBatch)))
      }
      while try await writer.write(changeBatch) == StoreLimits.sweepBatch {}
    }
  }

  private func apply(_ sweep: SQLiteSweep) async throws(StoreError) -> Int {
    try await writer.write({ try $0.apply(sweep) }, rowByRow: { try $0.applyRowByRow(sweep, after: $1) })
  }

  public func secret() async throws(StoreError) -> [UInt8] {
    if let secret = try await storedSecret() { return secret }
    let new = [UInt8].randomSecret()
    try await writer.write { batch in
      try batch.connection.run("INSERT OR IGNORE INTO secret (id, value) VALUES (1, ?)", .bytes(new))
      batch.mustBeDurable = true
    }
    return try await storedSecret() ?? new
  }

  private func storedSecret() async throws(StoreError) -> [UInt8]? {
    try await reader.read { try $0.first("SELECT value FROM secret WHERE id = 1") { try $0.bytes(0) } }
  }

  /// Writes without changing anything, to check that the file can be written.
  public func checkReady() async throws(StoreError) {
    try await writer.write { try $0.connection.execute("PRAGMA user_version = \(SQLiteSchema.steps.count)") }
  }
}
