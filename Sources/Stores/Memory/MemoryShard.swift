internal import Sessions
internal import Synchronization

/// A part of the sessions in memory with its lock. A class, because a lock has one place in memory.
final class MemoryShard: Sendable {
  let contents: Mutex<Contents>

  /// - Parameters:
  ///   - liveLimit: sessions whose states are kept as they are; the others are packed.
  ///   - endedLimit: ended sessions that are remembered; then the quarter that was to be forgotten next goes at once.
  init(liveLimit: Int, endedLimit: Int) { contents = Mutex(Contents(liveLimit: liveLimit, endedLimit: endedLimit)) }

  struct Contents {
    /// References, because a hash table has about twice as many slots as entries.
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
    private var goneCount = 0
    /// The sessions that were not packed yet, at most `liveLimit`; the one at `oldest` makes room for the next.
    private var unpacked: [SessionKey] = []
    private var oldest = 0
    private let liveLimit: Int
    private let endedLimit: Int
    /// Ended sessions that were forgotten since somebody asked.
    private var forgotten: [SessionKey] = []

    init(liveLimit: Int, endedLimit: Int) {
      self.liveLimit = liveLimit
      self.endedLimit = endedLimit
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

    var liveCount: Int { slots.count - goneCount }

    /// Calls `body` with every session that lives.
    func forEachLive(_ body: (StoredSession) -> Void) {
      for case .live(let session) in slots.values { body(session) }
    }

    /// False where the key is taken.
    mutating func insert(_ session: StoredSession) -> Bool {
      guard slots[session.key] == nil else { return false }
      slots[session.key] = .live(session)
      keepUnpacked(session)
      return true
    }

    mutating func replace(_ session: StoredSession, with next: StoredSession) -> Bool {
      guard let current = live(session.key), current.version == session.version else { return false }
      slots[session.key] = .live(next)
      if !current.navigation.isLive { keepUnpacked(next) }
      return true
    }

    /// Packing is put off until another session takes the place: mostly a session is done with by then.
    private mutating func keepUnpacked(_ session: StoredSession) {
      guard session.navigation.isLive else { return }
      guard unpacked.count == liveLimit else { return unpacked.append(session.key) }
      guard liveLimit > 0 else { return slots[session.key] = .live(session.packed()) }
      if let displaced = live(unpacked[oldest]) { slots[displaced.key] = .live(displaced.packed()) }
      unpacked[oldest] = session.key
      oldest = (oldest + 1) % liveLimit
    }

    /// False where the session has been replaced or has ended.
    mutating func end(_ session: StoredSession, forgetAt: Timestamp) -> Bool {
      guard live(session.key)?.version == session.version else { return false }
      slots[session.key] = .gone(Tombstone(owner: session.owner, forgetAt: forgetAt))
      goneCount += 1
      if goneCount > endedLimit { forget(max(1, endedLimit / 4)) }
      return true
    }

    /// Ends expired sessions, and forgets those that are to be forgotten; returns those that have expired.
    mutating func sweep(now: Timestamp, tombstoneLifetime: Int64) -> [StoredSession] {
      var expired: [StoredSession] = []
      var over: [SessionKey] = []
      for (key, slot) in slots {
        switch slot {
        case .live(let session) where session.expiresAt <= now: expired.append(session)
        case .gone(let tombstone) where tombstone.forgetAt <= now: over.append(key)
        default: break
        }
      }
      forget(over)
      for session in expired { _ = end(session, forgetAt: session.expiresAt + tombstoneLifetime) }
      return expired
    }

    /// The ended sessions that were forgotten since this was asked last.
    mutating func takeForgotten() -> [SessionKey] {
      defer { forgotten = [] }
      return forgotten
    }

    private mutating func forget(_ count: Int) {
      let gone = slots.compactMap { key, slot in
        if case .gone(let tombstone) = slot { (key, tombstone.forgetAt) } else { nil }
      }
      forget(gone.sorted { $0.1 < $1.1 }.prefix(count).map(\.0))
    }

    private mutating func forget(_ keys: [SessionKey]) {
      for key in keys { slots[key] = nil }
      goneCount -= keys.count
      forgotten += keys
    }
  }
}
