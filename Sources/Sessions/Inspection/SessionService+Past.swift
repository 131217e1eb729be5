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
    return (try? latest.app.unpack(packed, environment: latest.session.environment)).flatMap {
      past(of: latest, from: $0, start.entries)
    }
  }

  private func past(of latest: Snapshot, from state: SessionState?, _ entries: [JournalEntry]) -> [Moment]? {
    var past: [Moment] = []
    for entry in entries {
      guard let next = latest.app.state(after: entry, on: past.last?.state ?? state, latest.session.environment) else {
        return nil
      }
      past.append(Moment(entry: entry, state: next))
    }
    guard let last = past.last, latest.app.pack(last.state) == latest.app.pack(latest.state) else { return nil }
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
  /// Nil where the entry cannot follow on the state, or leads to another screen than it did.
  fileprivate func state(
    after entry: JournalEntry, on state: SessionState?, _ environment: SessionEnvironment
  ) -> SessionState? {
    guard entry.revision == (state?.revision ?? 0) + 1 else { return nil }
    let next: SessionState?
    if entry.kind == .handOver {
      next = state?.atNextRevision
    } else if let intent = entry.intent {
      next = state.flatMap { try? perform(intent, on: $0) }
    } else {
      next = try? create(input: entry.input, link: entry.link, environment: environment)
    }
    // A detour of another version of the app may end where this one does.
    guard let screen = next?.visibleEntry?.screen, screens[screen].name == entry.screen else { return nil }
    return next
  }
}

extension JournalEntry {
  /// What was asked for; nil for what is no intent.
  fileprivate var intent: Intent? {
    switch kind {
    case .create, .handOver: nil
    case .action: .action(name: name, input: input)
    case .back: .back
    case .dismiss: .dismiss
    case .tab: .tab(input["tab"]?.text ?? "")
    case .open: .open(link: input["link"]?.text ?? "")
    }
  }
}
