internal import Navigation
internal import Values

extension SessionService {
  /// Carries out an intent: key, revision and retry first, then the navigation, then one compare-and-set on the revision.
  public func perform(_ request: IntentRequest, on id: SessionID) throws(SessionError) -> Performed {
    let key = SessionKey(id)
    let words = request.journalWords
    // Every further turn means that another writer has committed in between, so somebody always gets on.
    while true {
      if let replay = try replay(request.idempotency, id: id) { return replay }
      let record = try load(key)
      if let revision = request.revision, revision != record.revision {
        guard let retried = try retried(request, words, seenAt: revision, id, record) else { continue }
        return retried
      }
      let navigation = try performed(request.intent, id, record)
      var next = record
      next.revision = navigation.state.revision
      next.navigation = .live(navigation)
      let snapshot = try snapshot(id, next, navigation)
      let entry = JournalEntry(
        revision: next.revision, at: clock.now(), kind: words.kind, name: words.name, input: words.input,
        screen: snapshot.visible.screen.name)
      let outcome = outcome(of: request.idempotency, for: next, created: nil)
      let result = try storing { () throws(StoreError) in try store.commit(next, entry, outcome: outcome) }
      if result == .committed { return Performed(snapshot: snapshot, isReplay: false) }
    }
  }

  /// A request for another revision than the current one: a retry of what was done at that revision, or stale. Nil where
  /// another request has taken its idempotency key in between.
  private func retried(
    _ request: IntentRequest, _ words: (kind: JournalEntry.Kind, name: String, input: Value), seenAt revision: UInt64,
    _ id: SessionID, _ record: SessionRecord
  ) throws(SessionError) -> Performed? {
    let snapshot = try snapshot(id, of: record)
    guard revision < record.revision else { throw .stale(snapshot) }
    let done = try storing { () throws(StoreError) in try store.journalEntry(of: record.key, at: revision + 1) }
    guard let done, done.isSameIntent(words.kind, words.name, words.input) else { throw .stale(snapshot) }
    if let outcome = outcome(of: request.idempotency, for: record, created: nil) {
      let result = try storing { () throws(StoreError) in try store.remember(outcome) }
      guard result == .committed else { return nil }
    }
    return Performed(snapshot: snapshot, isReplay: true)
  }

  private func performed(
    _ intent: Intent, _ id: SessionID, _ record: SessionRecord
  ) throws(SessionError) -> LiveNavigation {
    let navigation = try navigation(of: record)
    do throws(Rejection) {
      return LiveNavigation(app: navigation.app, state: try navigation.app.perform(intent, on: navigation.state).state)
    } catch {
      throw .rejected(error, try snapshot(id, record, navigation))
    }
  }
}
