public import Navigation
internal import Values

/// A request to perform an intent in a session.
public struct IntentRequest: Sendable {
  public let intent: Intent
  /// The revision that the client has seen; nil performs the intent at any revision.
  public let revision: UInt64?
  public let idempotency: Idempotency?

  public init(_ intent: Intent, revision: UInt64? = nil, idempotency: Idempotency? = nil) {
    self.intent = intent
    self.revision = revision
    self.idempotency = idempotency
  }
}

extension Intent {
  /// The kind, name and input under which the journal records the intent.
  var journalRecord: (kind: JournalEntry.Kind, name: String, input: Value) {
    switch self {
    case .action(let name, let input): (.action, name, input)
    case .back: (.back, "back", .emptyObject)
    case .dismiss: (.dismiss, "dismiss", .emptyObject)
    case .tab(let name): (.tab, "tab", .object([("tab", Value(name))]))
    case .open(let link): (.open, "open", .object([("link", Value(link))]))
    }
  }
}

/// The result of a request that was performed, now or before.
public struct SessionResult: Sendable {
  public let snapshot: Snapshot
  /// Whether this is a replay: the request had been performed before, and changed nothing this time.
  public let isReplay: Bool
}

extension SessionService {
  /// Performs an intent.
  ///
  /// Checks the idempotency key and the revision, recognizes a retry, navigates, and replaces the session in the store
  /// by one compare-and-set.
  public func perform(
    _ request: IntentRequest, on id: SessionID, by owner: SessionOwner? = nil
  ) async throws(SessionError) -> SessionResult {
    // Only a shared store may return an outdated session, which suffices for a first attempt: the store rejects the
    // replacement of an outdated session. Any other result of such an attempt is discarded, and the current session is
    // loaded.
    var freshness = store.isShared ? Freshness.recent : .current
    // Each further iteration means that another writer has committed in between, so some writer always makes progress.
    while true {
      let session = try await load(id, by: owner, freshness)
      let attempt: Attempt
      do throws(SessionError) {
        attempt = try self.attempt(request, id, session)
      } catch {
        if freshness == .current { throw error }
        freshness = .current
        continue
      }
      if let next = attempt.next {
        if try await replace(session, with: next) {
          if let entry = attempt.entry {
            metrics.count(entry.kind, entry.name, of: next.app)
            channels.channel(of: next.key)?.advance(to: attempt.result.snapshot)
          }
          return attempt.result
        }
      } else if freshness == .current {
        return attempt.result
      }
      freshness = .current
    }
  }

  /// The effect of a request on a session that was loaded.
  private struct Attempt {
    /// The replacement of the session; nil if it stays as it is.
    let next: StoredSession?
    /// The new journal entry.
    var entry: JournalEntry?
    let result: SessionResult
  }

  private func attempt(
    _ request: IntentRequest, _ id: SessionID, _ session: StoredSession
  ) throws(SessionError) -> Attempt {
    guard session.writeAccess.allows(id) else { throw .readOnly(try snapshot(id, of: session)) }
    if let replay = try replay(request.idempotency, id, session) {
      return Attempt(next: nil, result: replay)
    }
    let current = try navigation(of: session)
    let intent = current.app.declared(request.intent)
    let record = intent.journalRecord
    if let revision = request.revision, revision != session.revision {
      let now = Snapshot(id: id, session: session, navigation: current, visible: try visible(current))
      let recorded = revision < session.revision ? session.journal.entry(at: revision + 1) : nil
      guard let recorded, recorded.isSameIntent(record.kind, record.name, record.input) else { throw .stale(now) }
      // A retry takes its key too, so that the key cannot be used for another request.
      let outcome = outcome(of: request.idempotency, for: session, session.revision, session.navigation)
      return Attempt(
        next: outcome.map { session.recording($0) }, result: SessionResult(snapshot: now, isReplay: true))
    }
    let navigation = try performed(intent, id, session, current)
    guard
      !navigation.isLarger(
        than: settings.stateLimit, known: session.navigation.knownSize, navigation.state.revision)
    else { throw .tooLarge(limit: settings.stateLimit) }
    // Rendered before the commit, because a state whose screen cannot be rendered must not be stored.
    let visible = try visible(navigation)
    let entry = JournalEntry(
      revision: navigation.state.revision, at: clock.now(), kind: record.kind, name: record.name, input: record.input,
      screen: visible.screen.name)
    let next = session.advanced(
      to: .live(navigation), by: entry, keeping: settings.journalLimit,
      outcome: outcome(of: request.idempotency, for: session, entry.revision, .live(navigation)))
    let snapshot = Snapshot(id: id, session: next, navigation: navigation, visible: visible)
    return Attempt(next: next, entry: entry, result: SessionResult(snapshot: snapshot, isReplay: false))
  }

  /// Returns the navigation after the intent.
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
