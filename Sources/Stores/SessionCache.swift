internal import Sessions
internal import Synchronization
internal import Values

/// The most recently used sessions of a database, in memory.
///
/// Each shard evicts with the CLOCK algorithm: a hand moves around a ring of sessions, and evicts the first session
/// that was not used since the hand last passed it.
final class SessionCache: Sendable {
  private let shards: [Shard]

  /// - Parameter limit: the maximum number of sessions, rounded up to a multiple of 16. Sessions of more than 16 KiB on
  ///   average reduce it, because the cache limits its memory as well.
  init(limit: Int) { shards = (0..<16).map { _ in Shard(limit: max(1, (limit + 15) / 16)) } }

  var count: Int { shards.reduce(0) { $0 + $1.contents.withLock { $0.count } } }

  private func shard(of key: SessionKey) -> Shard { shards[key.shard(of: shards.count)] }

  func session(_ key: SessionKey) -> StoredSession? { shard(of: key).contents.withLock { $0.use(key) } }

  /// Caches a new session.
  func insert(written session: StoredSession) { change(session.key) { $0.insert(session) } }

  /// Replaces a session that was written, if it is in the cache. A client's session is, because it was read before. The
  /// others are changed by events, and would displace those that clients use.
  func update(written session: StoredSession) {
    change(session.key) { contents in if contents.contains(session.key) { contents.insert(session) } }
  }

  /// Removes a session that has ended, or that another process has changed.
  func remove(_ key: SessionKey) { change(key) { $0.remove(key) } }

  private func change(_ key: SessionKey, by change: (inout Contents) -> Void) {
    shard(of: key).contents.withLock { contents in
      contents.generation += 1
      change(&contents)
    }
  }

  /// Removes the sessions that have expired.
  func removeExpired(at now: Timestamp) {
    for shard in shards {
      shard.contents.withLock { contents in
        contents.generation += 1
        contents.removeExpired(at: now)
      }
    }
  }

  /// Returns the generation of the session's shard, which every write increments. Call this before reading the session
  /// from the database, for ``insert(read:since:)``.
  func generation(for key: SessionKey) -> UInt64 { shard(of: key).contents.withLock { $0.generation } }

  /// Caches a session that was read, unless there was a write since: the session might be older than that write.
  func insert(read session: StoredSession, since generation: UInt64) {
    shard(of: session.key).contents.withLock { contents in
      if contents.generation == generation { contents.insert(session) }
    }
  }

  private final class Shard: Sendable {
    let contents: Mutex<Contents>

    init(limit: Int) { contents = Mutex(Contents(limit: limit)) }
  }

  private struct Contents {
    private struct Slot {
      var session: StoredSession
      var size: Int
      var wasUsed: Bool
    }

    private static let meanSize = 16 * 1024

    var generation: UInt64 = 0
    private var slots: [SessionKey: Slot] = [:]
    private var size = 0
    /// The keys of all sessions, and some of removed ones.
    private var ring: [SessionKey] = []
    /// The index in `ring` at which eviction continues.
    private var hand = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { slots.count }

    func contains(_ key: SessionKey) -> Bool { slots.index(forKey: key) != nil }

    mutating func use(_ key: SessionKey) -> StoredSession? {
      guard let index = slots.index(forKey: key) else { return nil }
      slots.values[index].wasUsed = true
      return slots.values[index].session
    }

    mutating func insert(_ session: StoredSession) {
      var slot = Slot(session: session, size: session.approximateSize, wasUsed: false)
      size += slot.size
      if let index = slots.index(forKey: session.key) {
        size -= slots.values[index].size
        slot.wasUsed = true
        slots.values[index] = slot
      } else {
        makeRoom(for: session.key)
        slots[session.key] = slot
      }
      while size > limit * Self.meanSize, slots.count > 1 {
        if evictAtHand() { hand = (hand + 1) % ring.count }
      }
    }

    mutating func remove(_ key: SessionKey) {
      guard let slot = slots.removeValue(forKey: key) else { return }
      size -= slot.size
    }

    mutating func removeExpired(at now: Timestamp) {
      for (key, slot) in slots where slot.session.expiresAt <= now { remove(key) }
    }

    private mutating func makeRoom(for key: SessionKey) {
      guard ring.count == limit else { return ring.append(key) }
      while !evictAtHand() {}
      ring[hand] = key
      hand = (hand + 1) % limit
    }

    /// Evicts the session at the hand. If that was used since the hand last passed, advances the hand and returns false
    /// instead.
    private mutating func evictAtHand() -> Bool {
      guard let index = slots.index(forKey: ring[hand]), slots.values[index].wasUsed else {
        remove(ring[hand])
        return true
      }
      slots.values[index].wasUsed = false
      hand = (hand + 1) % ring.count
      return false
    }
  }
}
