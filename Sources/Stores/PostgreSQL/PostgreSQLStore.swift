public import CoreMetrics
internal import CPostgreSQL
internal import Foundation
internal import Glibc
public import Navigation
public import Sessions
public import Values

/// A store in a PostgreSQL database, which any number of processes may share. Each process writes with a
/// compare-and-set on the session's version, and holds no lock between statements.
public final class PostgreSQLStore: SessionStore {
  public let isShared = true

  private let location: String
  private let cache: SessionCache
  let pool: PostgreSQLPool
  private let quota: SessionQuota
  private let tombstoneLimit: Int
  private let listener: PostgreSQLChangeListener

  /// Connects to the database, and migrates its tables. Waits for a server that is still starting.
  ///
  /// - Parameters:
  ///   - location: a URI for libpq (PostgreSQL manual, section 34.1.1).
  ///   - limits: if ``StoreLimits/sessions`` is set, each sweep counts the sessions of other processes as well.
  ///   - timeout: the maximum time to wait for the server.
  ///   - shouldWait: polled while the store waits for the server; return false to stop waiting.
  ///   - log: receives messages for the operator, from any thread.
  /// - Throws: ``StoreOpeningError`` if the database cannot be used.
  public init(
    _ location: String, limits: StoreLimits = StoreLimits(), timeout: Duration = .seconds(30),
    while shouldWait: () -> Bool = { true }, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreOpeningError) {
    self.location = location
    cache = SessionCache(limit: limits.cachedSessions)
    tombstoneLimit = limits.tombstones
    pool = PostgreSQLPool(location, metrics: metrics, log: log)
    listener = PostgreSQLChangeListener(location)
    let count = try Self.prepare(
      location, counting: limits.sessions != nil, by: .now + timeout, while: shouldWait, log: log)
    quota = SessionQuota(limit: limits.sessions, count: count)
    pool.start()
  }

  /// Finishes all pending work, and closes the connections. Blocks meanwhile; later calls throw.
  public func close() {
    listener.stop()
    pool.stop()
  }

  /// Migrates the tables, and returns the number of sessions if `counting` is true.
  private static func prepare(
    _ location: String, counting: Bool, by deadline: Deadline, while shouldWait: () -> Bool,
    log: (String) -> Void
  ) throws(StoreOpeningError) -> Int {
    try requireLocation(location)
    var isLogged = false
    while true {
      do {
        let connection = try PostgreSQLConnection(location, deadline: deadline)
        try PostgreSQLSchema.migrate(connection, deadline: deadline)
        let mode = try connection.run("SHOW synchronous_commit", deadline: deadline)
        if mode[0].text(0) == "off" {
          log(
            "The database has synchronous_commit off: a crash undoes the last answered actions, although their effects "
              + "may have begun. Set it to on.")
        }
        let count = PostgreSQLRequest.count.statement
        return counting ? try connection.run([count], deadline: deadline)[0][0].number(0) : 0
      } catch let error as StoreOpeningError {
        throw error
      } catch {
        let failure = error as? PostgreSQLError
        let message = failure?.message ?? "\(error)"
        // Wait only for a server that is still starting. A pooler in front of such a server reports "server login".
        let isFinal =
          message.hasPrefix("invalid ")
          || message.contains("FATAL:") && !message.contains("the database system is")
            && !message.contains("server login")
        guard !isFinal, failure?.state == nil, !deadline.hasPassed, shouldWait() else {
          throw StoreOpeningError("The database cannot be used: \(message)")
        }
        if !isLogged { log("Waiting for the database: \(message)") }
        isLogged = true
        usleep(200_000)
      }
    }
  }

  /// Loads libpq, and throws if libpq is missing or cannot parse the location.
  private static func requireLocation(_ location: String) throws(StoreOpeningError) {
    if let fault = cpostgresql_load() {
      throw StoreOpeningError("libpq cannot be loaded: \(String(cString: fault)). Install the package libpq5.")
    }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(location, &message) else {
      let reason = message.map { PostgreSQLError.singleLine(String(cString: $0)) } ?? "no reason given"
      PQfreemem(message)
      throw StoreOpeningError(
        "The location of the database is invalid: \(PostgreSQLRedaction.redacted(parserMessage: reason))")
    }
    PQconninfoFree(options)
  }

  // MARK: - Sessions

  public func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool {
    try quota.reserve()
    var isNew = false
    defer { if !isNew { quota.release(1) } }
    isNew = try await rows(.insert(session, outcome)) == 1
    if isNew { cache.insert(written: session) }
    return isNew
  }

  public func loadFromMemory(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup? {
    freshness == .recent ? cache.session(key).map { .live($0) } : nil
  }

  public func load(_ key: SessionKey) async throws(StoreError) -> SessionLookup {
    let cached = cache.session(key)
    let generation = cache.generation(for: key)
    let found = try await pool.answer(.load(key, cached: cached)) { answer throws(ValueError) in
      try answer.rows.first?.lookup(of: key, cached) ?? .unknown
    }
    if case .live(let session) = found {
      cache.insert(read: session, since: generation)
    } else {
      cache.remove(key)
    }
    return found
  }

  public func loadTogether(_ keys: [SessionKey]) async -> [StoredSession?] {
    guard keys.count > 1, let found = try? await sessions(.loadTogether(keys)) else { return keys.map { _ in nil } }
    let sessions = Dictionary(found.map { ($0.key, $0.session) }) { first, _ in first }
    return keys.map { sessions[$0] ?? nil }
  }

  public func replace(
    _ session: StoredSession, with next: StoredSession,
    then completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    pool.answer(.replace(session, next: next), by: { $0.changed == 1 }) { [cache] wasReplaced in
      if wasReplaced == .success(true) { cache.update(written: next) } else { cache.remove(session.key) }
      completion(wasReplaced)
    }
  }

  public func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool {
    let wasLive = try await rows(.delete(session, forgetAt: forgetAt)) == 1
    cache.remove(session.key)
    if wasLive { quota.release(1) }
    return wasLive
  }

  public func creation(for key: IdempotencyDigest) async throws(StoreError) -> CreationLookup {
    let sql = "SELECT content, expires_at FROM usher_creation WHERE key = $1"
    return try await pool.answer(.init(.lookUp, sql, .bytes(key.bytes))) { answer throws(ValueError) in
      guard let row = answer.rows.first else { return .unknown }
      return try CreationLookup(key: key, content: row.bytes(0), expiresAt: row.time(1))
    }
  }

  public func list(_ list: SessionList, limit: Int) async throws(StoreError) -> [ListedSession] {
    let (condition, first, second) =
      switch list {
      case .before(let cursor):
        (
          "(created_at, number) < ($1, $2) ORDER BY created_at DESC, number DESC", cursor.createdAt.milliseconds,
          cursor.number
        )
      case .numbered(let numbers): ("number BETWEEN $1 AND $2 ORDER BY number", numbers.lowerBound, numbers.upperBound)
      }
    return try await sessions(
      .init(
        .scan, "\(PostgreSQLRequest.listing) \(condition) LIMIT $3", .integer(first), .integer(second),
        .integer(Int64(limit))))
  }

  private func sessions(_ request: PostgreSQLRequest) async throws(StoreError) -> [ListedSession] {
    try await pool.answer(request) { $0.rows.compactMap(\.listedSession) }
  }

  public func count() async throws(StoreError) -> SessionCount {
    SessionCount(stored: try await number(.count), live: cache.count)
  }

  public func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int {
    try await number(
      .init(
        .scan,
        """
        SELECT count(*) FROM (
          SELECT FROM usher_session WHERE NOT ended AND owner <> '' AND owner = $1 LIMIT $2) AS owned
        """, .bytes(owner.bytes), .integer(Int64(limit))))
  }

  public func endSessions(of group: SessionGroup, forgetAt: Timestamp) async throws(StoreError) -> [SessionKey] {
    let (sql, user) =
      switch group {
      case .owner(let owner): (PostgreSQLRequest.endingOwned, owner.bytes)
      case .definition(let digest): (PostgreSQLRequest.endingDefined, digest.bytes)
      }
    let request = PostgreSQLRequest(.bulkWrite, sql, .bytes(user), .integer(forgetAt.milliseconds))
    let keys = try await pool.answer(request) { $0.rows.compactMap { SessionKey(bytes: $0.bytes(0)) } }
    for key in keys { cache.remove(key) }
    quota.release(keys.count)
    return keys
  }

  public func purge() async throws(StoreError) {
    let purge = PostgreSQLPurge(location: location)
    try await awaitAnswer { completion in
      Thread.start("usher.purge") { completion(Result { () throws(StoreError) in try purge.run() }) }
    }
  }

  public func sweep(now: Timestamp, tombstoneLifetime: Int64) async throws(StoreError) {
    let end = PostgreSQLRequest(
      .bulkWrite, PostgreSQLRequest.endingExpired, .integer(now.milliseconds), .integer(tombstoneLifetime * 1000))
    while try await rows(end) == StoreLimits.sweepBatch {}
    cache.removeExpired(at: now)
    let excess = "SELECT expires_at FROM usher_session WHERE ended ORDER BY expires_at DESC OFFSET $1 LIMIT 1"
    let due = try await pool.answer(.init(.scan, excess, .integer(Int64(tombstoneLimit)))) { answer in
      max(now, answer.rows.first?.time(0) ?? now)
    }
    let removals = [
      (PostgreSQLRequest.removingTombstones, due), (PostgreSQLRequest.removingCreations, now),
      (PostgreSQLRequest.removingWatches, now),
    ].map { PostgreSQLRequest(.bulkWrite, $0, .integer($1.milliseconds)) }
    for removal in removals + [.releaseSignals, .removeSignals] {
      while try await rows(removal) == StoreLimits.sweepBatch {}
    }
    if quota.limit != nil { quota.set(try await number(.count)) }
  }

  public func checkReady() async throws(StoreError) {
    // Takes a write's locks without changing a row. The server refuses that if it is read-only, and delays it while
    // another client has locked the table.
    _ = try await rows(.init(.check, "UPDATE usher_session SET version = version WHERE false"))
  }

  // MARK: - Work

  public func claimWork(_ search: WorkSearch) async throws(StoreError) -> [ClaimedWork] {
    try await pool.answer(.claim(search)) { $0.rows.compactMap(\.claimedWork) }
  }

  public func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool {
    try await rows(.renew(lease, work)) == 1
  }

  public func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool {
    try await rows(.report(report, work)) == 1
  }

  public func discard(_ work: ClaimedWork) async throws(StoreError) { _ = try await rows(.discard(work)) }

  public func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) async throws(StoreError) -> WorkDelivery {
    try await pool.answer(.deliver(signal, work, session)) { $0.rows.first?.workDelivery ?? .missing }
  }

  public func deliver(_ signal: KeyedSignal, at now: Timestamp) async throws(StoreError) -> KeyedDelivery {
    // In a transaction of its own, so that work that begins to wait finds the signal unless the delivery finds the work.
    if signal.hold != nil { _ = try await rows(.hold(signal)) }
    let delivery = try await pool.answer(.deliverKeyed(signal)) { $0.rows[0].keyedDelivery }
    if signal.hold != nil, delivery == .full || delivery == .tooMany { _ = try await rows(.unhold(signal)) }
    return delivery
  }

  public func heldSignals(for key: SignalKey, at now: Timestamp) async throws(StoreError) -> [QueuedSignal] {
    try await pool.answer(.heldSignals(key)) { $0.rows.map { QueuedSignal($0) } }
  }

  public func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) async throws(StoreError) {
    _ = try await rows(.settle(work, adding: held))
  }

  public func work(of session: SessionKey) async throws(StoreError) -> [WorkStatus] {
    try await pool.answer(.work(session)) { $0.rows.map { WorkStatus($0) } }
  }

  public func retry(
    _ work: WorkID, of session: SessionKey, with event: [UInt8]?, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await rows(.retry(work, session, event)) == 1
  }

  public func secret() async throws(StoreError) -> [UInt8] {
    if let secret = try await storedSecret() { return secret }
    let new = [UInt8].randomSecret()
    _ = try await rows(.init(.write, "INSERT INTO usher_secret VALUES (1, $1) ON CONFLICT DO NOTHING", .bytes(new)))
    return try await storedSecret() ?? new
  }

  private func storedSecret() async throws(StoreError) -> [UInt8]? {
    try await pool.answer(.init(.scan, "SELECT value FROM usher_secret WHERE id = 1")) { $0.rows.first?.bytes(0) }
  }

  public func countWork() async throws(StoreError) -> WorkCount {
    try await pool.answer(.countWork) { WorkCount($0.rows[0]) }
  }

  // MARK: - Watching

  public var changes: AsyncStream<SessionChange> { listener.changes }

  public func watch(_ keys: [SessionKey], until: Timestamp) async throws(StoreError) {
    listener.start()
    _ = try await rows(.watch(keys, until: until))
  }

  /// Sends a request, and returns the number of rows that it has changed.
  func rows(_ request: PostgreSQLRequest) async throws(StoreError) -> Int {
    try await pool.answer(request) { $0.changed }
  }

  /// Sends a request, and returns the number in its only row.
  private func number(_ request: PostgreSQLRequest) async throws(StoreError) -> Int {
    try await pool.answer(request) { $0.rows[0].number(0) }
  }
}
