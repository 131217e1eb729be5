internal import Sessions
internal import Synchronization

/// The sessions that were used last, at hand without a look into the database.
final class SessionCache: Sendable {
  private let shards: [Shard]

  /// - Parameter limit: sessions that are kept, rounded up to a multiple of 16; fewer where they take more than 16 KiB each.
  init(limit: Int) { shards = (0..<16).map { _ in Shard(limit: max(1, (limit + 15) / 16)) } }

  var count: Int { shards.reduce(0) { $0 + $1.contents.withLock { $0.count } } }

  private func shard(of key: SessionKey) -> Shard { shards[key.shard(of: shards.count)] }

  func session(_ key: SessionKey) -> StoredSession? { shard(of: key).contents.withLock { $0.use(key) } }

  /// Keeps what was written.
  func keep(_ session: StoredSession) {
    shard(of: session.key).contents.withLock { contents in
      contents.changes += 1
      contents.insert(session)
    }
  }

  /// Forgets a session that is over, or that somebody else has changed.
  func drop(_ key: SessionKey) {
    shard(of: key).contents.withLock { contents in
      contents.changes += 1
      contents.remove(key)
    }
  }

  /// Forgets what has expired.
  func dropExpired(at now: Timestamp) {
    for shard in shards {
      shard.contents.withLock { contents in
        contents.changes += 1
        contents.removeExpired(at: now)
      }
    }
  }

  /// To be taken before a session is read from the database, for ``keep(read:since:)``.
  func changes(around key: SessionKey) -> UInt64 { shard(of: key).contents.withLock { $0.changes } }

  /// Keeps what was read, unless something was written meanwhile: the session might be older than that.
  func keep(read session: StoredSession, since changes: UInt64) {
    shard(of: session.key).contents.withLock { contents in
      if contents.changes == changes { contents.insert(session) }
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

    var changes: UInt64 = 0
    private var slots: [SessionKey: Slot] = [:]
    private var size = 0
    /// All keys, and some that were removed. The hand goes round, and takes the first that was not used since it passed.
    private var ring: [SessionKey] = []
    private var hand = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { slots.count }

    mutating func use(_ key: SessionKey) -> StoredSession? {
      guard let place = slots.index(forKey: key) else { return nil }
      slots.values[place].wasUsed = true
      return slots.values[place].session
    }

    mutating func insert(_ session: StoredSession) {
      var slot = Slot(session: session, size: session.approximateSize, wasUsed: false)
      size += slot.size
      if let place = slots.index(forKey: session.key) {
        size -= slots.values[place].size
        slot.wasUsed = true
        slots.values[place] = slot
      } else {
        makePlace(for: session.key)
        slots[session.key] = slot
      }
      while size > limit * Self.meanSize, slots.count > 1 {
        if freePlace() { hand = (hand + 1) % ring.count }
      }
    }

    mutating func remove(_ key: SessionKey) {
      guard let slot = slots.removeValue(forKey: key) else { return }
      size -= slot.size
    }

    mutating func removeExpired(at now: Timestamp) {
      for (key, slot) in slots where slot.session.expiresAt <= now { remove(key) }
    }

    private mutating func makePlace(for key: SessionKey) {
      guard ring.count == limit else { return ring.append(key) }
      while !freePlace() {}
      ring[hand] = key
      hand = (hand + 1) % limit
    }

    /// Removes the session that the hand is at. If it was used since the hand came by, the hand goes on instead: then it is false.
    private mutating func freePlace() -> Bool {
      guard let place = slots.index(forKey: ring[hand]), slots.values[place].wasUsed else {
        remove(ring[hand])
        return true
      }
      slots.values[place].wasUsed = false
      hand = (hand + 1) % ring.count
      return false
    }
  }
}
