internal import DequeModule
internal import Navigation
internal import Sessions
internal import Values

/// The outcomes of session creations by idempotency key. An outcome lasts until it expires or its session's tombstone
/// is removed.
struct CreationOutcomes {
  private struct Entry {
    var lookup: CreationLookup
    let session: SessionKey
    let expiresAt: Timestamp
  }

  private var entries: [IdempotencyDigest: Entry] = [:]
  /// The idempotency keys that sessions were created with.
  private var keys: [SessionKey: IdempotencyDigest] = [:]
  /// The entries from the oldest to the newest. Some entries have been removed.
  private var queue = Deque<(key: IdempotencyDigest, session: SessionKey)>()

  subscript(key: IdempotencyDigest) -> CreationLookup { entries[key]?.lookup ?? .unknown }

  /// Stores an outcome together with the write that it belongs to, atomically for all readers. Returns false if the
  /// idempotency key is taken or the write returns false.
  mutating func insert(
    _ outcome: CreationOutcome, with write: () throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    removeExpired(at: outcome.storedAt)
    guard entries[outcome.key] == nil, try write() else { return false }
    let session = outcome.session.key
    entries[outcome.key] = Entry(lookup: .live(outcome), session: session, expiresAt: outcome.expiresAt)
    keys[session] = outcome.key
    queue.append((outcome.key, session))
    return true
  }

  /// Reduces the outcome of an ended session to the fingerprint of its request.
  mutating func end(_ session: SessionKey) {
    guard let key = keys[session], case .live(let outcome) = entries[key]?.lookup else { return }
    entries[key]?.lookup = .gone(fingerprint: outcome.fingerprint, expiresAt: outcome.expiresAt)
  }

  /// Removes the outcome of a session whose tombstone was removed.
  mutating func remove(_ session: SessionKey) {
    if let key = keys.removeValue(forKey: session) { entries[key] = nil }
  }

  mutating func removeExpired(at now: Timestamp) {
    while let oldest = queue.first {
      if isCurrent(oldest), let entry = entries[oldest.key] {
        guard entry.expiresAt <= now else { break }
        remove(oldest.session)
      }
      queue.removeFirst()
    }
    if queue.count > 2 * entries.count + 1024 { queue = queue.filter(isCurrent) }
  }

  /// Returns whether an entry of the queue has not been removed.
  private func isCurrent(_ queued: (key: IdempotencyDigest, session: SessionKey)) -> Bool {
    entries[queued.key]?.session == queued.session
  }
}
