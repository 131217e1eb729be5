internal import CPostgreSQL
public import CoreMetrics
internal import Glibc
public import Sessions

/// Sessions in a PostgreSQL database, which any number of processes serve at once. Each writes with a compare-and-set on a
/// session's version, and holds no lock between two statements.
public final class PostgreSQLStore: SessionStore {
  public let isShared = true

  private let cache: SessionCache
  private let pool: PostgreSQLPool
  private let quota: SessionQuota
  private let endedLimit: Int
  private let listening: PostgreSQLChanges

  /// Connects, and brings the tables up to date. A server that is not up yet is waited for.
  ///
  /// - Parameters:
  ///   - location: a URI as libpq takes it (PostgreSQL manual, section 34.1.1).
  ///   - limits: where the sessions that live at once are limited, those of other processes are counted with each sweep.
  ///   - patience: how long to wait for the server.
  ///   - isWanted: asked again and again while the server is waited for; false ends that.
  ///   - log: gets a sentence for the operator where something goes wrong, from any thread.
  /// - Throws: why the database is not to be had.
  public init(
    _ location: String, limits: StoreLimits = StoreLimits(), patience: Duration = .seconds(30),
    while isWanted: () -> Bool = { true }, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreOpeningError) {
    cache = SessionCache(limit: limits.cachedSessions)
    endedLimit = limits.endedSessions
    pool = PostgreSQLPool(location, metrics: metrics, log: log)
    listening = PostgreSQLChanges(location)
    let count = try Self.prepare(
      location, counting: limits.sessions != nil, by: .now + patience, while: isWanted, log: log)
    quota = SessionQuota(limit: limits.sessions, count: count)
    pool.start()
  }

  /// Finishes what was asked for, and blocks meanwhile; afterwards every call throws.
  public func close() {
    listening.stop()
    pool.stop()
  }

  /// Makes the tables ready; the number of sessions if it is wanted.
  private static func prepare(
    _ location: String, counting: Bool, by deadline: Deadline, while isWanted: () -> Bool,
    log: (String) -> Void
  ) throws(StoreOpeningError) -> Int {
    try requireLocation(location)
    var isLogged = false
    while true {
      do {
        let connection = try PostgreSQLConnection(location, deadline: deadline)
        try PostgreSQLSchema.migrate(connection, deadline: deadline)
        return counting ? try connection.countSessions(deadline) : 0
      } catch let error as StoreOpeningError {
        throw error
      } catch {
        let sentence = (error as? PostgreSQLError)?.sentence ?? "\(error)"
        // Only a server that is not there yet, or about to be, is worth waiting for; a pooler may say so in its place.
        let isFinal =
          sentence.hasPrefix("invalid ")
          || sentence.contains("FATAL:") && !sentence.contains("the database system is")
            && !sentence.contains("server login")
        var isRefused = false
        if case .refused = error as? PostgreSQLError { isRefused = true }
        guard !isFinal, !isRefused, !deadline.hasPassed, isWanted() else {
          throw StoreOpeningError("The database cannot be used: \(sentence)")
        }
        if !isLogged { log("The database is waited for: \(sentence)") }
        isLogged = true
        usleep(200_000)
      }
    }
  }

  /// Throws where the library does not understand the address.
  private static func requireLocation(_ location: String) throws(StoreOpeningError) {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(location, &message) else {
      let sentence = message.map { PostgreSQLError.sentence(String(cString: $0)) } ?? "no reason given"
      PQfreemem(message)
      throw StoreOpeningError("The address of the database is wrong: \(PostgreSQLLocation.parsing(sentence))")
    }
    PQconninfoFree(options)
  }

  // MARK: - Sessions

  public func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool {
    try quota.claim()
    var isNew = false
    defer { if !isNew { quota.giveBack(1) } }
    let request = outcome.map { PostgreSQLRequest.insertOnce(session, $0) } ?? .insert(session)
    isNew = try await rows(request) == 1
    if isNew { cache.keep(session) }
    return isNew
  }

  public func load(_ key: SessionKey, _ reading: Reading) async throws(StoreError) -> SessionLookup {
    let known = cache.session(key)
    if reading == .recent, let known { return .live(known) }
    let changes = cache.changes(around: key)
    guard case .session(let found) = try await pool.answer(.load(key, known: known)) else { return .unknown }
    if case .live(let session) = found {
      cache.keep(read: session, since: changes)
    } else {
      cache.drop(key)
    }
    return found
  }

  public func replace(_ session: StoredSession, with next: StoredSession) async throws(StoreError) -> Bool {
    do throws(StoreError) {
      let wasReplaced = try await rows(.replace(version: session.version, next: next)) == 1
      if wasReplaced { cache.keep(next) } else { cache.drop(session.key) }
      return wasReplaced
    } catch {
      cache.drop(session.key)
      throw error
    }
  }

  public func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool {
    let wasLive = try await rows(.delete(session, forgetAt: forgetAt)) == 1
    cache.drop(session.key)
    if wasLive { quota.giveBack(1) }
    return wasLive
  }

  public func creation(for key: IdempotencyDigest) async throws(StoreError) -> CreationLookup {
    guard case .creation(let found) = try await pool.answer(.creation(key)) else { return .unknown }
    return found
  }

  public func list(before cursor: SessionCursor, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await sessions(.list(before: cursor, limit: limit))
  }

  public func list(numbered: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await sessions(.listNumbered(numbered, limit: limit))
  }

  private func sessions(_ request: PostgreSQLRequest) async throws(StoreError) -> [ListedSession] {
    guard case .sessions(let sessions) = try await pool.answer(request) else { return [] }
    return sessions
  }

  public func count() async throws(StoreError) -> SessionCount {
    SessionCount(stored: try await rows(.count), live: cache.count)
  }

  public func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int {
    try await rows(.countOwned(owner, limit: limit))
  }

  public func sweep(now: Timestamp, tombstoneLifetime: Int64) async throws(StoreError) {
    while try await rows(.endExpired(now: now, tombstoneLifetime: tombstoneLifetime)) == Sweeping.rowLimit {}
    cache.dropExpired(at: now)
    let surplus = try await rows(.lastSurplus(beyond: endedLimit))
    let moment = max(now, Timestamp(milliseconds: Int64(surplus)))
    while try await rows(.forgetSessions(now: moment)) == Sweeping.rowLimit {}
    while try await rows(.forgetCreations(now: now)) == Sweeping.rowLimit {}
    while try await rows(.forgetWatches(now: now)) == Sweeping.rowLimit {}
    if quota.limit != nil { quota.set(try await rows(.count)) }
  }

  public func checkReady() async throws(StoreError) {
    _ = try await rows(.check)
  }

  // MARK: - Watching

  public var changes: AsyncStream<SessionChange> { listening.stream }

  public func watch(_ keys: [SessionKey], until: Timestamp) async throws(StoreError) {
    listening.start()
    _ = try await rows(.watch(keys, until: until))
  }

  private func rows(_ request: PostgreSQLRequest) async throws(StoreError) -> Int {
    guard case .rows(let count) = try await pool.answer(request) else { return 0 }
    return count
  }
}
