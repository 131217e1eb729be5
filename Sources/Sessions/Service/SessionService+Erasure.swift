internal import Values

/// The erasure of a person's data.
extension SessionService {
  /// Ends all sessions of an owner, and removes their content: state, journal, outcomes and pending work. The store
  /// keeps their tombstones, which contain nothing that the person has entered.
  ///
  /// A session that is created at the same time may remain. The erasure can be repeated.
  ///
  /// - Parameter purges: whether the content is overwritten in the store's files as well; see
  ///   ``SessionStore/purge()``.
  /// - Returns: the number of sessions.
  public func erase(sessionsOf owner: SessionOwner, purges: Bool) async throws(SessionError) -> Int {
    let forgetAt = clock.now() + settings.tombstoneLifetime
    var count = 0
    repeat {
      let ended = try await wrappingErrors(of: await store.endSessions(of: .owner(owner), forgetAt: forgetAt))
      for key in ended { channels.end(key, .deleted) }
      count += ended.count
    } while try await wrappingErrors(of: await store.count(of: owner, upTo: 1)) > 0
    if purges { try await wrappingErrors(of: await store.purge()) }
    return count
  }
}
