internal import Synchronization

/// The outcomes of creations with an idempotency key; past the limit the oldest makes room.
final class CreationOutcomes: Sendable {
  private struct State {
    var outcomes: [OutcomeKey: StoredOutcome] = [:]
    /// The keys from the oldest to the newest. Those before `oldest` have been dropped.
    var keys: [OutcomeKey] = []
    var oldest = 0

    mutating func dropExpired(at now: Timestamp) {
      while oldest < keys.count, let outcome = outcomes[keys[oldest]], outcome.expiresAt <= now { dropOldest() }
    }

    mutating func dropOldest() {
      outcomes[keys[oldest]] = nil
      oldest += 1
      if oldest > 1024, oldest > keys.count / 2 {
        keys.removeFirst(oldest)
        oldest = 0
      }
    }
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  subscript(key: OutcomeKey) -> StoredOutcome? { state.withLock { $0.outcomes[key] } }

  /// Does a write together with its outcome: nobody sees one without the other.
  func claim(_ outcome: StoredOutcome, _ write: () -> StoreResult) -> StoreResult {
    state.withLock { state in
      state.dropExpired(at: outcome.storedAt)
      guard state.outcomes[outcome.key] == nil else { return .duplicateOutcome }
      let result = write()
      guard result == .committed else { return result }
      if state.outcomes.count >= limit { state.dropOldest() }
      state.outcomes[outcome.key] = outcome
      state.keys.append(outcome.key)
      return result
    }
  }

  func sweep(now: Timestamp) { state.withLock { $0.dropExpired(at: now) } }
}
