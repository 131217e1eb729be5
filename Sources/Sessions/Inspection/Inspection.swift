internal import Navigation

/// A session as somebody sees it who may see every session, at its latest revision or an earlier one. Nobody can act from here: the
/// id is not known.
public struct Inspection: Sendable {
  public let summary: SessionSummary
  /// What is kept of its history, oldest first.
  public let history: [JournalEntry]
  /// The session at the revision that was asked for, or why it cannot be shown.
  public let shown: Result<Snapshot, Obstacle>
  /// The revisions that can be shown; nil where not even the latest can.
  public let revisions: ClosedRange<UInt64>?

  /// Why a revision cannot be shown, as a sentence.
  public struct Obstacle: Error {
    public let sentence: String
  }
}

extension SessionService {
  /// - Parameter revision: nil for the latest.
  public func inspect(_ key: SessionKey, at revision: UInt64?) async throws(SessionError) -> Inspection {
    let session: StoredSession
    switch try await storing({ () throws(StoreError) in try await store.load(key, .current) }) {
    case .unknown: throw .unknownSession
    case .gone: throw .expired
    case .live(let live): session = live
    }
    let latest: Snapshot
    do throws(SessionError) {
      latest = try snapshot(.unknown, of: session)
    } catch {
      return inspection(of: session, .failure(.init(sentence: "It cannot be shown. \(error.reason)")), nil)
    }
    let past = past(of: latest)
    let earliest = past?.first?.entry.revision ?? session.revision
    guard let revision, revision != session.revision else {
      return inspection(of: session, .success(latest), earliest...session.revision)
    }
    return inspection(of: session, moment(revision, of: latest, past), earliest...session.revision)
  }

  private func moment(_ revision: UInt64, of latest: Snapshot, _ past: [Moment]?) -> Result<
    Snapshot, Inspection.Obstacle
  > {
    let sentence: String
    switch past {
    case let past?:
      guard let moment = past.first(where: { $0.entry.revision == revision }) else {
        sentence =
          revision > latest.session.revision
          ? "The session has not got to revision \(revision)."
          : "What is kept of the history does not reach back to revision \(revision)."
        break
      }
      if let snapshot = snapshot(latest, at: moment) { return .success(snapshot) }
      sentence = "The screen of revision \(revision) cannot be drawn."
    case nil:
      sentence = "The app has changed since: its history, done again, does not lead to where the session is."
    }
    return .failure(.init(sentence: sentence))
  }

  private func inspection(
    of session: StoredSession, _ shown: Result<Snapshot, Inspection.Obstacle>, _ revisions: ClosedRange<UInt64>?
  ) -> Inspection {
    Inspection(
      summary: summary(of: session), history: session.journal.entries(after: 0), shown: shown, revisions: revisions)
  }
}

extension SessionError {
  /// Why a session that is there cannot be shown.
  fileprivate var reason: String {
    switch self {
    case .outdated(_, let reason): reason
    case .rejected(.unreadable(let error), _): "\(error)"
    case .rejected(.fault(let sentence), _): sentence
    default: "\(self)"
    }
  }
}
