internal import Navigation
public import Sessions
internal import Synchronization
public import Values

/// The fastest store, in the memory of this process. Its sessions end with the process.
///
/// The sessions are spread over shards. Each shard has a lock, which is held for a look-up or a replacement only.
public final class MemoryStore: SessionStore {
  let shards: [MemoryShard]
  private let quota: SessionQuota
  /// The number of sessions of each owner.
  private let owners = Mutex<[SessionOwner: Int]>([:])
  private let creations = Mutex(CreationOutcomes())
  let workTable = Mutex(WorkTable())
  let definitionTable = Mutex(DefinitionTable())
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
    return try creations.withLock { creations throws(StoreError) in
      try creations.insert(outcome) { () throws(StoreError) in try insert(session) }
    }
  }

  /// Writes a session, whose definition has to be kept if it is a new one.
  @inline(__always)
  private func use<E: Error>(
    _ definition: DefinitionDigest?, insteadOf previous: DefinitionDigest?, by write: () throws(E) -> Bool
  ) throws(E) -> Bool {
    guard definition != previous else { return try write() }
    guard let definition else { return false }
    return try definitionTable.withLock { table throws(E) in
      try table.use(definition, insteadOf: previous, by: write)
    }
  }

  private func insert(_ session: StoredSession) throws(StoreError) -> Bool {
    try use(session.definition, insteadOf: nil) { () throws(StoreError) in
      try quota.reserve()
      let isNew = shard(of: session.key).contents.withLock { contents in
        guard contents.insert(session) else { return false }
        if let work = session.firstWork { workTable.withLock { $0.add(work, of: session) } }
        return true
      }
      if isNew { count(1, of: session.owner) } else { quota.release(1) }
      return isNew
    }
  }

  private func count(_ change: Int, of owner: SessionOwner?) {
    guard let owner else { return }
    owners.withLock { counts in
      let count = counts[owner, default: 0] + change
      counts[owner] = count > 0 ? count : nil
    }
  }

  public func loadFromMemory(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup? { load(key) }

  public func load(_ key: SessionKey) -> SessionLookup {
    shard(of: key).contents.withLock { $0[key] }
  }

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
    use(next.definition, insteadOf: session.definition) {
      shard(of: session.key).contents.withLock { contents in
        guard contents.replace(session, with: next) else { return false }
        // Under the lock of the shard, so that the changes of two writes do not overtake each other.
        if next.work != nil || !next.detached.isEmpty {
          let changes = next.workChanges(since: session)
          if !changes.isEmpty { workTable.withLock { $0.apply(changes, of: next) } }
        }
        return true
      }
    }
  }

  public func delete(_ session: StoredSession, forgetAt: Timestamp) -> Bool {
    !end(in: shard(of: session.key)) { $0.end(session, forgetAt: forgetAt) ? [session] : [] }.isEmpty
  }

  public func creation(for key: IdempotencyDigest) -> CreationLookup { creations.withLock { $0[key] } }

  /// Scans all sessions.
  public func list(_ sessions: SessionList, limit: Int) -> [ListedSession] {
    switch sessions {
    case .before(let cursor): first(limit, by: >) { $0 < cursor }
    case .numbered(let numbers): first(limit, by: { $0.number < $1.number }) { numbers.contains($0.number) }
    }
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

  public func count(of owner: SessionOwner, upTo limit: Int) -> Int {
    owners.withLock { min(limit, $0[owner] ?? 0) }
  }

  /// Scans all sessions.
  public func endSessions(of group: SessionGroup, forgetAt: Timestamp) -> [SessionKey] {
    defer {
      if case .owner(let owner) = group {
        workTable.withLock { work in
          for (key, row) in work.rows where row.detached != nil && row.owner == owner { work.remove(key) }
        }
      }
    }
    if case .owner(let owner) = group, count(of: owner, upTo: 1) == 0 { return [] }
    return shards.flatMap { shard in end(in: shard) { $0.end(group, forgetAt: forgetAt) }.map(\.key) }
  }

  public func purge() {}

  public func sweep(now: Timestamp, tombstoneLifetime: Int64) {
    for shard in shards { _ = end(in: shard) { $0.sweep(now: now, tombstoneLifetime: tombstoneLifetime) } }
    creations.withLock { $0.removeExpired(at: now) }
    workTable.withLock { $0.signals.sweep(now: now) }
  }

  /// Ends sessions of a shard, and everything that belongs to them.
  func end(
    in shard: MemoryShard, _ body: (inout MemoryShard.Contents) -> [StoredSession]
  ) -> [StoredSession] {
    let (ended, removedTombstones) = shard.contents.withLock { contents in
      let ended = body(&contents)
      for session in ended where session.work?.isEmpty == false { workTable.withLock { $0.remove(session) } }
      return (ended, contents.takeRemovedTombstones())
    }
    quota.release(ended.count)
    for session in ended {
      if let definition = session.definition { definitionTable.withLock { $0.release(definition) } }
      count(-1, of: session.owner)
    }
    if !ended.isEmpty || !removedTombstones.isEmpty {
      creations.withLock { creations in
        for session in ended { creations.end(session.key) }
        for session in removedTombstones { creations.remove(session) }
      }
    }
    return ended
  }

  public func secret() -> [UInt8] { secretBytes }

  public func checkReady() {}

  public func close() {}
}
