/// Idempotency keys (IETF draft draft-ietf-httpapi-idempotency-key-header): one outcome a key.
extension SessionService {
  /// What came of an earlier request to the session under the key, or nil for a key that is new.
  func replay(
    _ idempotency: Idempotency?, _ id: SessionID, _ session: StoredSession
  ) throws(SessionError) -> Performed? {
    guard let idempotency,
      let outcome = session.outcomes.outcome(for: OutcomeKey(idempotency.key, of: session.key), at: clock.now())
    else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict }
    return Performed(snapshot: try snapshot(id, of: session.asOf(outcome)), isReplay: true)
  }

  /// The session that was created under the key, or nil for a key that is new.
  func replayCreation(_ request: CreateRequest) async throws(SessionError) -> Performed? {
    guard let idempotency = request.idempotency else { return nil }
    let key = OutcomeKey(idempotency.key, creationBy: request.owner)
    let outcome: CreationOutcome
    switch try await wrappingErrors(of: await store.creation(for: key)) {
    case .live(let found): outcome = found
    case .gone(let fingerprint, let expiresAt):
      guard clock.now() < expiresAt else { return nil }
      throw fingerprint == idempotency.fingerprint ? .expired : .idempotencyConflict
    case .unknown: return nil
    }
    guard clock.now() < outcome.expiresAt else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict }
    // Nothing is replayed of a session that is over, and the client may have handed it over since.
    let current = try await load(outcome.session.key, .current)
    guard let id = outcome.sealedID.open(with: idempotency.key, of: outcome.session.key) else {
      throw .store(.unreadable("The session id that was stored with an idempotency key cannot be decrypted."))
    }
    return Performed(snapshot: try snapshot(id, of: outcome.session.with(current.writeAccess)), isReplay: true)
  }

  /// What to keep with a session for a later replay.
  func outcome(
    of idempotency: Idempotency?, for session: StoredSession, _ revision: UInt64, _ navigation: StoredNavigation
  ) -> StoredOutcome? {
    guard let idempotency else { return nil }
    let now = clock.now()
    return StoredOutcome(
      key: OutcomeKey(idempotency.key, of: session.key), fingerprint: idempotency.fingerprint, revision: revision,
      packed: navigation.packed, storedAt: now, expiresAt: now + settings.memoryOfOutcomes)
  }

  /// What to store with a session that is created, for a later replay.
  func outcome(of request: CreateRequest, forCreating id: SessionID, _ session: StoredSession) -> CreationOutcome? {
    guard let idempotency = request.idempotency else { return nil }
    let now = clock.now()
    return CreationOutcome(
      key: OutcomeKey(idempotency.key, creationBy: request.owner), fingerprint: idempotency.fingerprint,
      sealedID: SealedSessionID(id, under: idempotency.key), session: session.packed(), storedAt: now,
      expiresAt: now + settings.memoryOfOutcomes)
  }
}
