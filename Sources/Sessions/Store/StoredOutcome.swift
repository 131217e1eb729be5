public import Values

/// What came of a request about a session that had an `Idempotency-Key`, for the replay of it: the session as it was then, if
/// that is kept.
public struct StoredOutcome: Sendable {
  public let key: OutcomeKey
  /// The digest of the request; another request under the same key is a conflict.
  public let fingerprint: Digest256
  /// The revision that it led to.
  public let revision: UInt64
  /// The navigation at that revision, packed; nil where it is not kept any more.
  public var packed: [UInt8]?
  public let storedAt: Timestamp
  /// From here on the key is as good as new.
  public let expiresAt: Timestamp
}

/// What came of the creation of a session under an `Idempotency-Key`. It is stored with the session, so there is never one
/// without the other.
public struct CreationOutcome: Sendable {
  public let key: OutcomeKey
  /// The digest of the request; another request under the same key is a conflict.
  public let fingerprint: Digest256
  /// The session's id, readable only with the idempotency key.
  public let sealedID: SealedSessionID
  /// The session as it was created.
  public let session: StoredSession
  public let storedAt: Timestamp
  /// From here on the key is as good as new.
  public let expiresAt: Timestamp

  public init(
    key: OutcomeKey, fingerprint: Digest256, sealedID: SealedSessionID, session: StoredSession, storedAt: Timestamp,
    expiresAt: Timestamp
  ) {
    self.key = key
    self.fingerprint = fingerprint
    self.sealedID = sealedID
    self.session = session
    self.storedAt = storedAt
    self.expiresAt = expiresAt
  }
}

/// What a store knows of a creation under an idempotency key.
public enum CreationLookup: Sendable {
  case live(CreationOutcome)
  /// The session has ended; of the request only the digest is kept. From `expiresAt` on the key is as good as new.
  case gone(fingerprint: Digest256, expiresAt: Timestamp)
  case unknown
}

/// The digest of an idempotency key and of what it is for: one session, or the creation of sessions.
public struct OutcomeKey: Sendable, Hashable {
  private let digest: Digest256

  init(_ key: String, of session: SessionKey) { self.init(key, parts: [session.bytes]) }

  /// For the creation of a session.
  ///
  /// - Parameter owner: whom it is to belong to: what others create has keys of its own.
  init(_ key: String, creationBy owner: SessionOwner?) {
    self.init(key, parts: [[]] + (owner.map { [$0.bytes] } ?? []))
  }

  private init(_ key: String, parts: [[UInt8]]) {
    digest = Digest256(ofParts: [Array("usher outcome".utf8)] + parts + [Array(key.utf8)])
  }

  /// Nil unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard let digest = Digest256(bytes: bytes) else { return nil }
    self.digest = digest
  }

  /// The 32 bytes, as a store keeps them.
  public var bytes: [UInt8] { digest.bytes }
}
