internal import Navigation
internal import Sessions
internal import Synchronization
internal import Values

/// The outcomes of session creations by idempotency key. An outcome lasts until it expires or its session's tombstone
/// is removed.
final class CreationOutcomes: Sendable {
  private struct State {
    var entries: [IdempotencyDigest: Entry] = [:]
    /// The idempotency keys that sessions were created with.
    var keys: [SessionKey: IdempotencyDigest] = [:]
    /// The entries from the oldest to the newest. All entries before `oldest` have been removed, and some of the
    /// others.
    var queue: [(key: IdempotencyDigest, session: SessionKey)] = []
    var oldest = 0

    /// Returns the entry at a position in the queue, or nil if it has been removed.
    func entry(at position: Int) -> Entry? {
      let (key, session) = queue[position]
      return entries[key].flatMap { $0.session == session ? $0 : nil }
    }

    mutating func remove(_ session: SessionKey) {
      if let key = keys.removeValue(forKey: session) { entries[key] = nil }
    }

    mutating func removeExpired(at now: Timestamp) {
      while oldest < queue.count {
        if let entry = entry(at: oldest) {
          guard entry.expiresAt <= now else { break }
          remove(entry.session)
        }
        oldest += 1
      }
      guard queue.count > 2 * entries.count + 1024 else { return }
      queue = (oldest..<queue.count).filter { entry(at: $0) != nil }.map { queue[$0] }
      oldest = 0
    }
  }

  private struct Entry {
    var lookup: CreationLookup
    let session: SessionKey
    let expiresAt: Timestamp
  }

  private let state = Mutex(State())

  subscript(key: IdempotencyDigest) -> CreationLookup { state.withLock { $0.entries[key]?.lookup ?? .unknown } }

  /// Stores an outcome together with the write that it belongs to, atomically for all readers. Returns false if the
  /// idempotency key is taken or the write returns false.
  func insert(
    _ outcome: CreationOutcome, with write: () throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    try state.withLock { state throws(StoreError) in
      state.removeExpired(at: outcome.storedAt)
      guard state.entries[outcome.key] == nil, try write() else { return false }
      let session = outcome.session.key
      state.entries[outcome.key] = Entry(lookup: .live(outcome), session: session, expiresAt: outcome.expiresAt)
      state.keys[session] = outcome.key
      state.queue.append((outcome.key, session))
      return true
    }
  }

  /// Reduces the outcome of an ended session to the fingerprint of its request.
  func end(_ session: SessionKey) {
    state.withLock { state in
      guard let key = state.keys[session], case .live(let outcome) = state.entries[key]?.lookup else { return }
      state.entries[key]?.lookup = .gone(fingerprint: outcome.fingerprint, expiresAt: outcome.expiresAt)
    }
  }

  /// Removes the outcomes of sessions whose tombstones were removed.
  func remove(_ sessions: [SessionKey]) {
    guard !sessions.isEmpty else { return }
    state.withLock { state in for session in sessions { state.remove(session) } }
  }

  func sweep(now: Timestamp) { state.withLock { $0.removeExpired(at: now) } }
}
