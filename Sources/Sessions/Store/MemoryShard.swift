internal import Synchronization

/// A part of the sessions in memory with its lock. A class, because a lock has one place in memory.
final class MemoryShard: Sendable {
  let sessions: Mutex<Sessions>

  /// - Parameter liveLimit: sessions whose states are kept as they are; the others are packed.
  init(liveLimit: Int) { sessions = Mutex(Sessions(liveLimit: liveLimit)) }

  struct Sessions {
    /// Ended sessions that are remembered at most; then the quarter that was to be forgotten next goes at once.
    private static let goneLimit = 4096

    private var byKey: [SessionKey: MemorySession] = [:]
    private var goneCount = 0
    /// The sessions that were not packed yet, at most `liveLimit`; the one at `oldest` makes room for the next.
    private var recent: [LiveSession] = []
    private var oldest = 0
    private let liveLimit: Int

    init(liveLimit: Int) { self.liveLimit = liveLimit }

    subscript(key: SessionKey) -> MemorySession? { byKey[key] }

    func live(_ key: SessionKey) -> LiveSession? {
      guard case .live(let session) = byKey[key] else { return nil }
      return session
    }

    /// False where the key is taken.
    mutating func insert(_ session: LiveSession, _ key: SessionKey) -> Bool {
      guard byKey[key] == nil else { return false }
      byKey[key] = .live(session)
      keepLive(session)
      return true
    }

    mutating func commit(
      _ record: SessionRecord, _ entry: JournalEntry, _ outcome: StoredOutcome?, keeping retention: Int
    ) -> StoreResult {
      guard let session = live(record.key) else { return .conflict }
      let wasLive = session.isLive
      let result = session.replace(with: record, entry, outcome, keeping: retention)
      if !wasLive, session.isLive { keepLive(session) }
      return result
    }

    /// Packing is put off until another session takes the place: mostly a session is done with by then.
    private mutating func keepLive(_ session: LiveSession) {
      guard recent.count == liveLimit else { return recent.append(session) }
      guard liveLimit > 0 else { return session.pack() }
      recent[oldest].pack()
      recent[oldest] = session
      oldest = (oldest + 1) % liveLimit
    }

    /// False where no session lives under the key.
    mutating func end(_ key: SessionKey, forgetAt: Timestamp) -> Bool {
      guard let session = live(key) else { return false }
      byKey[key] = .gone(forgetAt: forgetAt)
      session.pack()
      goneCount += 1
      if goneCount > Self.goneLimit { forget(Self.goneLimit / 4) }
      return true
    }

    /// Ends expired sessions, and forgets those that are to be forgotten; returns how many have expired.
    mutating func sweep(now: Timestamp, memory: Int64) -> Int {
      var expired: [(SessionKey, LiveSession)] = []
      var forgotten: [SessionKey] = []
      for (key, session) in byKey {
        switch session {
        case .live(let session) where session.expiresAt <= now: expired.append((key, session))
        case .gone(let forgetAt) where forgetAt <= now: forgotten.append(key)
        default: break
        }
      }
      for key in forgotten { byKey[key] = nil }
      goneCount -= forgotten.count
      for (key, session) in expired { _ = end(key, forgetAt: session.expiresAt + memory) }
      return expired.count
    }

    private mutating func forget(_ count: Int) {
      let gone = byKey.compactMap { key, session in
        if case .gone(let forgetAt) = session { (key, forgetAt) } else { nil }
      }
      for (key, _) in gone.sorted(by: { $0.1 < $1.1 }).prefix(count) { byKey[key] = nil }
      goneCount -= min(count, gone.count)
    }
  }
}
