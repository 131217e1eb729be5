internal import Values

/// The outcomes of a session's last requests with an idempotency key, oldest first.
public struct RecentOutcomes: Sendable {
  private static let countLimit = 64
  /// Above this many bytes the navigation is dropped from the older ones, but not from the newest. That they were done stays known.
  private static let byteLimit = 256 * 1024

  private var outcomes: [StoredOutcome] = []

  public init() {}

  /// About how many bytes they take.
  var size: Int { outcomes.reduce(0) { $0 + 128 + ($1.packed?.count ?? 0) } }

  /// What is kept under the key at this moment.
  func outcome(for key: OutcomeKey, at now: Timestamp) -> StoredOutcome? {
    outcomes.last { $0.key == key }.flatMap { now < $0.expiresAt ? $0 : nil }
  }

  mutating func append(_ outcome: StoredOutcome) {
    outcomes.removeAll { $0.expiresAt <= outcome.storedAt }
    if outcomes.count == Self.countLimit { outcomes.removeFirst() }
    outcomes.append(outcome)
    var surplus = size - Self.byteLimit
    for place in outcomes.indices.dropLast() where surplus > 0 {
      surplus -= outcomes[place].packed?.count ?? 0
      outcomes[place].packed = nil
    }
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
      out.append(sized: outcome.packed ?? [])
      out.append(outcome.storedAt)
      out.append(outcome.expiresAt)
    }
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    for _ in 0..<(try input.varint()) {
      guard let key = OutcomeKey(bytes: try input.sizedBytes()),
        let fingerprint = Digest256(bytes: try input.sizedBytes())
      else { throw ValueError(.truncated, offset: input.position) }
      let revision = try input.varint()
      let packed = try input.sizedBytes()
      outcomes.append(
        StoredOutcome(
          key: key, fingerprint: fingerprint, revision: revision, packed: packed.isEmpty ? nil : packed,
          storedAt: try input.timestamp(), expiresAt: try input.timestamp()))
    }
  }
}
