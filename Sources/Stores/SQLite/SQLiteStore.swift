public import CoreMetrics
public import Navigation
public import Sessions
public import Values

/// A store in one file on this machine, which only this process writes. Acknowledged writes are durable.
///
/// The most recently used sessions are cached in memory; the others are read from the file on demand.
public final class SQLiteStore: SessionStore {
  public let isShared = false

  private let cache: SessionCache
  private let reader: SQLiteReader
  private let writer: SQLiteWriter
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

  public func load(_ key: SessionKey, _ freshness: Freshness) async throws(StoreError) -> SessionLookup {
    if let known = loadFromMemory(key, freshness) { return known }
    let generation = cache.generation(for: key)
    let found = try await reader.session(key)
    if case .live(let session) = found { cache.insert(read: session, since: generation) }
    return found
  }

  /// Reads the sessions that are not in memory in one transaction.
  public func loadTogether(_ keys: [SessionKey]) async -> [StoredSession?] {
    let cached = keys.map { cache.session($0) }
    let missing = zip(keys, cached).compactMap { key, session in session == nil ? key : nil }
    guard missing.count > 1, var read = try? await reader.sessions(missing)[...] else { return cached }
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

  public func endSessions(of owner: SessionOwner, forgetAt: Timestamp) async throws(StoreError) -> [SessionKey] {
    let ended = try await writer.write { try $0.endSessions(of: owner, forgetAt: forgetAt) }
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
    let due = max(now, try await reader.excessTombstonesDue(beyond: tombstoneLimit) ?? now)
    while try await apply(.removeTombstones(now: due)) == StoreLimits.sweepBatch {}
    while try await writer.write({ try $0.removeCreations(at: now) }) == StoreLimits.sweepBatch {}
    while try await writer.write({ try $0.releaseSignals(at: now) }) == StoreLimits.sweepBatch {}
    while try await writer.write({ try $0.removeSignals(at: now) }) == StoreLimits.sweepBatch {}
  }

  private func apply(_ sweep: SQLiteSweep) async throws(StoreError) -> Int {
    try await writer.write({ try $0.apply(sweep) }, rowByRow: { try $0.applyRowByRow(sweep, after: $1) })
  }

  public func claimWork(
    of apps: [String: Int], for places: WorkPlaces, at now: Timestamp, lease: Duration
  ) async throws(StoreError) -> [ClaimedWork] {
    let search = WorkSearch(apps: apps, places: places, now: now, lease: lease)
    return try await writer.write(
      { try $0.claim(search) }, as: .claim, rowByRow: { batch, _ in try batch.claimRowByRow(search) })
  }

  public func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool {
    try await writer.write { try $0.renew(lease, of: work, at: now) }
  }

  public func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool {
    try await writer.write { try $0.report(report, on: work, at: now) }
  }

  public func discard(_ work: ClaimedWork) async throws(StoreError) { try await writer.write { try $0.discard(work) } }

  public func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) async throws(StoreError) -> WorkDelivery {
    try await writer.write { try $0.deliver(signal, to: work, of: session, at: now) }
  }

  public func deliver(_ signal: KeyedSignal, at now: Timestamp) async throws(StoreError) -> KeyedDelivery {
    try await writer.write { try $0.deliver(signal, at: now) }
  }

  public func heldSignals(for key: SignalKey, at now: Timestamp) async throws(StoreError) -> [QueuedSignal] {
    try await reader.heldSignals(for: key, at: now)
  }

  public func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) async throws(StoreError) {
    try await writer.write { try $0.settle(work, adding: held, at: now) }
  }

  public func work(of session: SessionKey) async throws(StoreError) -> [WorkStatus] {
    try await reader.work(of: session)
  }

  public func retry(_ work: WorkID, of session: SessionKey, at now: Timestamp) async throws(StoreError) -> Bool {
    try await writer.write { try $0.retry(work, of: session, at: now) }
  }

  public func resolve(
    _ work: WorkID, of session: SessionKey, with event: [UInt8], at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await writer.write { try $0.resolve(work, of: session, with: event, at: now) }
  }

  public func keep(_ definitions: [KeptDefinition], at now: Timestamp) async throws(StoreError) {
    try await writer.write { batch in for definition in definitions { try batch.keep(definition, at: now) } }
  }

  public func definition(_ digest: DefinitionDigest) async throws(StoreError) -> KeptDefinition? {
    try await reader.definition(digest)
  }

  public func definitions() async throws(StoreError) -> [ListedDefinition] { try await reader.definitions() }

  public func removeDefinitions(unusedSince time: Timestamp) async throws(StoreError) -> Int {
    try await writer.write { try $0.removeDefinitions(unusedSince: time) }
  }

  public func endSessions(
    definedBy digest: DefinitionDigest, forgetAt: Timestamp
  ) async throws(StoreError) -> [SessionKey] {
    let ended = try await writer.write { try $0.endSessions(definedBy: digest, forgetAt: forgetAt) }
    quota.release(ended.count)
    return ended
  }

  public func secret() async throws(StoreError) -> [UInt8] {
    if let secret = try await reader.secret() { return secret }
    let new = [UInt8].randomSecret()
    try await writer.write { try $0.keepSecret(new) }
    return try await reader.secret() ?? new
  }

  public func countWork() async throws(StoreError) -> WorkCount { try await reader.countWork() }

  public func checkReady() async throws(StoreError) { try await writer.write { try $0.probe() } }
}
