package import Navigation
internal import Values

/// The definitions of flows.
extension SessionService {
  /// Returns the app of a session, if it is in memory.
  func app(of session: StoredSession) -> AppDefinition? {
    if let live = session.navigation.live { return live.app }
    guard let digest = session.definition else { return registry.builtIn(session.app) }
    return registry.known(digest)
  }

  /// Returns a session whose state is unpacked by the definition that it began with, if there is one. Any other session
  /// stays as it is, and so does one whose definition cannot be used: ``navigation(of:)`` throws the reason.
  ///
  /// - Throws: `store` if the store failed to return the definition.
  @inline(__always)
  func prepared(_ session: StoredSession) async throws(SessionError) -> StoredSession {
    session.definition == nil ? session : try await preparedFlow(session)
  }

  private func preparedFlow(_ session: StoredSession) async throws(SessionError) -> StoredSession {
    guard let digest = session.definition, session.navigation.live == nil else { return session }
    do throws(SessionError) {
      return preparedInMemory(session, try await registry.definition(digest, of: session.app, in: store)) ?? session
    } catch .unusableDefinition(_) {
      return session
    }
  }

  /// Returns a session of a flow as ``prepared(_:)`` does, but without waiting; nil if it has to wait.
  func preparedInMemory(_ session: StoredSession) -> StoredSession? {
    guard let digest = session.definition, registry.successor(of: session) == nil else { return nil }
    if session.navigation.live != nil { return session }
    return registry.known(digest).flatMap { preparedInMemory(session, $0) }
  }

  private func preparedInMemory(_ session: StoredSession, _ app: AppDefinition) -> StoredSession? {
    guard case .packed(let packed) = session.navigation,
      let state = try? app.unpack(packed.whole, in: session.environment(in: app))
    else { return nil }
    return session.unpacked(LiveNavigation(app: app, state: state))
  }

  /// Returns the app with a name, of which sessions can be created.
  package func hostedApp(_ name: String) throws(SessionError) -> AppDefinition {
    if let app = app(named: name) { return app }
    throw registry.startingFolders.isEmpty ? .unknownApp(hosted: apps.map(\.name)) : .stillLoading
  }

  /// Returns the app of a detached effect.
  func app(of work: DetachedWork) async throws(SessionError) -> AppDefinition {
    guard let digest = work.definition else {
      guard let app = registry.builtIn(work.app) else { throw .unknownApp(hosted: []) }
      return app
    }
    return try await registry.definition(digest, of: work.app, in: store)
  }

  /// Has the store keep the current definitions, so that it removes none of them.
  package func keepDefinitions() async throws(SessionError) { try await keep(registry.current) }

  func keep(_ definitions: [AppRegistry.Current]) async throws(SessionError) {
    guard !definitions.isEmpty else { return }
    let kept = definitions.map { definition in
      KeptDefinition(
        digest: definition.source.digest, app: definition.app.name, version: definition.app.version,
        source: definition.source.encoded())
    }
    try await wrappingErrors(of: await store.keep(kept, at: clock.now()))
  }

  /// Keeps the current definitions, and removes those that nothing needs.
  func sweepDefinitions() async throws(SessionError) {
    guard registry.compilation != nil else { return }
    try await keepDefinitions()
    let unused = clock.now() + (0 - settings.definitionLifetime)
    _ = try await wrappingErrors(of: await store.removeDefinitions(unusedSince: unused))
  }

  /// Returns the definitions in the store.
  package func definitions() async throws(SessionError) -> [ListedDefinition] {
    try await wrappingErrors(of: await store.definitions())
  }

  /// Ends all sessions of a definition, as ``delete(_:by:at:)`` does.
  ///
  /// - Returns: the number of sessions.
  package func retire(_ digest: DefinitionDigest) async throws(SessionError) -> Int {
    var count = 0
    while true {
      let forgetAt = clock.now() + settings.tombstoneLifetime
      let ended = try await wrappingErrors(of: await store.endSessions(of: .definition(digest), forgetAt: forgetAt))
      for key in ended { channels.end(key, .deleted) }
      count += ended.count
      if !ended.isEmpty { continue }
      // A session that was replaced at the same time is left.
      let isLeft = try await definitions().contains { $0.digest == digest && $0.sessions > 0 }
      if !isLeft { return count }
    }
  }

  /// Records the numbers of sessions of each definition. Returns whether they could be counted.
  func countDefinitions() async -> Bool {
    guard registry.compilation != nil else { return true }
    guard let definitions = try? await definitions() else { return false }
    registry.metrics.record(definitions)
    return true
  }
}
