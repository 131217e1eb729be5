internal import Navigation
internal import Sessions
internal import Synchronization
internal import Values

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
    private struct Tombstone {
      let owner: SessionOwner?
      let forgetAt: Timestamp
    }

    /// The recently used sessions.
    private var unpacked: [SessionKey: StoredSession] = [:]
    /// All other sessions.
    private var packed = PackedSessions()
    private var tombstones: [SessionKey: Tombstone] = [:]
    /// A ring of the keys of unpacked sessions. The session at `oldest` makes room for the next.
    private var ring: [SessionKey] = []
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
      if let session = unpacked[key] ?? packed[key] { return .live(session) }
      return tombstones[key].map { .gone(owner: $0.owner) } ?? .unknown
    }

    /// The version of a session; nil if there is none, or only a tombstone.
    private func version(of key: SessionKey) -> SessionVersion? {
      unpacked[key]?.version ?? packed.header(of: key)?.version
    }

    /// The number of sessions.
    var count: Int { unpacked.count + packed.count }

    /// Calls `body` with the header of each session, and with a function that returns the session.
    func forEach(_ body: (SessionHeader, () -> StoredSession) -> Void) {
      for session in unpacked.values { body(SessionHeader(session)) { session } }
      packed.forEach(body)
    }

    /// Adds a session. Returns false if its key is taken.
    mutating func insert(_ session: StoredSession) -> Bool {
      guard version(of: session.key) == nil, tombstones[session.key] == nil else { return false }
      store(session)
      return true
    }

    /// Replaces a session. Returns false if the session has been replaced or has ended.
    mutating func replace(_ session: StoredSession, with next: StoredSession) -> Bool {
      // Nearly all replacements: one look-up serves the comparison and the replacement.
      if next.navigation.live != nil, let index = unpacked.index(forKey: session.key) {
        guard unpacked.values[index].version == session.version else { return false }
        unpacked.values[index] = next
        return true
      }
      guard version(of: session.key) == session.version else { return false }
      store(next)
      return true
    }

    /// Stores a session. A live one stays unpacked until another one displaces it. By then most sessions are no
    /// longer in use.
    private mutating func store(_ session: StoredSession) {
      guard session.navigation.live != nil, unpackedLimit > 0 else {
        unpacked[session.key] = nil
        return packed.insert(session)
      }
      guard unpacked.updateValue(session, forKey: session.key) == nil else { return }
      packed.remove(session.key)
      guard ring.count == unpackedLimit else { return ring.append(session.key) }
      if let displaced = unpacked.removeValue(forKey: ring[oldest]) { packed.insert(displaced) }
      ring[oldest] = session.key
      oldest = (oldest + 1) % unpackedLimit
    }

    /// Replaces a session with a tombstone. Returns false if the session has been replaced or has ended.
    mutating func end(_ session: StoredSession, forgetAt: Timestamp) -> Bool {
      guard version(of: session.key) == session.version else { return false }
      if unpacked.removeValue(forKey: session.key) == nil { packed.remove(session.key) }
      tombstones[session.key] = Tombstone(owner: session.owner, forgetAt: forgetAt)
      if tombstones.count > tombstoneLimit { removeOldestTombstones(max(1, tombstoneLimit / 4)) }
      return true
    }

    /// Ends the expired sessions, and removes the tombstones that are due.
    ///
    /// - Parameter tombstoneLifetime: the lifetime of the tombstones of expired sessions, in seconds.
    /// - Returns: the sessions that have expired.
    mutating func sweep(now: Timestamp, tombstoneLifetime: Int64) -> [StoredSession] {
      var expired: [StoredSession] = []
      forEach { header, session in if header.expiresAt <= now { expired.append(session()) } }
      removeTombstones(tombstones.filter { $0.value.forgetAt <= now }.map(\.key))
      for session in expired { _ = end(session, forgetAt: session.expiresAt + tombstoneLifetime) }
      return expired
    }

    /// Ends the sessions of a group, and returns them.
    mutating func end(_ group: SessionGroup, forgetAt: Timestamp) -> [StoredSession] {
      var members: [StoredSession] = []
      switch group {
      case .owner(let owner): members = unpacked.values.filter { $0.owner == owner } + packed.sessions(of: owner)
      case .definition(let digest):
        forEach { _, session in
          let session = session()
          if session.definition == digest { members.append(session) }
        }
      }
      for session in members { _ = end(session, forgetAt: forgetAt) }
      return members
    }

    /// Returns the keys of the tombstones that were removed since the last call.
    mutating func takeRemovedTombstones() -> [SessionKey] {
      defer { removedTombstones = [] }
      return removedTombstones
    }

    private mutating func removeOldestTombstones(_ count: Int) {
      removeTombstones(tombstones.sorted { $0.value.forgetAt < $1.value.forgetAt }.prefix(count).map(\.key))
    }

    private mutating func removeTombstones(_ keys: [SessionKey]) {
      for key in keys { tombstones[key] = nil }
      removedTombstones += keys
    }
  }
}
