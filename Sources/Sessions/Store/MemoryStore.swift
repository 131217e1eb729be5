internal import Synchronization

/// Sessions in the memory of this process: the fastest store, and gone with the process.
///
/// Sessions are spread over shards, each behind a lock of its own that is held for a look-up or a replacement only.
public final class MemoryStore: SessionStore {
  private let shards: [MemoryShard]
  private let sessionLimit: Int
  private let journalLimit: Int
  private let sessionCount = Atomic<Int>(0)
  private let creations: CreationOutcomes

  public let mayBlock = false

  /// - Parameters:
  ///   - sessionLimit: sessions that live at once; those that have expired count until they are swept.
  ///   - liveLimit: sessions that were used last and are not packed yet, which saves the time; rounded up to a multiple of 256.
  ///   - journalLimit: entries kept of each session's journal, at least 16; no more than the last 16 where they come to more
  ///     than 64 KiB.
  public init(sessionLimit: Int = 1_000_000, liveLimit: Int = 4096, journalLimit: Int = 64) {
    self.sessionLimit = sessionLimit
    self.journalLimit = max(journalLimit, 16)
    shards = (0..<256).map { _ in MemoryShard(liveLimit: (liveLimit + 255) / 256) }
    creations = CreationOutcomes(sessionLimit: sessionLimit)
  }

  private func shard(of key: SessionKey) -> MemoryShard { shards[key.shard(of: shards.count)] }

  public func insert(
    _ record: SessionRecord, _ entry: JournalEntry, outcome: StoredOutcome?
  ) throws(StoreError) -> StoreResult {
    guard let outcome else { return try insert(record, entry) }
    let isLive = { key in self.shard(of: key).sessions.withLock { $0.live(key) != nil } }
    return try creations.claim(outcome, isLive: isLive) { () throws(StoreError) in try insert(record, entry) }
  }

  private func insert(_ record: SessionRecord, _ entry: JournalEntry) throws(StoreError) -> StoreResult {
    guard sessionCount.wrappingAdd(1, ordering: .relaxed).newValue <= sessionLimit else {
      sessionCount.wrappingSubtract(1, ordering: .relaxed)
      throw .full(limit: sessionLimit)
    }
    let isNew = shard(of: record.key).sessions.withLock { $0.insert(LiveSession(record, entry), record.key) }
    if !isNew { sessionCount.wrappingSubtract(1, ordering: .relaxed) }
    return isNew ? .committed : .conflict
  }

  public func load(_ key: SessionKey) -> StoredSession {
    shard(of: key).sessions.withLock { sessions in
      switch sessions[key] {
      case nil: .unknown
      case .gone: .gone
      case .live(let session): .live(session.record(key))
      }
    }
  }

  public func commit(_ record: SessionRecord, _ entry: JournalEntry, outcome: StoredOutcome?) -> StoreResult {
    shard(of: record.key).sessions.withLock { $0.commit(record, entry, outcome, keeping: journalLimit) }
  }

  public func remember(_ outcome: StoredOutcome) -> StoreResult {
    let key = outcome.record.key
    return shard(of: key).sessions.withLock { $0.live(key)?.remember(outcome) ?? .conflict }
  }

  public func journal(of key: SessionKey, after revision: UInt64, limit: Int) -> [JournalEntry] {
    shard(of: key).sessions.withLock { sessions in
      sessions.live(key)?.journal.entries(after: revision, limit: limit, keeping: journalLimit) ?? []
    }
  }

  public func journalEntry(of key: SessionKey, at revision: UInt64) -> JournalEntry? {
    guard revision > 0 else { return nil }
    return journal(of: key, after: revision - 1, limit: 1).first { $0.revision == revision }
  }

  public func delete(_ key: SessionKey, forgetAt: Timestamp) -> Bool {
    let wasLive = shard(of: key).sessions.withLock { $0.end(key, forgetAt: forgetAt) }
    if wasLive { sessionCount.wrappingSubtract(1, ordering: .relaxed) }
    return wasLive
  }

  public func outcome(for key: OutcomeKey) -> StoredOutcome? {
    guard let session = key.session else { return creations[key] }
    return shard(of: session).sessions.withLock { $0.live(session)?.outcome(for: key) }
  }

  public func sweep(now: Timestamp, memory: Int64) {
    for shard in shards {
      let expired = shard.sessions.withLock { $0.sweep(now: now, memory: memory) }
      sessionCount.wrappingSubtract(expired, ordering: .relaxed)
    }
    creations.sweep(now: now)
  }

  public func checkReachable() {}
}
