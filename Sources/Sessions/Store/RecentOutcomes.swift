/// The outcomes of a session's last requests with an idempotency key, oldest first: what is not the same for all of them.
struct RecentOutcomes {
  private static let countLimit = 64
  /// The newest outcome is kept however large it is.
  private static let byteLimit = 256 * 1024

  struct Kept {
    let key: OutcomeKey
    let fingerprint: Digest256
    let revision: UInt64
    let packed: [UInt8]
    let storedAt: Timestamp
    let expiresAt: Timestamp
  }

  private var outcomes: [Kept] = []

  subscript(key: OutcomeKey) -> Kept? { outcomes.last { $0.key == key } }

  /// Whether an outcome is kept under the key at this moment.
  func contains(_ key: OutcomeKey, at now: Timestamp) -> Bool { self[key].map { now < $0.expiresAt } ?? false }

  mutating func append(_ outcome: StoredOutcome) {
    outcomes.append(
      Kept(
        key: outcome.key, fingerprint: outcome.fingerprint, revision: outcome.record.revision,
        packed: outcome.record.navigation.packed, storedAt: outcome.storedAt, expiresAt: outcome.expiresAt))
    var bytes = outcomes.reduce(0) { $0 + $1.packed.count }
    var surplus = 0
    while surplus < outcomes.count - 1,
      outcomes.count - surplus > Self.countLimit || bytes > Self.byteLimit
        || outcomes[surplus].expiresAt <= outcome.storedAt
    {
      bytes -= outcomes[surplus].packed.count
      surplus += 1
    }
    outcomes.removeFirst(surplus)
  }
}
