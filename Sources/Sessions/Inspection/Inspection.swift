internal import Navigation

/// A session as somebody sees it who may see every session, at its latest revision or an earlier one. Nobody can act from here: the
/// id is not known.
public struct Inspection: Sendable {
  public let summary: SessionSummary
  /// What is kept of its history, oldest first and without what was typed into secret fields.
  public let history: [JournalEntry]
  /// The session at the revision that was asked for, or why it cannot be shown.
  public let shown: Result<Snapshot, Obstacle>
  /// The revisions that can be shown, unless the app has changed since; nil where not even the latest can.
  public let revisions: ClosedRange<UInt64>?

  /// Why a revision cannot be shown, as a sentence.
  public struct Obstacle: Error {
    public let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
  }
}

extension SessionService {
  /// - Parameter revision: nil for the latest.
  public func inspect(_ summary: SessionSummary, at revision: UInt64?) -> Inspection {
    guard let session = summary.session else {
      return Inspection(
        summary: summary, history: [], shown: .failure(.init("What is stored of it cannot be read.")), revisions: nil)
    }
    let history = session.journal.entries(after: 0).hidingSecrets(of: app(named: session.app))
    do throws(SessionError) {
      let latest = try snapshot(.unknown, of: session)
      let first = min(session.journal.firstReplayable ?? session.revision, session.revision)
      return Inspection(
        summary: summary, history: history, shown: shown(latest, at: revision ?? session.revision),
        revisions: first...session.revision)
    } catch {
      let obstacle = Inspection.Obstacle("It cannot be shown. \(error.reason)")
      return Inspection(summary: summary, history: history, shown: .failure(obstacle), revisions: nil)
    }
  }

  private func shown(_ latest: Snapshot, at revision: UInt64) -> Result<Snapshot, Inspection.Obstacle> {
    if revision == latest.session.revision { return .success(latest) }
    guard revision < latest.session.revision else {
      return .failure(.init("The session has not got to revision \(revision)."))
    }
    guard let start = latest.session.journal.start(for: revision) else {
      return .failure(.init("What is kept of its history does not reach back to revision \(revision)."))
    }
    guard let past = past(of: latest, from: start) else {
      return .failure(
        .init("The app has changed since: what was done, done again, does not lead to where the session is."))
    }
    guard let moment = past.first(where: { $0.entry.revision == revision }), let then = snapshot(latest, at: moment)
    else {
      return .failure(.init("The screen of revision \(revision) cannot be drawn."))
    }
    return .success(then)
  }
}

extension SessionError {
  /// Why a session that is there cannot be shown.
  fileprivate var reason: String {
    switch self {
    case .outdated(_, let reason): reason
    case .rejected(.unreadable(let error), _): "\(error)"
    case .rejected(.fault(let fault), _): "\(fault)"
    default: "\(self)"
    }
  }
}
