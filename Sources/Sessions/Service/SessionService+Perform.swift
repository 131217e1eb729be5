internal import Navigation
internal import Values

extension SessionService {
  /// Carries out an intent: key, revision and retry first, then the navigation, then one compare-and-set on the revision.
  public func perform(_ request: IntentRequest, on id: SessionID) throws(SessionError) -> Performed {
    let key = SessionKey(id)
    // Every further turn means that another writer has committed in between, so somebody always gets on.
    while true {
      if let replay = try replay(request.idempotency, id: id) { return replay }
      let record = try load(key)
      let current = try navigation(of: record)
      let intent = current.app.declared(request.intent)
      let words = intent.journalWords
      if let revision = request.revision, revision != record.revision {
        let now = try snapshot(id, record, current)
        guard try isRetry(words, seenAt: revision, now) else { throw .stale(now) }
        guard try remember(request.idempotency, now) else { continue }
        return Performed(snapshot: now, isReplay: true)
      }
      let navigation = try performed(intent, id, record, current)
      var next = record
      next.revision = navigation.state.revision
      next.navigation = .live(navigation)
      // Before the commit: a screen that cannot be drawn is not committed.
      let snapshot = try snapshot(id, next, navigation)
      let entry = JournalEntry(
        revision: next.revision, at: clock.now(), kind: words.kind, name: words.name, input: words.input,
        screen: snapshot.visible.screen.name)
      let outcome = outcome(of: request.idempotency, for: next, created: nil)
      let result = try storing { () throws(StoreError) in try store.commit(next, entry, outcome: outcome) }
      if result == .committed { return Performed(snapshot: snapshot, isReplay: false) }
    }
  }

  /// Whether a request for another revision than the current one is a retry of what was done at that revision.
  private func isRetry(
    _ words: (kind: JournalEntry.Kind, name: String, input: Value), seenAt revision: UInt64, _ now: Snapshot
  ) throws(SessionError) -> Bool {
    guard revision < now.record.revision else { return false }
    let done = try storing { () throws(StoreError) in try store.journalEntry(of: now.record.key, at: revision + 1) }
    return done?.isSameIntent(words.kind, words.name, words.input) ?? false
  }

  /// Takes the key of a retry, so that it stands for nothing else. False where another request has taken it in between.
  private func remember(_ idempotency: Idempotency?, _ now: Snapshot) throws(SessionError) -> Bool {
    guard let outcome = outcome(of: idempotency, for: now.record, created: nil) else { return true }
    return try storing { () throws(StoreError) in try store.remember(outcome) } == .committed
  }

  /// The navigation after the intent.
  private func performed(
    _ intent: Intent, _ id: SessionID, _ record: SessionRecord, _ current: LiveNavigation
  ) throws(SessionError) -> LiveNavigation {
    do throws(Rejection) {
      return LiveNavigation(app: current.app, state: try current.app.perform(intent, on: current.state))
    } catch {
      throw .rejected(error, try snapshot(id, record, current))
    }
  }
}
