extension SessionService {
  /// The session of an id, if it is alive.
  ///
  /// - Parameter owner: who asks.
  func load(_ id: SessionID, by owner: SessionOwner?, _ reading: Reading) async throws(SessionError) -> StoredSession {
    let session = try await load(SessionKey(id), by: owner, reading)
    guard session.writeAccess.isKnown(id) else { throw try await asUnknown() }
    return session
  }

  /// The session of a key, if it is alive. This is where everybody else is kept from it: to them it is as one that never existed.
  func load(_ key: SessionKey, by owner: SessionOwner?, _ reading: Reading) async throws(SessionError) -> StoredSession
  {
    switch try await lookUp(key, reading) {
    case .unknown: throw .unknownSession
    case .gone(let itsOwner):
      guard itsOwner == nil || itsOwner == owner else { throw try await asUnknown() }
      throw .expired
    case .live(let session):
      guard session.owner == nil || session.owner == owner else { throw try await asUnknown() }
      return try living(session)
    }
  }

  /// The same for this service's own use, whoever it belongs to.
  func load(_ key: SessionKey, _ reading: Reading) async throws(SessionError) -> StoredSession {
    switch try await lookUp(key, reading) {
    case .unknown: throw .unknownSession
    case .gone: throw .expired
    case .live(let session): return try living(session)
    }
  }

  private func lookUp(_ key: SessionKey, _ reading: Reading) async throws(SessionError) -> SessionLookup {
    try await wrappingErrors(of: await store.load(key, reading))
  }

  private func living(_ session: StoredSession) throws(SessionError) -> StoredSession {
    let now = clock.now()
    if now < session.expiresAt { return session }
    // Not swept yet, but over all the same.
    throw now < session.expiresAt + settings.memoryOfEnded ? .expired : .unknownSession
  }

  /// Takes as long as it does to find that a session is unknown: one that is there comes out of memory mostly.
  private func asUnknown() async throws(SessionError) -> SessionError {
    if !store.isShared { _ = try await lookUp(SessionKey(.random()), .current) }
    return .unknownSession
  }
}
