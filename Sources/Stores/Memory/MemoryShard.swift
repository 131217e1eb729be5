internal import Sessions
internal import Synchronization

/// A part of the sessions in memory, with a lock of its own. A class, because a `Mutex` cannot move in memory.
final class MemoryShard: Sendable {
  let contents: Mutex<Contents>

  /// - Parameters:
  ///   - unpackedLimit: the maximum number of sessions whose state is kept unpacked.
  ///   - tombstoneLimit: the maximum number of tombstones. One more removes the quarter that would be removed next.
  init(unpackedLimit: Int, tombstoneLimit: Int) {
    contents = Mutex(Contents(unpackedLimit: unpackedLimit, tombstoneLimit: tombstoneLimit))
  }

  struct Contents {
    /// Both cases hold references, because a hash table has about twice as many slots as entries.
    private enum Slot {
      case live(StoredSession)
      case gone(Tombstone)
    }

    private final class Tombstone: Sendable {
      let owner: SessionOwner?
      let forgetAt: Timestamp

      init(owner: SessionOwner?, forgetAt: Timestamp) {
        self.owner = owner
        self.forgetAt = forgetAt
      }
    }

    private var slots: [SessionKey: Slot] = [:]
    private var tombstoneCount = 0
    /// A ring of the sessions that are unpacked. The one at `oldest` makes room for the next.
    private var unpacked: [SessionKey] = []
    private var oldest = 0
    private let unpackedLimit: Int
    private let tombstoneLimit: Int
    /// The keys of the tombstones that were removed since the last call of `takeRemovedTombstones`.
    private var removedTombstones: [SessionKey] = []

    init(unpackedLimit: Int, tombstoneLimit: Int) {
      self.unpackedLimit = unpackedLimit
      self.tombstoneLimit = tombstoneLimit
    }

    subscript(key: SessionKey) -> SessionLookup {
      switch slots[key] {
      case nil: .unknown
      case .gone(let tombstone): .gone(owner: tombstone.owner)
      case .live(let session): .live(session)
      }
    }

    func live(_ key: SessionKey) -> StoredSession? {
      guard case .live(let session) = slots[key] else { return nil }
      return session
    }

    var liveCount: Int { slots.count - tombstoneCount }

    func forEachLive(_ body: (StoredSession) -> Void) {
      for case .live(let session) in slots.values { body(session) }
    }

    /// Adds a session. Returns false if its key is taken.
    mutating func insert(_ session: StoredSession) -> Bool {
      guard slots[session.key] == nil else { return false }
      slots[session.key] = .live(session)
      keepUnpacked(session)
      return true
    }

    /// Replaces a session. Returns false if the session has been replaced or has ended.
    mutating func replace(_ session: StoredSession, with next: StoredSession) -> Bool {
      guard let current = live(session.key), current.version == session.version else { return false }
      slots[session.key] = .live(next)
      if !current.navigation.isLive { keepUnpacked(next) }
      return true
    }

    /// Keeps the session unpacked until another one needs its place. By then most sessions are no longer in use.
    private mutating func keepUnpacked(_ session: StoredSession) {
      guard session.navigation.isLive else { return }
      guard unpacked.count == unpackedLimit else { return unpacked.append(session.key) }
      guard unpackedLimit > 0 else { return slots[session.key] = .live(session.packed()) }
      if let displaced = live(unpacked[oldest]) { slots[displaced.key] = .live(displaced.packed()) }
      unpacked[oldest] = session.key
      oldest = (oldest + 1) % unpackedLimit
    }

    /// Replaces a session with a tombstone. Returns false if the session has been replaced or has ended.
    mutating func end(_ session: StoredSession, forgetAt: Timestamp) -> Bool {
      guard live(session.key)?.version == session.version else { return false }
      slots[session.key] = .gone(Tombstone(owner: session.owner, forgetAt: forgetAt))
      tombstoneCount += 1
      if tombstoneCount > tombstoneLimit { removeOldestTombstones(max(1, tombstoneLimit / 4)) }
      return true
    }

    /// Ends the expired sessions, and removes the tombstones that are due.
    ///
    /// - Parameter tombstoneLifetime: the lifetime of the tombstones of expired sessions, in seconds.
    /// - Returns: the sessions that have expired.
    mutating func sweep(now: Timestamp, tombstoneLifetime: Int64) -> [StoredSession] {
      var expired: [StoredSession] = []
      var due: [SessionKey] = []
      for (key, slot) in slots {
        switch slot {
        case .live(let session) where session.expiresAt <= now: expired.append(session)
        case .gone(let tombstone) where tombstone.forgetAt <= now: due.append(key)
        default: break
        }
      }
      removeTombstones(due)
      for session in expired { _ = end(session, forgetAt: session.expiresAt + tombstoneLifetime) }
      return expired
    }

    /// Returns the keys of the tombstones that were removed since the last call.
    mutating func takeRemovedTombstones() -> [SessionKey] {
      defer { removedTombstones = [] }
      return removedTombstones
    }

    private mutating func removeOldestTombstones(_ count: Int) {
      let tombstones = slots.compactMap { key, slot in
        if case .gone(let tombstone) = slot { (key, tombstone.forgetAt) } else { nil }
      }
      removeTombstones(tombstones.sorted { $0.1 < $1.1 }.prefix(count).map(\.0))
    }

    private mutating func removeTombstones(_ keys: [SessionKey]) {
      for key in keys { slots[key] = nil }
      tombstoneCount -= keys.count
      removedTombstones += keys
    }
  }
}
