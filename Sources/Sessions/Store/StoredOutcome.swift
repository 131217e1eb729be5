/// What came of a request with an `Idempotency-Key`, for the replay of it: the session as it was then. It is kept with the
/// commit that it belongs to, so there is never one without the other.
public struct StoredOutcome: Sendable, Equatable {
  public let key: OutcomeKey
  /// The digest of the request; another request under the same key is a conflict.
  public let fingerprint: Digest256
  public let record: SessionRecord
  /// The id of a session that was created, readable only with the idempotency key; nil for an action.
  public let sealedID: SealedSessionID?
  public let storedAt: Timestamp
  /// From here on the key is as good as new.
  public let expiresAt: Timestamp

  public init(
    key: OutcomeKey, fingerprint: Digest256, record: SessionRecord, sealedID: SealedSessionID?, storedAt: Timestamp,
    expiresAt: Timestamp
  ) {
    self.key = key
    self.fingerprint = fingerprint
    self.record = record
    self.sealedID = sealedID
    self.storedAt = storedAt
    self.expiresAt = expiresAt
  }
}

/// The digest of an idempotency key and of what it is for: one session, or the creation of sessions.
public struct OutcomeKey: Sendable, Hashable {
  /// The session that the outcome is about, and ends with; nil for a creation.
  public let session: SessionKey?
  private let digest: Digest256

  init(_ key: String, of session: SessionKey?) {
    self.session = session
    digest = Digest256(ofParts: [Array("usher outcome".utf8), session?.bytes ?? [], Array(key.utf8)])
  }

  /// The 32 bytes, as a store keeps them.
  public var bytes: [UInt8] { digest.bytes }

  public static func == (a: OutcomeKey, b: OutcomeKey) -> Bool { a.digest == b.digest }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// A session's id that only the holder of an idempotency key can read: stores keep no id in the clear.
public struct SealedSessionID: Sendable, Equatable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ id: SessionID, under key: String) {
    let (pad, bits) = (Self.pad(of: key), id.bits)
    self.init(high: bits.high ^ pad.0, low: bits.low ^ pad.1)
  }

  func open(with key: String) -> SessionID {
    let pad = Self.pad(of: key)
    return SessionID(high: high ^ pad.0, low: low ^ pad.1)
  }

  private static func pad(of key: String) -> (UInt64, UInt64) {
    let digest = Digest256(ofParts: [Array("usher session id".utf8), Array(key.utf8)]).bytes
    return digest.withUnsafeBytes { raw in
      (raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
