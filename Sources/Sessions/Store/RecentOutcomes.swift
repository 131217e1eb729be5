/// The outcomes of a session's last requests with an idempotency key, oldest first.
struct RecentOutcomes {
  private static let countLimit = 64
  /// The newest outcome is kept however large it is.
  private static let byteLimit = 256 * 1024

  private var outcomes: [(outcome: StoredOutcome, size: Int)] = []

  subscript(key: OutcomeKey) -> StoredOutcome? { outcomes.last { $0.outcome.key == key }?.outcome }

  /// Whether an outcome is kept under the key at this moment.
  func contains(_ key: OutcomeKey, at now: Timestamp) -> Bool { self[key].map { now < $0.expiresAt } ?? false }

  mutating func append(_ outcome: StoredOutcome) {
    let packed = outcome.record.navigation.packed
    var kept = outcome
    kept.record.navigation = .packed(packed)
    outcomes.append((kept, packed.count))
    var bytes = outcomes.reduce(0) { $0 + $1.size }
    var surplus = 0
    while surplus < outcomes.count - 1,
      outcomes.count - surplus > Self.countLimit || bytes > Self.byteLimit
        || outcomes[surplus].outcome.expiresAt <= outcome.storedAt
    {
      bytes -= outcomes[surplus].size
      surplus += 1
    }
    outcomes.removeFirst(surplus)
  }
}
