internal import Navigation
internal import Values

extension SessionService {
  /// The session at each revision after one that is known, up to the latest, as its journal tells (design: navigation, property 28).
  ///
  /// - Parameter known: nil for before it began.
  /// - Returns: nil where the journal does not reach back that far, or was written by other code than this.
  func snapshots(after known: Snapshot?, to latest: Snapshot) -> [Snapshot]? {
    let first = (known?.session.revision ?? 0) + 1
    let entries = latest.session.journal.entries(after: first - 1)
    guard let last = entries.last, entries.first?.revision == first, last.revision == latest.session.revision else {
      return nil
    }
    var state = known?.state
    var snapshots: [Snapshot] = []
    for entry in entries {
      guard let next = try? latest.app.state(after: entry, on: state) else { return nil }
      state = next
      guard let snapshot = snapshot(latest, at: entry.revision, next) else { return nil }
      snapshots.append(snapshot)
    }
    guard let state, latest.app.pack(state) == latest.app.pack(latest.state) else { return nil }
    return snapshots
  }

  private func snapshot(_ latest: Snapshot, at revision: UInt64, _ state: SessionState) -> Snapshot? {
    let navigation = LiveNavigation(app: latest.app, state: state)
    guard let visible = try? visible(navigation) else { return nil }
    let session = latest.session.asOf(revision, .live(navigation))
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
