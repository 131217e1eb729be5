/// Idempotency keys (IETF draft draft-ietf-httpapi-idempotency-key-header): one outcome a key.
extension SessionService {
  /// The outcome that is stored under the key, or nil for a key that is new.
  ///
  /// - Parameter id: the session that the request is about; nil for a creation.
  func replay(_ idempotency: Idempotency?, id: SessionID?) throws(SessionError) -> Performed? {
    guard let idempotency else { return nil }
    let key = OutcomeKey(idempotency.key, of: id.map { SessionKey($0) })
    guard let outcome = try storing({ () throws(StoreError) in try store.outcome(for: key) }),
      clock.now() < outcome.expiresAt
    else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict }
    guard let id = id ?? outcome.sealedID?.open(with: idempotency.key) else { return nil }
    _ = try load(outcome.record.key)
    return Performed(snapshot: try snapshot(id, of: outcome.record), isReplay: true)
  }

  /// What to store for a later replay.
  func outcome(of idempotency: Idempotency?, for record: SessionRecord, created id: SessionID?) -> StoredOutcome? {
    guard let idempotency else { return nil }
    let now = clock.now()
    return StoredOutcome(
      key: OutcomeKey(idempotency.key, of: id == nil ? record.key : nil), fingerprint: idempotency.fingerprint,
      record: record, sealedID: id.map { SealedSessionID($0, under: idempotency.key) },
      storedAt: now,
      expiresAt: now + settings.memoryOfOutcomes)
  }
}
