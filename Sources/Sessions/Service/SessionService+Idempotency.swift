internal import Values

/// An idempotency key, and the digest of the request that used it.
public struct Idempotency: Sendable {
  public let key: String
  let fingerprint: Digest256

  /// - Parameter request: the parts that the key identifies: method, path and body.
  public init(key: String, request: [[UInt8]]) {
    self.key = key
    fingerprint = Digest256(ofParts: request)
  }
}

/// Idempotency keys (IETF draft draft-ietf-httpapi-idempotency-key-header): each key has one outcome.
extension SessionService {
  /// Returns the result of an earlier request to the session with the key, or nil if the key is new.
  func replay(
    _ idempotency: Idempotency?, _ id: SessionID, _ session: StoredSession
  ) throws(SessionError) -> SessionResult? {
    guard let idempotency,
      let outcome = session.outcomes.outcome(for: IdempotencyDigest(idempotency.key, of: session.key), at: clock.now())
    else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict }
    return SessionResult(snapshot: try snapshot(id, of: session.asOf(outcome), at: outcome.storedAt), isReplay: true)
  }

  /// Returns the session that an earlier request created with the key, or nil if the key is new.
  func replayCreation(_ request: CreateRequest) async throws(SessionError) -> SessionResult? {
    guard let idempotency = request.idempotency else { return nil }
    let key = IdempotencyDigest(idempotency.key, creationBy: request.owner)
    let outcome: CreationOutcome
    switch try await wrappingErrors(of: await store.creation(for: key)) {
    case .live(let found): outcome = found
    case .gone(let fingerprint, let expiresAt):
      guard clock.now() < expiresAt else { return nil }
      throw fingerprint == idempotency.fingerprint ? .expired(nil) : .idempotencyConflict
    case .unknown: return nil
    }
    guard clock.now() < outcome.expiresAt else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict }
    // The current session shows whether it has ended, and whether the client has handed it over since.
    let current = try await load(outcome.session.key)
    guard let id = outcome.sealedID.open(with: idempotency.key, of: outcome.session.key) else {
      throw .store(.unreadable("The session ID stored with an idempotency key cannot be decrypted."))
    }
    return SessionResult(snapshot: try snapshot(id, of: outcome.session.current(as: current)), isReplay: true)
  }

  /// Returns the record of a request, for a later replay.
  func outcome(
    of idempotency: Idempotency?, for session: StoredSession, _ revision: UInt64, _ navigation: StoredNavigation
  ) -> StoredOutcome? {
    guard let idempotency else { return nil }
    let now = clock.now()
    return StoredOutcome(
      key: IdempotencyDigest(idempotency.key, of: session.key), fingerprint: idempotency.fingerprint,
      revision: revision, packed: navigation.packed, storedAt: now, expiresAt: now + settings.idempotencyKeyLifetime)
  }

  /// Returns the record of a creation, for a later replay.
  func outcome(
    of request: CreateRequest, forCreating id: SessionID, _ session: StoredSession
  ) -> CreationOutcome? {
    guard let idempotency = request.idempotency else { return nil }
    let now = clock.now()
    return CreationOutcome(
      key: IdempotencyDigest(idempotency.key, creationBy: request.owner), fingerprint: idempotency.fingerprint,
      sealedID: SealedSessionID(id, under: idempotency.key), session: session.packed(), storedAt: now,
      expiresAt: now + settings.idempotencyKeyLifetime)
  }
}
