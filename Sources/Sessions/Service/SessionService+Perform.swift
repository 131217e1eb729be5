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

/// A request to perform an intent: its result, or the work that is left.
public enum IntentProgress: Sendable {
  case performed(SessionResult)
  case pending(PendingIntentRequest)
}

/// A request to perform an intent whose session has to be loaded or stored.
public struct PendingIntentRequest: Sendable {
  fileprivate let request: IntentRequest
  fileprivate let id: SessionID
  fileprivate let owner: SessionOwner?
  /// The effect on a session that was in memory.
  fileprivate var attempt: Attempt?
}

/// The effect of a request on a session that was loaded.
private final class Attempt: Sendable {
  let session: StoredSession
  /// The replacement of the session; nil if it stays as it is.
  let next: StoredSession?
  /// The new journal entry.
  let entry: JournalEntry?
  let result: SessionResult

  init(_ session: StoredSession, next: StoredSession?, entry: JournalEntry? = nil, _ result: SessionResult) {
    self.session = session
    self.next = next
    self.entry = entry
    self.result = result
  }
}

extension SessionService {
  /// Performs an intent.
  ///
  /// Checks the idempotency key and the revision, recognizes a retry, navigates, and replaces the session in the store
  /// by one compare-and-set.
  public func perform(
    _ request: IntentRequest, on id: SessionID, by owner: SessionOwner? = nil
  ) async throws(SessionError) -> SessionResult {
    switch try begin(request, on: id, by: owner) {
    case .performed(let result): result
    case .pending(let pending): try await finish(pending)
    }
  }

  /// Performs an intent as far as possible without waiting. The session is replaced only if the intent is performed.
  public func begin(
    _ request: IntentRequest, on id: SessionID, by owner: SessionOwner?
  ) throws(SessionError) -> IntentProgress {
    var pending = PendingIntentRequest(request: request, id: id, owner: owner)
    // Only a shared store may return an outdated session, which suffices for a first attempt: the store rejects the
    // replacement of an outdated session. Any other result of such an attempt is discarded.
    guard let session = loadFromMemory(id, by: owner, store.isShared ? .recent : .current) else {
      return .pending(pending)
    }
    let attempt: Attempt
    do throws(SessionError) {
      attempt = try self.attempt(request, id, session)
    } catch {
      if store.isShared { return .pending(pending) }
      throw error
    }
    guard let next = attempt.next else { return store.isShared ? .pending(pending) : .performed(attempt.result) }
    switch store.replaceInMemory(session, with: next) {
    case true?: return .performed(committed(attempt))
    case false?: return .pending(pending)
    case nil:
      pending.attempt = attempt
      return .pending(pending)
    }
  }

  /// Performs an intent that had to wait.
  public func finish(_ pending: PendingIntentRequest) async throws(SessionError) -> SessionResult {
    var known = pending.attempt
    // Each further iteration means that another writer has committed in between, so some writer always makes progress.
    while true {
      let attempt: Attempt
      if let known {
        attempt = known
      } else {
        let session = try await load(pending.id, by: pending.owner, .current)
        attempt = try self.attempt(pending.request, pending.id, session)
      }
      guard let next = attempt.next else { return attempt.result }
      if try await replace(attempt.session, with: next) { return committed(attempt) }
      known = nil
    }
  }

  /// Counts a performed intent, and announces it to the streams of the session.
  private func committed(_ attempt: Attempt) -> SessionResult {
    if let entry = attempt.entry, let next = attempt.next {
      metrics.count(entry.kind, entry.name, of: next.app)
      channels.channel(of: next.key)?.advance(to: attempt.result.snapshot)
    }
    return attempt.result
  }

  private func attempt(
    _ request: IntentRequest, _ id: SessionID, _ session: StoredSession
  ) throws(SessionError) -> Attempt {
    guard session.writeAccess.allows(id) else { throw .readOnly(try snapshot(id, of: session)) }
    if let replay = try replay(request.idempotency, id, session) {
      return Attempt(session, next: nil, replay)
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
        session, next: outcome.map { session.recording($0) }, SessionResult(snapshot: now, isReplay: true))
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
    return Attempt(session, next: next, entry: entry, SessionResult(snapshot: snapshot, isReplay: false))
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
