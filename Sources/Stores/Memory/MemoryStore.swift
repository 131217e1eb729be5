public import Navigation
public import Sessions
internal import Synchronization
public import Values

/// A store in the memory of this process. It is the fastest store, and its sessions end with the process.
///
/// The sessions are spread over shards. Each shard has a lock, which is held for a look-up or a replacement only.
public final class MemoryStore: SessionStore {
  let shards: [MemoryShard]
  private let quota: SessionQuota
  private let owners = OwnerCounts()
  private let creations = CreationOutcomes()
  let work = WorkTable()
  let definitionTable = DefinitionTable()
  private let secretBytes = [UInt8].randomSecret()

  public let isShared = false
  /// The default maximum number of sessions.
  public static let standardLimit = 1_000_000

  /// - Parameters:
  ///   - sessionLimit: the maximum number of sessions, expired ones included until a sweep removes them.
  ///   - unpackedLimit: the maximum number of sessions that are kept unpacked to save time, rounded up to a multiple of
  ///     256.
  ///   - tombstoneLimit: the maximum number of tombstones, rounded up to a multiple of 256; see
  ///     ``StoreLimits/tombstones``.
  public init(
    sessionLimit: Int = standardLimit, unpackedLimit: Int = 4096, tombstoneLimit: Int = StoreLimits().tombstones
  ) {
    quota = SessionQuota(limit: sessionLimit)
    shards = (0..<256).map { _ in
      MemoryShard(unpackedLimit: (unpackedLimit + 255) / 256, tombstoneLimit: (tombstoneLimit + 255) / 256)
    }
  }

  private func shard(of key: SessionKey) -> MemoryShard { shards[key.shard(of: shards.count)] }

  public func insert(_ session: StoredSession, outcome: CreationOutcome?) throws(StoreError) -> Bool {
    guard let outcome else { return try insert(session) }
    return try creations.insert(outcome) { () throws(StoreError) in try insert(session) }
  }

  private func insert(_ session: StoredSession) throws(StoreError) -> Bool {
    guard let definition = session.definition else { return try insertUsable(session) }
    return try definitionTable.use(definition) { () throws(StoreError) in try insertUsable(session) }
  }

  /// Inserts a session without a definition, or one whose definition is kept meanwhile.
  private func insertUsable(_ session: StoredSession) throws(StoreError) -> Bool {
    try quota.reserve()
    let isNew = shard(of: session.key).contents.withLock { contents in
      guard contents.insert(session) else { return false }
      work.insert(session)
      return true
    }
    guard isNew else {
      quota.release(1)
      return false
    }
    owners.add(session.owner)
    return true
  }

  public func loadFromMemory(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup? { load(key) }

  public func load(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup { load(key) }

  private func load(_ key: SessionKey) -> SessionLookup { shard(of: key).contents.withLock { $0[key] } }

  public func replaceInMemory(_ session: StoredSession, with next: StoredSession) -> Bool? {
    replace(session, with: next)
  }

  public func replace(
    _ session: StoredSession, with next: StoredSession,
    then completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    completion(.success(replace(session, with: next)))
  }

  public func replace(_ session: StoredSession, with next: StoredSession) -> Bool {
    guard next.definition == session.definition else { return replaceDefinition(of: session, with: next) }
    return replaceUsable(session, with: next)
  }

  private func replaceDefinition(of session: StoredSession, with next: StoredSession) -> Bool {
    guard let definition = next.definition else { return false }
    return definitionTable.use(definition, insteadOf: session.definition) { replaceUsable(session, with: next) }
  }

  @inline(__always)
  private func replaceUsable(_ session: StoredSession, with next: StoredSession) -> Bool {
    shard(of: session.key).contents.withLock { contents in
      guard contents.replace(session, with: next) else { return false }
      // Under the lock of the shard, so that the changes of two writes do not overtake each other.
      if next.work != nil || !next.detached.isEmpty { work.update(next, since: session) }
      return true
    }
  }

  public func delete(_ session: StoredSession, forgetAt: Timestamp) -> Bool {
    !end(in: shard(of: session.key)) { $0.end(session, forgetAt: forgetAt) ? [session] : [] }.isEmpty
  }

  public func creation(for key: IdempotencyDigest) -> CreationLookup { creations[key] }

  /// Scans all sessions.
  public func list(before cursor: SessionCursor, limit: Int) -> [ListedSession] {
    first(limit, by: >) { $0 < cursor }
  }

  /// Scans all sessions.
  public func list(numbered: ClosedRange<Int64>, limit: Int) -> [ListedSession] {
    first(limit, by: { $0.number < $1.number }) { numbered.contains($0.number) }
  }

  private func first(
    _ limit: Int, by areInOrder: (SessionCursor, SessionCursor) -> Bool, where isIncluded: (SessionCursor) -> Bool
  ) -> [ListedSession] {
    var found: [ListedSession] = []
    // The last of the first `limit` sessions so far. Sessions behind it are skipped.
    var last: SessionCursor?
    func truncate() {
      found = Array(found.sorted { areInOrder($0.cursor, $1.cursor) }.prefix(limit))
      if found.count == limit { last = found.last?.cursor }
    }
    for shard in shards {
      shard.contents.withLock { contents in
        contents.forEach { header, session in
          guard isIncluded(header.cursor), last.map({ areInOrder(header.cursor, $0) }) ?? true else { return }
          found.append(ListedSession(session()))
          if found.count > 8 * limit { truncate() }
        }
      }
    }
    truncate()
    return found
  }

  public func count() -> SessionCount {
    let count = shards.reduce(0) { $0 + $1.contents.withLock { $0.count } }
    return SessionCount(stored: count, live: count)
  }

  public func count(of owner: SessionOwner, upTo limit: Int) -> Int { min(limit, owners[owner]) }

  /// Scans all sessions.
  public func endSessions(of owner: SessionOwner, forgetAt: Timestamp) -> [SessionKey] {
    defer { work.removeDetached(of: owner) }
    guard owners[owner] > 0 else { return [] }
    return shards.flatMap { shard in
      end(in: shard) { $0.end(sessionsOf: owner, forgetAt: forgetAt) }.map(\.key)
    }
  }

  public func purge() {}

  public func sweep(now: Timestamp, tombstoneLifetime: Int64) {
    for shard in shards { _ = end(in: shard) { $0.sweep(now: now, tombstoneLifetime: tombstoneLifetime) } }
    creations.sweep(now: now)
    work.sweep(now: now)
  }

  /// Ends sessions of a shard, and everything that belongs to them.
  func end(
    in shard: MemoryShard, _ body: (inout MemoryShard.Contents) -> [StoredSession]
  ) -> [StoredSession] {
    let (ended, removedTombstones) = shard.contents.withLock { contents in
      let ended = body(&contents)
      for session in ended { work.remove(session) }
      return (ended, contents.takeRemovedTombstones())
    }
    quota.release(ended.count)
    definitionTable.release(ended)
    for session in ended {
      owners.remove(session.owner)
      creations.end(session.key)
    }
    creations.remove(removedTombstones)
    return ended
  }

  public func claimWork(
    of apps: [String: Int], for places: WorkPlaces, at now: Timestamp, lease: Duration
  ) -> [ClaimedWork] {
    work.claim(WorkSearch(apps: apps, places: places, now: now, lease: lease))
  }

  public func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) -> Bool {
    self.work.renew(lease, of: work, at: now)
  }

  public func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) -> Bool {
    self.work.report(report, on: work, at: now)
  }

  public func discard(_ work: ClaimedWork) { self.work.discard(work) }

  public func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) -> WorkDelivery {
    self.work.deliver(signal, to: work, of: session, at: now)
  }

  public func deliver(_ signal: KeyedSignal, at now: Timestamp) -> KeyedDelivery { work.deliver(signal, at: now) }

  public func heldSignals(for key: SignalKey, at now: Timestamp) -> [QueuedSignal] {
    work.heldSignals(for: key, at: now)
  }

  public func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) {
    self.work.settle(work, adding: held, at: now)
  }

  public func work(of session: SessionKey) -> [WorkStatus] {
    guard case .live(let stored) = load(session, .current) else { return [] }
    return work.statuses(of: session, (stored.work ?? []).map(\.id))
  }

  public func retry(_ work: WorkID, of session: SessionKey, at now: Timestamp) -> Bool {
    self.work.retry(work, of: session, at: now)
  }

  public func resolve(_ work: WorkID, of session: SessionKey, with event: [UInt8], at now: Timestamp) -> Bool {
    self.work.resolve(work, of: session, with: event, at: now)
  }

  public func secret() -> [UInt8] { secretBytes }

  public func countWork() -> WorkCount { work.count }

  public func checkReady() {}

  public func close() {}
}

/// The number of sessions of each owner.
private final class OwnerCounts: Sendable {
  private let counts = Mutex<[SessionOwner: Int]>([:])

  subscript(owner: SessionOwner) -> Int { counts.withLock { $0[owner] ?? 0 } }

  func add(_ owner: SessionOwner?) {
    guard let owner else { return }
    counts.withLock { $0[owner, default: 0] += 1 }
  }

  func remove(_ owner: SessionOwner?) {
    guard let owner else { return }
    counts.withLock { counts in
      let remaining = (counts[owner] ?? 0) - 1
      counts[owner] = remaining > 0 ? remaining : nil
    }
  }
}
