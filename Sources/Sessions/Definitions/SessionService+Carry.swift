internal import CoreMetrics
internal import Navigation
internal import Values

/// Moves of sessions to newer definitions of their apps.
extension SessionService {
  /// Returns a session that uses the current definition of its app, if that takes sessions of its version over. The
  /// move is a background commit, with all pending work. A session that does not fit stays as it is.
  @inline(__always)
  func carried(_ session: StoredSession) async throws(SessionError) -> StoredSession {
    session.definition == nil ? session : try await carriedFlow(session)
  }

  private func carriedFlow(_ session: StoredSession) async throws(SessionError) -> StoredSession {
    var session = session
    while let target = registry.successor(of: session) {
      guard let (entry, navigation, visible) = carry(session, to: target.app) else { break }
      try await keep([target])
      // Another process may have written the session, perhaps by its old definition.
      if let next = try await commit(entry, of: session, navigation, visible, definition: target.app.digest) {
        registry.metrics.carried.increment()
        // The handlers of the new definition may not fail.
        if navigation.state.hasWork {
          await releaseEvents(of: next.key, navigation.state.work, retryingStuck: true)
          runner.workRequested()
        }
        return next
      }
      session = try await load(session.key)
    }
    return try await prepared(session)
  }

  /// Returns the move of a session to a definition; nil if it does not fit.
  private func carry(
    _ session: StoredSession, to app: AppDefinition
  ) -> (JournalEntry, LiveNavigation, VisibleScreen)? {
    do throws(SessionError) {
      let before = try unpack(session, by: app)
      guard !before.isFinished, let version = session.appVersion else { return nil }
      guard LiveNavigation(app: app, state: before).work(of: session.key) == session.work ?? [] else {
        throw .outdated(session, .otherWork(session.app))
      }
      let stamp = StepStamp.next(at: clock.now())
      let state = try wrappingRejection(of: try app.carry(before, from: version, stamp: stamp))
      let navigation = LiveNavigation(app: app, state: state)
      try checkSize(of: navigation, after: session)
      // Back must not lead to a hidden screen that the app cannot draw.
      try wrappingRejection(of: try app.drawHiddenScreens(of: state))
      let visible = try visible(navigation)
      let entry = JournalEntry(
        revision: navigation.state.revision, at: stamp.time, kind: .carry, name: "carry",
        input: .object([
          ("from", Value(session.definition?.short ?? "")), ("to", Value(app.digest?.short ?? "")),
          ("version", Value(app.version)),
        ]), screen: visible.screen.name)
      return (entry, navigation, visible)
    } catch {
      refuseCarry(of: session, to: app, error)
      return nil
    }
  }

  private func unpack(_ session: StoredSession, by app: AppDefinition) throws(SessionError) -> SessionState {
    do throws(PackingError) {
      return try app.unpack(session.navigation.packed.whole, in: session.environment(in: app))
    } catch {
      throw .outdated(session, .notMigratable(error))
    }
  }

  private func refuseCarry(of session: StoredSession, to app: AppDefinition, _ error: SessionError) {
    guard let old = session.definition, let new = app.digest, registry.noteRefusedCarry(from: old, to: new) else {
      return
    }
    registry.metrics.refused.increment()
    registry.compilation?.log(
      "A session of the app \(app.name) stays on its definition \(old), because it does not fit the definition \(new) "
        + "of version \(app.version). \(error.operatorDescription)")
  }
}
