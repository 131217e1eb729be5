internal import Sessions
internal import Synchronization

/// The outcomes of creations with an idempotency key. Those of living sessions are kept for as long as they last; of the others
/// the oldest make room.
final class CreationOutcomes: Sendable {
  /// The newest are kept even if their sessions have ended.
  private static let newest = 1024

  private struct State {
    var outcomes: [OutcomeKey: CreationOutcome] = [:]
    /// The keys from the oldest to the newest; the outcomes of those before `oldest` have been dropped.
    var keys: [OutcomeKey] = []
    var oldest = 0

    mutating func dropExpired(at now: Timestamp) {
      while oldest < keys.count, let outcome = outcomes[keys[oldest]], outcome.expiresAt <= now {
        outcomes[keys[oldest]] = nil
        oldest += 1
      }
      if oldest > 1024, oldest > keys.count / 2 {
        keys.removeFirst(oldest)
        oldest = 0
      }
    }

    mutating func dropEnded(_ isLive: (SessionKey) -> Bool) {
      var kept: [OutcomeKey] = []
      for (place, key) in keys.enumerated().dropFirst(oldest) {
        guard let outcome = outcomes[key] else { continue }
        if place >= keys.count - CreationOutcomes.newest || isLive(outcome.session.key) {
          kept.append(key)
        } else {
          outcomes[key] = nil
        }
      }
      keys = kept
      oldest = 0
    }
  }

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter sessionLimit: how many sessions may live at once. Twice as many outcomes are kept, so that looking for those
  ///   of ended sessions is done for many at a time.
  init(sessionLimit: Int) { limit = 2 * sessionLimit + Self.newest }

  subscript(key: OutcomeKey) -> CreationOutcome? { state.withLock { $0.outcomes[key] } }

  /// Does a write together with its outcome: nobody sees one without the other. False where there is an outcome already, or the
  /// write says so.
  func claim(
    _ outcome: CreationOutcome, isLive: (SessionKey) -> Bool, _ write: () throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    try state.withLock { state throws(StoreError) in
      state.dropExpired(at: outcome.storedAt)
      guard state.outcomes[outcome.key] == nil, try write() else { return false }
      if state.outcomes.count >= limit { state.dropEnded(isLive) }
      state.outcomes[outcome.key] = outcome
      state.keys.append(outcome.key)
      return true
    }
  }

  func sweep(now: Timestamp) { state.withLock { $0.dropExpired(at: now) } }
}
