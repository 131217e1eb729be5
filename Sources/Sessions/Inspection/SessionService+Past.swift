internal import Navigation
internal import Values

/// The past of a session, made again from its journal (design: navigation, property 28).
extension SessionService {
  /// The session at each revision after one, up to the latest.
  ///
  /// - Parameter known: the session at that revision or before it, if it is at hand.
  /// - Returns: nil where the journal does not reach back that far, or was written by other code than this.
  func snapshots(after revision: UInt64, from known: Snapshot?, to latest: Snapshot) -> [Snapshot]? {
    guard let past = past(of: latest, from: known), let first = past.first, first.entry.revision <= revision + 1 else {
      return nil
    }
    var snapshots: [Snapshot] = []
    for moment in past where moment.entry.revision > revision {
      guard let snapshot = snapshot(latest, at: moment) else { return nil }
      snapshots.append(snapshot)
    }
    return snapshots
  }

  /// A revision that was, and what led to it.
  struct Moment {
    let entry: JournalEntry
    let state: SessionState
  }

  /// Every revision that can be made again after the known one, or from the earliest one on; oldest first, and the latest is the
  /// last. Nil where there is none, or what comes out is not the latest: then the app has changed since.
  func past(of latest: Snapshot, from known: Snapshot? = nil) -> [Moment]? {
    guard let start = start(of: latest, from: known) else { return nil }
    var state = start.state
    var past: [Moment] = []
    for entry in start.entries {
      guard entry.revision == (state?.revision ?? 0) + 1, let next = try? latest.app.state(after: entry, on: state)
      else { return nil }
      state = next
      past.append(Moment(entry: entry, state: next))
    }
    guard let state, latest.app.pack(state) == latest.app.pack(latest.state) else { return nil }
    return past
  }

  private func start(
    of latest: Snapshot, from known: Snapshot?
  ) -> (state: SessionState?, entries: [JournalEntry])? {
    let journal = latest.session.journal
    if let known { return (known.state, journal.entries(after: known.session.revision)) }
    guard let (packed, entries) = journal.replay() else { return nil }
    guard let packed else { return (nil, entries) }
    return (try? latest.app.unpack(packed)).map { ($0, entries) }
  }

  /// The session as it was at a moment; nil where that cannot be drawn.
  func snapshot(_ latest: Snapshot, at moment: Moment) -> Snapshot? {
    let navigation = LiveNavigation(app: latest.app, state: moment.state)
    guard let visible = try? visible(navigation) else { return nil }
    let session = latest.session.asOf(moment.entry.revision, .live(navigation))
    return Snapshot(id: latest.id, session: session, navigation: navigation, visible: visible)
  }
}

extension AppDefinition {
  fileprivate func state(after entry: JournalEntry, on state: SessionState?) throws(Rejection) -> SessionState {
    guard let intent = entry.intent, let state else { return try create(input: entry.input, link: entry.link) }
    return try perform(intent, on: state)
  }
}

extension JournalEntry {
  /// What was asked for; nil for a creation.
  fileprivate var intent: Intent? {
    switch kind {
    case .create: nil
    case .action: .action(name: name, input: input)
    case .back: .back
    case .dismiss: .dismiss
    case .tab: .tab(input["tab"]?.text ?? "")
    case .open: .open(link: input["link"]?.text ?? "")
    }
  }
}
