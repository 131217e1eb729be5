internal import Navigation
internal import Values

extension SessionService {
  /// Carries out an intent: key, revision and retry first, then the navigation, then one compare-and-set on the session.
  public func perform(
    _ request: IntentRequest, on id: SessionID, by owner: SessionOwner? = nil
  ) async throws(SessionError) -> Performed {
    // Only a store that others write to has an older session at hand. It is good enough to make the next one from, because
    // the store refuses that in place of a newer one; whatever else comes of it is asked again of the current one.
    var reading = store.isShared ? Reading.recent : .current
    // Every further turn means that another writer has committed in between, so somebody always gets on.
    while true {
      let session = try await load(id, by: owner, reading)
      let attempt: Attempt
      do throws(SessionError) {
        attempt = try self.attempt(request, id, session)
      } catch {
        if reading == .current { throw error }
        reading = .current
        continue
      }
      if let next = attempt.next {
        if try await wrappingErrors(of: await store.replace(session, with: next)) {
          if let entry = attempt.entry {
            metrics.count(entry.kind, entry.name, of: next.app)
            feed.channel(of: next.key)?.advance(to: attempt.performed.snapshot)
          }
          return attempt.performed
        }
      } else if reading == .current {
        return attempt.performed
      }
      reading = .current
    }
  }

  /// What comes of a request, as far as the session at hand says.
  private struct Attempt {
    /// What to put in the session's place; nil where nothing changes.
    let next: StoredSession?
    /// What is new in the journal.
    var entry: JournalEntry?
    let performed: Performed
  }

  private func attempt(
    _ request: IntentRequest, _ id: SessionID, _ session: StoredSession
  ) throws(SessionError) -> Attempt {
    guard session.writeAccess.allows(id) else { throw .readOnly(try snapshot(id, of: session)) }
    if let replay = try replay(request.idempotency, id, session) {
      return Attempt(next: nil, performed: replay)
    }
    let current = try navigation(of: session)
    let intent = current.app.declared(request.intent)
    let words = intent.journalWords
    if let revision = request.revision, revision != session.revision {
      let now = Snapshot(id: id, session: session, navigation: current, visible: try visible(current))
      let done = revision < session.revision ? session.journal.entry(at: revision + 1) : nil
      guard let done, done.isSameIntent(words.kind, words.name, words.input) else { throw .stale(now) }
      // The key of a retry is taken too, so that it stands for nothing else.
      let outcome = outcome(of: request.idempotency, for: session, session.revision, session.navigation)
      return Attempt(
        next: outcome.map { session.remembering($0) }, performed: Performed(snapshot: now, isReplay: true))
    }
    let navigation = try performed(intent, id, session, current)
    guard
      !navigation.isLarger(
        than: settings.stateLimit, known: session.navigation.knownSize, navigation.state.revision)
    else { throw .tooLarge(limit: settings.stateLimit) }
    // Before the commit: a screen that cannot be drawn is not committed.
    let visible = try visible(navigation)
    let entry = JournalEntry(
      revision: navigation.state.revision, at: clock.now(), kind: words.kind, name: words.name, input: words.input,
      screen: visible.screen.name)
    let next = session.advanced(
      to: .live(navigation), by: entry, keeping: settings.journalLimit,
      outcome: outcome(of: request.idempotency, for: session, entry.revision, .live(navigation)))
    let snapshot = Snapshot(id: id, session: next, navigation: navigation, visible: visible)
    return Attempt(next: next, entry: entry, performed: Performed(snapshot: snapshot, isReplay: false))
  }

  /// The navigation after the intent.
  private func performed(
    _ intent: Intent, _ id: SessionID, _ session: StoredSession, _ current: LiveNavigation
  ) throws(SessionError) -> LiveNavigation {
    do throws(Rejection) {
      return LiveNavigation(app: current.app, state: try current.app.perform(intent, on: current.state))
    } catch {
      let visible = try visible(current)
      throw .rejected(error, Snapshot(id: id, session: session, navigation: current, visible: visible))
    }
  }
}
