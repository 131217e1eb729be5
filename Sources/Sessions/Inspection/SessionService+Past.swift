internal import Navigation
internal import Values

/// A revision that was, and what led to it.
struct Moment {
  let entry: JournalEntry
  let state: SessionState
}

/// The past of a session, made again from its journal (design: navigation, property 28).
extension SessionService {
  /// Steps that are made again at most for whoever follows a session.
  private static let stepLimit = 128

  /// The session at each revision after one, up to the latest.
  ///
  /// - Parameter known: the session at that revision, if it is at hand.
  /// - Returns: nil where the journal does not reach back that far, or was written by other code than this.
  func snapshots(after revision: UInt64, from known: Snapshot?, to latest: Snapshot) -> [Snapshot]? {
    let journal = latest.session.journal
    let moments: [Moment]?
    if let known {
      moments = past(of: latest, from: known.state, journal.entries(after: revision))
    } else {
      guard let start = journal.start(for: revision + 1), start.entries.count <= Self.stepLimit else { return nil }
      moments = past(of: latest, from: start)
    }
    var snapshots: [Snapshot] = []
    for moment in moments ?? [] where moment.entry.revision > revision {
      guard let snapshot = snapshot(latest, at: moment) else { return nil }
      snapshots.append(snapshot)
    }
    return moments == nil ? nil : snapshots
  }

  /// Every revision from a start on, the latest included; nil where what comes out is not what was, because the app has changed
  /// since.
  func past(of latest: Snapshot, from start: Journal.Start) -> [Moment]? {
    guard let packed = start.state else { return past(of: latest, from: nil, start.entries) }
    return (try? latest.app.unpack(packed)).flatMap { past(of: latest, from: $0, start.entries) }
  }

  private func past(of latest: Snapshot, from state: SessionState?, _ entries: [JournalEntry]) -> [Moment]? {
    var state = state
    var past: [Moment] = []
    for entry in entries {
      guard entry.revision == (state?.revision ?? 0) + 1, let next = try? latest.app.state(after: entry, on: state),
        // A detour of another app may end where this one does.
        next.visibleEntry?.screen.map({ latest.app.screens[$0].name }) == entry.screen
      else { return nil }
      state = next
      past.append(Moment(entry: entry, state: next))
    }
    guard let state, latest.app.pack(state) == latest.app.pack(latest.state) else { return nil }
    return past
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
