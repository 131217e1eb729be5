public import CoreMetrics
public import Navigation
internal import Observability
public import Sessions
public import Values

/// A store that measures the duration and counts the failures of another store's operations.
///
/// The metrics are `usher_store_duration_seconds` and `usher_store_failures_total`, with the label `operation`.
///
/// Reaching the limit of sessions is not a failure: the limit is the operator's decision, and the rejected request is
/// counted elsewhere.
public final class MeteredStore: SessionStore {
  private let base: any SessionStore
  private let meters: OperationMeters

  public init(_ base: any SessionStore, metrics: any MetricsFactory) {
    self.base = base
    meters = OperationMeters(metrics)
  }

  public var isShared: Bool { base.isShared }
  public var changes: AsyncStream<SessionChange> { base.changes }

  public func insert(_ session: StoredSession, outcome: CreationOutcome?) async throws(StoreError) -> Bool {
    try await meters.measure(.create, await base.insert(session, outcome: outcome))
  }

  public func load(_ key: SessionKey) async throws(StoreError) -> SessionLookup {
    try await meters.measure(.load, await base.load(key))
  }

  public func loadTogether(_ keys: [SessionKey]) async -> [StoredSession?] { await base.loadTogether(keys) }

  public func loadFromMemory(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup? {
    meters.measure(.load) { base.loadFromMemory(key, freshness) }
  }

  public func replaceInMemory(_ session: StoredSession, with next: StoredSession) -> Bool? {
    meters.measure(.replace) { base.replaceInMemory(session, with: next) }
  }

  public func replace(
    _ session: StoredSession, with next: StoredSession,
    then completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    let start = ContinuousClock.now
    base.replace(session, with: next) { [meters] result in
      meters.record(.replace, since: start, result)
      completion(result)
    }
  }

  public func delete(_ session: StoredSession, forgetAt: Timestamp) async throws(StoreError) -> Bool {
    try await meters.measure(.delete, await base.delete(session, forgetAt: forgetAt))
  }

  public func creation(for key: IdempotencyDigest) async throws(StoreError) -> CreationLookup {
    try await meters.measure(.load, await base.creation(for: key))
  }

  public func list(_ sessions: SessionList, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await meters.measure(.list, await base.list(sessions, limit: limit))
  }

  public func count() async throws(StoreError) -> SessionCount {
    try await meters.measure(.count, await base.count())
  }

  public func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int {
    try await meters.measure(.count, await base.count(of: owner, upTo: limit))
  }

  public func endSessions(of group: SessionGroup, forgetAt: Timestamp) async throws(StoreError) -> [SessionKey] {
    try await meters.measure(.delete, await base.endSessions(of: group, forgetAt: forgetAt))
  }

  public func purge() async throws(StoreError) { try await meters.measure(.purge, await base.purge()) }

  public func sweep(now: Timestamp, tombstoneLifetime: Int64) async throws(StoreError) {
    try await meters.measure(.sweep, await base.sweep(now: now, tombstoneLifetime: tombstoneLifetime))
  }

  public func watch(_ keys: [SessionKey], until: Timestamp) async throws(StoreError) {
    try await meters.measure(.watch, await base.watch(keys, until: until))
  }

  public func claimWork(_ search: WorkSearch) async throws(StoreError) -> [ClaimedWork] {
    try await meters.measure(.claim, await base.claimWork(search))
  }

  public func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool {
    try await meters.measure(.report, await base.renew(lease, of: work, at: now))
  }

  public func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool {
    try await meters.measure(.report, await base.report(report, on: work, at: now))
  }

  public func discard(_ work: ClaimedWork) async throws(StoreError) {
    try await meters.measure(.report, await base.discard(work))
  }

  public func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) async throws(StoreError) -> WorkDelivery {
    try await meters.measure(.report, await base.deliver(signal, to: work, of: session, at: now))
  }

  public func deliver(_ signal: KeyedSignal, at now: Timestamp) async throws(StoreError) -> KeyedDelivery {
    try await meters.measure(.report, await base.deliver(signal, at: now))
  }

  public func heldSignals(for key: SignalKey, at now: Timestamp) async throws(StoreError) -> [QueuedSignal] {
    try await meters.measure(.list, await base.heldSignals(for: key, at: now))
  }

  public func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) async throws(StoreError) {
    try await meters.measure(.report, await base.settle(work, adding: held, at: now))
  }

  public func work(of session: SessionKey) async throws(StoreError) -> [WorkStatus] {
    try await meters.measure(.list, await base.work(of: session))
  }

  public func retry(
    _ work: WorkID, of session: SessionKey, with event: [UInt8]?, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await meters.measure(.report, await base.retry(work, of: session, with: event, at: now))
  }

  public func keep(_ definitions: [KeptDefinition], at now: Timestamp) async throws(StoreError) {
    try await meters.measure(.keep, await base.keep(definitions, at: now))
  }

  public func definition(_ digest: DefinitionDigest) async throws(StoreError) -> KeptDefinition? {
    try await meters.measure(.load, await base.definition(digest))
  }

  public func definitions() async throws(StoreError) -> [ListedDefinition] {
    try await meters.measure(.count, await base.definitions())
  }

  public func removeDefinitions(unusedSince time: Timestamp) async throws(StoreError) -> Int {
    try await meters.measure(.sweep, await base.removeDefinitions(unusedSince: time))
  }

  public func secret() async throws(StoreError) -> [UInt8] { try await base.secret() }

  public func countWork() async throws(StoreError) -> WorkCount {
    try await meters.measure(.count, await base.countWork())
  }

  public func checkReady() async throws(StoreError) { try await base.checkReady() }

  public func close() { base.close() }
}

/// The values of the label `operation`.
private enum StoreOperation: Int, CaseIterable {
  case create, load, replace, delete, list, sweep, watch, count, claim, report, purge, keep
}

/// The timer and the failure counter of each operation.
private struct OperationMeters: Sendable {
  private let durations: [Timer]
  private let failures: [Counter]

  init(_ metrics: any MetricsFactory) {
    durations = StoreOperation.allCases.map { metrics.timer(.storeDuration, [("operation", "\($0)")]) }
    failures = StoreOperation.allCases.map { metrics.counter(.storeFailures, [("operation", "\($0)")]) }
  }

  /// Measures an operation in memory, unless it returns nil.
  @inline(__always)
  func measure<Result>(_ operation: StoreOperation, _ body: () -> Result?) -> Result? {
    let start = ContinuousClock.now
    guard let result = body() else { return nil }
    durations[operation.rawValue].record(since: start)
    return result
  }

  @inline(__always)
  func measure<Result>(
    _ operation: StoreOperation, _ body: @autoclosure () async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let start = ContinuousClock.now
    let result: Swift.Result<Result, StoreError>
    do throws(StoreError) {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    record(operation, since: start, result)
    return try result.get()
  }

  func record<Success>(
    _ operation: StoreOperation, since start: ContinuousClock.Instant, _ result: Result<Success, StoreError>
  ) {
    durations[operation.rawValue].record(since: start)
    guard case .failure(let error) = result else { return }
    if case .full = error { return }
    failures[operation.rawValue].increment()
  }
}
