internal import Navigation
package import Values

extension SessionService {
  /// Extends a session with an idle limit, as an action would, without another revision. Changes nothing if the session
  /// has another lifetime, or cannot live longer.
  ///
  /// - Throws: `readOnly` if the session was handed over, and `rejected` if it has finished: it can be read until it
  ///   expires.
  public func extend(_ id: SessionID, by owner: SessionOwner? = nil) async throws(SessionError) -> Snapshot {
    while true {
      let session = try await carried(load(id, by: owner))
      let current = try snapshot(id, of: session)
      guard !current.isReadOnly else { throw .readOnly(current) }
      guard !current.isFinished else { throw .rejected(.finished, current) }
      let expiresAt = current.expiryWithoutRevision(at: clock.now())
      guard expiresAt != session.expiresAt else { return current }
      let next = session.extended(until: expiresAt)
      if try await replace(session, with: next) {
        let snapshot = Snapshot(
          id: id, session: next, navigation: current.navigation, visible: try visible(current.navigation))
        channels.channel(of: next.key)?.advance(to: snapshot)
        return snapshot
      }
    }
  }
}

extension Snapshot {
  /// Whether changes by clients extend the session, so that its time of expiry moves without a revision.
  package var hasIdleLimit: Bool { navigation.app.life?.idle != nil && !session.hasFixedLife }

  /// Returns the time at which the session expires after a change by a client that has no revision. Only an idle limit
  /// moves it, because the entity tags of other sessions have the revision alone.
  func expiryWithoutRevision(at now: Timestamp) -> Timestamp {
    hasIdleLimit ? session.expiry(in: navigation.app, at: now) : session.expiresAt
  }

  /// The time from which clients warn of the end of the session; nil if this ID cannot extend it.
  package var warningAt: Timestamp? {
    guard let life = navigation.app.life, hasIdleLimit, canBeHandedOver,
      session.expiresAt < life.end(ofCreationAt: session.createdAt)
    else { return nil }
    return life.warning(before: session.expiresAt)
  }

  /// Whether clients warn of the end of the session at a time.
  package func isEnding(at now: Timestamp) -> Bool { warningAt.map { $0 <= now } ?? false }
}
