internal import Synchronization

/// Sessions in the memory of this process: the fastest store, and gone with the process.
///
/// Sessions are spread over shards, each behind a lock of its own that is held for a look-up or a replacement only.
public final class MemoryStore: SessionStore {
  private let shards: [Shard]
  private let sessionLimit: Int
  private let sessionCount = Atomic<Int>(0)
  private let outcomes: OutcomeTable

  public let mayBlock = false

  /// - Parameter sessionLimit: live sessions, and outcomes kept for replay.
  public init(sessionLimit: Int = 1_000_000) {
    self.sessionLimit = sessionLimit
    shards = (0..<256).map { _ in Shard() }
    outcomes = OutcomeTable(limit: sessionLimit)
  }

  private func shard(of key: SessionKey) -> Shard { shards[key.shard(of: shards.count)] }

  public func insert(
    _ record: SessionRecord, _ entry: JournalEntry, outcome: StoredOutcome?
  ) throws(StoreError) -> StoreResult {
    guard sessionCount.wrappingAdd(1, ordering: .relaxed).newValue <= sessionLimit else {
      sessionCount.wrappingSubtract(1, ordering: .relaxed)
      throw .full(limit: sessionLimit)
    }
    let result = try outcomes.claim(outcome) {
      shard(of: record.key).sessions.withLock { sessions in
        guard sessions[record.key] == nil else { return .conflict }
        sessions[record.key] = .live(LiveSession(record, entry))
        return .committed
      }
    }
    if result != .committed { sessionCount.wrappingSubtract(1, ordering: .relaxed) }
    return result
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

  public func commit(
    _ record: SessionRecord, _ entry: JournalEntry, outcome: StoredOutcome?
  ) throws(StoreError) -> StoreResult {
    try outcomes.claim(outcome) {
      shard(of: record.key).sessions.withLock { sessions in
        guard case .live(let session) = sessions[record.key] else { return .conflict }
        return session.replace(with: record, entry) ? .committed : .conflict
      }
    }
  }

  public func journal(of key: SessionKey, after revision: UInt64, limit: Int) -> [JournalEntry] {
    shard(of: key).sessions.withLock { sessions in
      guard case .live(let session) = sessions[key] else { return [] }
      return session.journal.entries(after: revision, limit: limit)
    }
  }

  public func journalEntry(of key: SessionKey, at revision: UInt64) -> JournalEntry? {
    guard revision > 0 else { return nil }
    return journal(of: key, after: revision - 1, limit: 1).first { $0.revision == revision }
  }

  public func delete(_ key: SessionKey, forgetAt: Timestamp) -> Bool {
    let wasLive = shard(of: key).sessions.withLock { sessions in
      guard case .live = sessions[key] else { return false }
      sessions[key] = .gone(forgetAt: forgetAt)
      return true
    }
    if wasLive { sessionCount.wrappingSubtract(1, ordering: .relaxed) }
    return wasLive
  }

  public func outcome(for key: OutcomeKey) -> StoredOutcome? { outcomes[key] }

  public func sweep(now: Timestamp, memory: Int64) {
    for shard in shards {
      let expired = shard.sessions.withLock { $0.sweep(now: now, memory: memory) }
      sessionCount.wrappingSubtract(expired, ordering: .relaxed)
    }
    outcomes.sweep(now: now)
  }

  public func checkReachable() {}
}

/// A part of the sessions with its lock. A class, because a lock has one place in memory.
private final class Shard: Sendable {
  let sessions = Mutex<[SessionKey: MemorySession]>([:])
}

extension [SessionKey: MemorySession] {
  /// Drops the content of expired sessions, and those that are to be forgotten; returns how many have expired.
  fileprivate mutating func sweep(now: Timestamp, memory: Int64) -> Int {
    var expired = 0
    var forgotten: [SessionKey] = []
    for index in indices {
      switch self.values[index] {
      case .live(let session) where session.expiresAt <= now:
        self.values[index] = .gone(forgetAt: session.expiresAt + memory)
        expired += 1
      case .gone(let forgetAt) where forgetAt <= now: forgotten.append(self.keys[index])
      default: break
      }
    }
    for key in forgotten { self[key] = nil }
    return expired
  }
}
