internal import Synchronization

/// The outcomes in memory. They are few: only requests with an idempotency key have one.
final class OutcomeTable: Sendable {
  private let outcomes = Mutex<[OutcomeKey: StoredOutcome]>([:])
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  subscript(key: OutcomeKey) -> StoredOutcome? { outcomes.withLock { $0[key] } }

  /// Does a write together with its outcome: nobody sees one without the other.
  func claim(_ outcome: StoredOutcome?, _ write: () -> StoreResult) throws(StoreError) -> StoreResult {
    guard let outcome else { return write() }
    return try outcomes.withLock { outcomes throws(StoreError) in
      if let earlier = outcomes[outcome.key], outcome.storedAt < earlier.expiresAt { return .duplicateOutcome }
      guard outcomes.count < limit else { throw .full(limit: limit) }
      let result = write()
      if result == .committed { outcomes[outcome.key] = outcome }
      return result
    }
  }

  func sweep(now: Timestamp) {
    outcomes.withLock { outcomes in
      for (key, outcome) in outcomes where outcome.expiresAt <= now { outcomes[key] = nil }
    }
  }
}
