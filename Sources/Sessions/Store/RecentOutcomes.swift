/// The outcomes of a session's last requests with an idempotency key, oldest first.
struct RecentOutcomes {
  private static let countLimit = 64
  /// The newest outcome is kept however large it is.
  private static let byteLimit = 256 * 1024

  private var outcomes: [StoredOutcome] = []

  subscript(key: OutcomeKey) -> StoredOutcome? { outcomes.last { $0.key == key } }

  /// Whether an outcome is kept under the key at this moment.
  func contains(_ key: OutcomeKey, at now: Timestamp) -> Bool { self[key].map { now < $0.expiresAt } ?? false }

  mutating func append(_ outcome: StoredOutcome) {
    outcomes.append(outcome)
    var bytes = outcomes.reduce(0) { $0 + $1.record.packed.count }
    var surplus = 0
    while surplus < outcomes.count - 1,
      outcomes.count - surplus > Self.countLimit || bytes > Self.byteLimit
        || outcomes[surplus].expiresAt <= outcome.storedAt
    {
      bytes -= outcomes[surplus].record.packed.count
      surplus += 1
    }
    outcomes.removeFirst(surplus)
  }
}
