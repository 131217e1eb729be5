internal import Synchronization
public import Sessions

/// Sessions in the memory of this process: the fastest store, and gone with the process.
///
/// Sessions are spread over shards, each behind a lock of its own that is held for a look-up or a replacement only.
public final class MemoryStore: SessionStore {
  private let shards: [MemoryShard]
  private let quota: SessionQuota
  private let owners = OwnerCounts()
  private let creations = CreationOutcomes()

  public let isShared = false
  /// Sessions that live at once unless another number is asked for.
  public static let standardLimit = 1_000_000

  /// - Parameters:
  ///   - sessionLimit: sessions that live at once; those that have expired count until they are swept.
  ///   - liveLimit: sessions that were used last and are not packed yet, which saves the time; rounded up to a multiple of 256.
  ///   - endedLimit: ended sessions that are remembered, see ``StoreLimits/endedSessions``; rounded up to a multiple of 256.
  public init(
    sessionLimit: Int = standardLimit, liveLimit: Int = 4096, endedLimit: Int = StoreLimits().endedSessions
  ) {
    quota = SessionQuota(limit: sessionLimit)
    shards = (0..<256).map { _ in
      MemoryShard(liveLimit: (liveLimit + 255) / 256, endedLimit: (endedLimit + 255) / 256)
    }
  }

  private func shard(of key: SessionKey) -> MemoryShard { shards[key.shard(of: shards.count)] }

  public func insert(_ session: StoredSession, outcome: CreationOutcome?) throws(StoreError) -> Bool {
    guard let outcome else { return try insert(session) }
    return try creations.claim(outcome) { () throws(StoreError) in try insert(session) }
  }

  private func insert(_ session: StoredSession) throws(StoreError) -> Bool {
    try quota.claim()
    let isNew = shard(of: session.key).contents.withLock { $0.insert(session) }
    if isNew { owners.add(session.owner) } else { quota.giveBack(1) }
    return isNew
  }

  public func load(_ key: SessionKey, _ reading: Reading) -> SessionLookup {
    shard(of: key).contents.withLock { $0[key] }
  }

  public func replace(_ session: StoredSession, with next: StoredSession) -> Bool {
    shard(of: session.key).contents.withLock { $0.replace(session, with: next) }
  }

  public func delete(_ session: StoredSession, forgetAt: Timestamp) -> Bool {
    let forgotten: [SessionKey]? = shard(of: session.key).contents.withLock { contents in
      contents.end(session, forgetAt: forgetAt) ? contents.takeForgotten() : nil
    }
    guard let forgotten else { return false }
    creations.end(session.key)
    creations.forget(forgotten)
    quota.giveBack(1)
    owners.remove(session.owner)
    return true
  }

  public func creation(for key: IdempotencyDigest) -> CreationLookup { creations[key] }

  /// It looks at every session that there is.
  public func list(before cursor: SessionCursor, limit: Int) -> [ListedSession] {
    first(limit, by: { $0.cursor > $1.cursor }) { $0.cursor < cursor }
  }

  /// It looks at every session that there is.
  public func list(numbered: ClosedRange<Int64>, limit: Int) -> [ListedSession] {
    first(limit, by: { $0.key.number < $1.key.number }) { numbered.contains($0.key.number) }
  }

  private func first(
    _ limit: Int, by areInOrder: (ListedSession, ListedSession) -> Bool, where isWanted: (ListedSession) -> Bool
  ) -> [ListedSession] {
    var found: [ListedSession] = []
    // What comes after it is not among the first.
    var last: ListedSession?
    func cut() {
      found = Array(found.sorted(by: areInOrder).prefix(limit))
      if found.count == limit { last = found.last }
    }
    for shard in shards {
      shard.contents.withLock { contents in
        contents.forEachLive { session in
          let session = ListedSession(session)
          guard isWanted(session), last.map({ areInOrder(session, $0) }) ?? true else { return }
          found.append(session)
          if found.count > 8 * limit { cut() }
        }
      }
    }
    cut()
    return found
  }

  public func count() -> SessionCount {
    let count = shards.reduce(0) { $0 + $1.contents.withLock { $0.liveCount } }
    return SessionCount(stored: count, live: count)
  }

  public func count(of owner: SessionOwner, upTo limit: Int) -> Int { min(limit, owners[owner]) }

  public func sweep(now: Timestamp, tombstoneLifetime: Int64) {
    for shard in shards {
      let (expired, forgotten) = shard.contents.withLock { contents in
        (contents.sweep(now: now, tombstoneLifetime: tombstoneLifetime), contents.takeForgotten())
      }
      quota.giveBack(expired.count)
      for session in expired {
        owners.remove(session.owner)
        creations.end(session.key)
      }
      creations.forget(forgotten)
    }
    creations.sweep(now: now)
  }

  public func checkReady() {}

  public func close() {}
}
