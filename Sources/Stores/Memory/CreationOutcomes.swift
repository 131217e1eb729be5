internal import Sessions
internal import Synchronization

/// The outcomes of creations with an idempotency key, for as long as they last and their sessions are remembered.
final class CreationOutcomes: Sendable {
  private struct State {
    var outcomes: [IdempotencyDigest: Outcome] = [:]
    /// The keys that sessions were created with.
    var keys: [SessionKey: IdempotencyDigest] = [:]
    /// The outcomes from the oldest to the newest. Those before `oldest` have been dropped, and some of the others.
    var queue: [(key: IdempotencyDigest, session: SessionKey)] = []
    var oldest = 0

    /// What the queue's entry stands for, unless it has been dropped.
    func outcome(_ place: Int) -> Outcome? {
      let entry = queue[place]
      return outcomes[entry.key].flatMap { $0.session == entry.session ? $0 : nil }
    }

    mutating func drop(_ session: SessionKey) {
      if let key = keys.removeValue(forKey: session) { outcomes[key] = nil }
    }

    mutating func dropExpired(at now: Timestamp) {
      while oldest < queue.count {
        if let outcome = outcome(oldest) {
          guard outcome.expiresAt <= now else { break }
          drop(outcome.session)
        }
        oldest += 1
      }
      guard queue.count > 2 * outcomes.count + 1024 else { return }
      queue = (oldest..<queue.count).filter { outcome($0) != nil }.map { queue[$0] }
      oldest = 0
    }
  }

  private struct Outcome {
    var found: CreationLookup
    let session: SessionKey
    let expiresAt: Timestamp
  }

  private let state = Mutex(State())

  subscript(key: IdempotencyDigest) -> CreationLookup { state.withLock { $0.outcomes[key]?.found ?? .unknown } }

  /// Does a write together with its outcome: nobody sees one without the other. False where there is an outcome already, or the
  /// write says so.
  func claim(
    _ outcome: CreationOutcome, _ write: () throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    try state.withLock { state throws(StoreError) in
      state.dropExpired(at: outcome.storedAt)
      guard state.outcomes[outcome.key] == nil, try write() else { return false }
      let session = outcome.session.key
      state.outcomes[outcome.key] = Outcome(found: .live(outcome), session: session, expiresAt: outcome.expiresAt)
      state.keys[session] = outcome.key
      state.queue.append((outcome.key, session))
      return true
    }
  }

  /// Keeps nothing of the creation of a session that has ended but the fingerprint of its request.
  func end(_ session: SessionKey) {
    state.withLock { state in
      guard let key = state.keys[session], case .live(let outcome) = state.outcomes[key]?.found else { return }
      state.outcomes[key]?.found = .gone(fingerprint: outcome.fingerprint, expiresAt: outcome.expiresAt)
    }
  }

  /// Drops the outcomes of sessions that are not remembered any more.
  func forget(_ sessions: [SessionKey]) {
    guard !sessions.isEmpty else { return }
    state.withLock { state in for session in sessions { state.drop(session) } }
  }

  func sweep(now: Timestamp) { state.withLock { $0.dropExpired(at: now) } }
}
