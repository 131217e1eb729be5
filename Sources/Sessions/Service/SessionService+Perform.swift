public import Navigation
internal import Values

/// A request to perform an intent in a session.
public struct IntentRequest: Sendable {
  public let intent: Intent
  /// The revision that the client has seen; nil performs the intent at any revision.
  public let revision: UInt64?
  /// The digest of the offer that the client has seen at that revision; see ``Snapshot/offer(of:)``. Nil requires the
  /// revision to be the current one.
  public let offer: String?
  public let idempotency: Idempotency?
  /// The principal with the claims of its token; nil for an anonymous one.
  public let principal: SessionPrincipal?

  public init(
    _ intent: Intent, revision: UInt64? = nil, offer: String? = nil, idempotency: Idempotency? = nil,
    principal: SessionPrincipal? = nil
  ) {
    self.intent = intent
    self.revision = revision
    self.offer = offer
    self.idempotency = idempotency
    self.principal = principal
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
    case .reload(let property): (.reload, "reload", .object([("property", Value(property))]))
    case .locale(let locale): (.locale, "locale", .object([("locale", Value(locale))]))
    }
  }
}

/// The result of a request that was performed, now or before.
public struct SessionResult: Sendable {
  public let snapshot: Snapshot
  /// Whether this is a replay: the request had been performed before, and changed nothing this time.
  public let isReplay: Bool

  public init(snapshot: Snapshot, isReplay: Bool) {
    self.snapshot = snapshot
    self.isReplay = isReplay
  }
}

/// The progress of a request to perform an intent.
public enum IntentProgress: Sendable {
  case performed(SessionResult)
  /// The session has to be replaced in the store.
  case unstored(IntentAttempt)
  /// The session has to be loaded. The case is indirect, because it is rare and large: it would make every copy of a
  /// progress as large.
  indirect case unloaded(PendingIntentRequest)
}

/// A request to perform an intent in a session that has to be loaded.
public struct PendingIntentRequest: Sendable {
  fileprivate let request: IntentRequest
  fileprivate let id: SessionID
  fileprivate let owner: SessionOwner?
}

/// The effect of a request on a session that was loaded.
public final class IntentAttempt: Sendable {
  fileprivate let pending: PendingIntentRequest
  fileprivate let session: StoredSession
  /// The replacement of the session.
  fileprivate let next: StoredSession
  /// The new journal entry; nil for a retry that only takes its idempotency key.
  fileprivate let entry: JournalEntry?
  fileprivate let result: SessionResult

  fileprivate init(
    _ pending: PendingIntentRequest, on session: StoredSession, next: StoredSession, entry: JournalEntry?,
    _ result: SessionResult
  ) {
    self.pending = pending
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
    try await finish(try begin(request, on: id, by: owner))
  }

  /// Performs an intent as far as possible without waiting.
  public func begin(
    _ request: IntentRequest, on id: SessionID, by owner: SessionOwner?
  ) throws(SessionError) -> IntentProgress {
    let pending = PendingIntentRequest(request: request, id: id, owner: owner)
    guard let session = loadFromMemory(id, by: owner, store.isShared ? .recent : .current) else {
      return .unloaded(pending)
    }
    guard !store.isShared else {
      // The session may be outdated, which suffices for a first attempt: the store rejects the replacement of an
      // outdated session. Any other result of such an attempt is discarded.
      guard case .unstored(let attempt)? = try? self.attempt(pending, on: session) else { return .unloaded(pending) }
      return .unstored(attempt)
    }
    let progress = try self.attempt(pending, on: session)
    guard case .unstored(let attempt) = progress,
      let isStored = store.replaceInMemory(session, with: attempt.next)
    else { return progress }
    return try self.progress(of: attempt, stored: .success(isStored))
  }

  /// Replaces the session in the store. `completion` receives the result for ``progress(of:stored:)``, once, on any
  /// thread.
  public func store(
    _ attempt: IntentAttempt, then completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    store.replace(attempt.session, with: attempt.next, then: completion)
  }

  /// Returns the progress after an attempt to replace the session in the store.
  public func progress(
    of attempt: IntentAttempt, stored result: Result<Bool, StoreError>
  ) throws(SessionError) -> IntentProgress {
    switch result {
    case .success(true):
      if let entry = attempt.entry {
        let snapshot = attempt.result.snapshot
        announce(entry, of: attempt.next, after: attempt.session, snapshot.navigation) { _ in snapshot }
      }
      return .performed(attempt.result)
    case .success(false): return .unloaded(attempt.pending)
    case .failure(let error): throw .store(error)
    }
  }

  /// Performs the rest of an intent.
  public func finish(_ progress: IntentProgress) async throws(SessionError) -> SessionResult {
    var progress = progress
    // Each further attempt means that another writer has committed in between, so some writer always makes progress.
    while true {
      switch progress {
      case .performed(let result): return result
      case .unstored(let attempt):
        let isStored = try await replace(attempt.session, with: attempt.next)
        progress = try self.progress(of: attempt, stored: .success(isStored))
      case .unloaded(let pending):
        progress = try attempt(pending, on: try await carried(load(pending.id, by: pending.owner)))
      }
    }
  }

  /// Performs an intent on a loaded session. Returns `unstored`, or `performed` if the session stays as it is.
  private func attempt(
    _ pending: PendingIntentRequest, on session: StoredSession
  ) throws(SessionError) -> IntentProgress {
    let (request, id) = (pending.request, pending.id)
    guard session.writeAccess.allows(id) else { throw .readOnly(try snapshot(id, of: session)) }
    if let replay = try replay(request.idempotency, id, session) { return .performed(replay) }
    let current = try navigation(of: session)
    let intent = current.app.declared(request.intent)
    let record = intent.journalRecord
    if let revision = request.revision, revision != session.revision,
      let replay = try replay(intent, seen: revision, pending, on: session, current)
    {
      return replay
    }
    let stamp = StepStamp.next(at: clock.now())
    var before = current
    var principal: SessionPrincipal?
    if let acting = request.principal, let state = current.state.acting(with: acting) {
      before = LiveNavigation(app: current.app, state: state)
      principal = acting
    }
    /// Adds the session as it stays to a rejection.
    func rejecting<Result>(_ operation: () throws(Rejection) -> Result) throws(SessionError) -> Result {
      do throws(Rejection) {
        return try operation()
      } catch {
        let visible = try self.visible(before)
        throw .rejected(error, Snapshot(id: id, session: session, navigation: before, visible: visible))
      }
    }
    let state = try rejecting { () throws(Rejection) in
      try before.app.perform(intent, on: before.state, stamp: stamp)
    }
    let navigation = LiveNavigation(app: before.app, state: state)
    try checkSize(of: navigation, after: session, adding: record.input.size)
    // Rendered before the commit, because a state whose screen cannot be rendered must not be stored.
    let visible = try rejecting { () throws(Rejection) in try navigation.app.view(of: navigation.state) }
    let entry = JournalEntry(
      revision: navigation.state.revision, at: stamp.time, kind: record.kind, name: record.name, input: record.input,
      link: record.kind == .locale ? session.locale : nil, screen: visible.screen.name,
      seed: navigation.state.seed(since: current.state, stamp),
      seen: request.revision, principal: principal)
    let next = session.advanced(
      to: .live(navigation), by: entry, keeping: settings.journalLimit,
      outcome: outcome(of: request.idempotency, for: session, entry.revision, .live(navigation)),
      expiresAt: session.expiry(in: navigation.app, at: stamp.time))
    let snapshot = Snapshot(id: id, session: next, navigation: navigation, visible: visible)
    let result = SessionResult(snapshot: snapshot, isReplay: false)
    return .unstored(IntentAttempt(pending, on: session, next: next, entry: entry, result))
  }

  /// Returns the result of an earlier request for the same intent at the same revision; nil if the intent can be
  /// performed although the session has advanced since.
  private func replay(
    _ intent: Intent, seen revision: UInt64, _ pending: PendingIntentRequest, on session: StoredSession,
    _ current: LiveNavigation
  ) throws(SessionError) -> IntentProgress? {
    let (request, id) = (pending.request, pending.id)
    let now = Snapshot(id: id, session: session, navigation: current, visible: try visible(current))
    let step = session.firstClientStep(after: revision)
    if case .none = step, request.offer == now.offerDigest(of: intent.path) { return nil }
    let record = intent.journalRecord
    guard case .recorded(let commit) = step, commit.sentFor == revision,
      commit.intent == ClientCommit.digest(of: record.kind, record.name, record.input)
    else { throw .stale(now) }
    // A retry takes its key too, so that the key cannot be used for another request.
    let outcome = outcome(of: request.idempotency, for: session, session.revision, session.navigation)
    let result = SessionResult(snapshot: now, isReplay: true)
    guard let outcome else { return .performed(result) }
    return .unstored(IntentAttempt(pending, on: session, next: session.recording(outcome), entry: nil, result))
  }
}

extension SessionState {
  /// Returns the seed of the step that led to this state if the step has requested work, and 0 otherwise: such a step
  /// can be repeated without it.
  func seed(since before: SessionState?, _ stamp: StepStamp) -> UInt64 {
    let requestsWork = work.contains { $0.id.rawValue >= before?.nextID ?? 0 } || !environment.detached.isEmpty
    return requestsWork ? stamp.seed : 0
  }
}
