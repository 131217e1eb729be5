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
      guard let (next, entry, navigation, visible) = carry(session, to: target.app) else { break }
      try await keep([target])
      // Another process may have written the session, perhaps by its old definition.
      if try await replace(session, with: next) {
        registry.metrics.carried.increment()
        announce(entry, of: next, after: session, navigation) { channel in
          Snapshot(id: channel.id, session: next, navigation: navigation, visible: visible)
        }
        // The handlers of the new definition may not fail.
        if navigation.state.hasWork {
          await releaseEvents(of: next.key, navigation.state.work, retryingStuck: true)
          workRequested.send()
        }
        return next
      }
      session = try await load(session.key, .current)
    }
    return try await prepared(session)
  }

  /// Returns a session after its move to a definition; nil if it does not fit.
  private func carry(
    _ session: StoredSession, to app: AppDefinition
  ) -> (StoredSession, JournalEntry, LiveNavigation, VisibleScreen)? {
    do throws(SessionError) {
      let before = try unpack(session, by: app)
      guard !before.isFinished, let version = session.appVersion else { return nil }
      guard LiveNavigation(app: app, state: before).work(of: session.key) == session.work ?? [] else {
        throw .outdated(session, .otherWork(session.app))
      }
      let stamp = StepStamp.next(at: clock.now())
      let navigation = LiveNavigation(app: app, state: try route(before, in: app, from: version, stamp))
      guard
        !navigation.isLarger(
          than: settings.stateLimit, known: session.navigation.knownSize, navigation.state.revision)
      else { throw .tooLarge(limit: settings.stateLimit) }
      let visible = try drawn(navigation)
      let entry = JournalEntry(
        revision: navigation.state.revision, at: stamp.time, kind: .carry, name: "carry",
        input: .object([
          ("from", Value(session.definition?.short ?? "")), ("to", Value(app.digest?.short ?? "")),
          ("version", Value(app.version)),
        ]), screen: visible.screen.name)
      let next = session.advanced(
        to: .live(navigation), by: entry, keeping: settings.journalLimit, definition: app.digest)
      return (next, entry, navigation, visible)
    } catch {
      refuseCarry(of: session, to: app, error)
      return nil
    }
  }

  private func unpack(_ session: StoredSession, by app: AppDefinition) throws(SessionError) -> SessionState {
    do throws(PackingError) {
      return try app.unpack(session.navigation.packed.whole, locale: session.locale)
    } catch {
      throw .outdated(session, .notMigratable(error))
    }
  }

  /// Runs what the coordinators declare for the move.
  private func route(
    _ state: SessionState, in app: AppDefinition, from version: Int, _ stamp: StepStamp
  ) throws(SessionError) -> SessionState {
    do throws(Rejection) {
      return try app.carry(state, from: version, stamp: stamp)
    } catch {
      throw .rejected(error, nil)
    }
  }

  /// Draws the hidden screens as well: Back must not lead to one that the app cannot draw.
  private func drawn(_ navigation: LiveNavigation) throws(SessionError) -> VisibleScreen {
    do throws(Rejection) {
      try navigation.app.drawHiddenScreens(of: navigation.state)
      return try navigation.app.view(of: navigation.state)
    } catch {
      throw .rejected(error, nil)
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
