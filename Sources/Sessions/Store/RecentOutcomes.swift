internal import Values

/// The outcomes of a session's last requests with an idempotency key, oldest first.
public struct RecentOutcomes: Sendable {
  private static let countLimit = 64
  /// The newest outcome is kept however large it is.
  private static let byteLimit = 256 * 1024

  private var outcomes: [StoredOutcome] = []

  public init() {}

  /// What is kept under the key at this moment.
  func outcome(for key: OutcomeKey, at now: Timestamp) -> StoredOutcome? {
    outcomes.last { $0.key == key }.flatMap { now < $0.expiresAt ? $0 : nil }
  }

  mutating func append(_ outcome: StoredOutcome) {
    outcomes.append(outcome)
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

// MARK: - Packing

extension RecentOutcomes {
  func write(to out: inout ByteWriter) {
    out.append(varint: UInt64(outcomes.count))
    for outcome in outcomes {
      out.append(sized: outcome.key.bytes)
      out.append(sized: outcome.fingerprint.bytes)
      out.append(varint: outcome.revision)
      out.append(sized: outcome.packed)
      out.append(outcome.storedAt)
      out.append(outcome.expiresAt)
    }
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    for _ in 0..<(try input.varint()) {
      guard let key = OutcomeKey(bytes: try input.sizedBytes()),
        let fingerprint = Digest256(bytes: try input.sizedBytes())
      else { throw ValueError(.truncated, offset: input.position) }
      outcomes.append(
        StoredOutcome(
          key: key, fingerprint: fingerprint, revision: try input.varint(), packed: try input.sizedBytes(),
          storedAt: try input.timestamp(), expiresAt: try input.timestamp()))
    }
  }
}
