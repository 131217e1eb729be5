internal import Navigation

/// A session as an operator sees it, at its latest revision or an earlier one.
///
/// An inspection is read-only: it does not contain the session's ID.
public struct Inspection: Sendable {
  public let summary: SessionSummary
  /// The kept history, oldest first, without the values of secret fields.
  public internal(set) var history: [JournalEntry] = []
  /// The session at the requested revision, or the reason why it cannot be shown.
  public internal(set) var shown: Result<Snapshot, Obstacle>
  /// The revisions that can be shown if the app has not changed since; nil if not even the latest one can.
  public internal(set) var revisions: ClosedRange<UInt64>?

  /// The reason why a revision cannot be shown, as a sentence.
  public struct Obstacle: Error {
    public let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
  }
}

/// A step that sessions of an app took: from a screen, by an action or another intent, to a screen.
public struct ObservedStep: Sendable, Hashable {
  /// The screen before the step; nil for the creation of a session.
  public let from: String?
  public let kind: JournalEntry.Kind
  /// The name of the action. Every other kind has its own name.
  public let name: String
  public let to: String
}

/// The steps of an app's newest sessions.
public struct ObservedSteps: Sendable {
  /// The number of occurrences of each step.
  public fileprivate(set) var counts: [ObservedStep: Int] = [:]
  /// The number of sessions that the counts cover.
  public let sessions: Int
  /// The number of sessions that were examined, including those of other apps.
  public let scanned: Int
}

extension SessionService {
  /// Returns an inspection of a session.
  ///
  /// - Parameter revision: the revision to show; nil for the latest.
  public func inspect(_ summary: SessionSummary, at revision: UInt64?) -> Inspection {
    let obstacle = Inspection.Obstacle("The stored content of the session cannot be decoded.")
    var inspection = Inspection(summary: summary, shown: .failure(obstacle))
    guard let session = summary.session else { return inspection }
    inspection.history = session.journal.entries(after: 0).hidingSecrets(of: app(of: session))
    do throws(SessionError) {
      let latest = try snapshot(.unknown, of: session)
      let first = min(session.journal.firstReconstructible ?? session.revision, session.revision)
      inspection.shown = shown(latest, at: revision ?? session.revision)
      inspection.revisions = first...session.revision
    } catch {
      inspection.shown = .failure(.init("The session cannot be shown. \(error.operatorDescription)"))
    }
    return inspection
  }

  private func shown(_ latest: Snapshot, at revision: UInt64) -> Result<Snapshot, Inspection.Obstacle> {
    if revision == latest.session.revision { return .success(latest) }
    guard revision < latest.session.revision else {
      return .failure(.init("The session has not reached revision \(revision)."))
    }
    guard let checkpoint = latest.session.journal.checkpoint(before: revision) else {
      return .failure(.init("The kept history does not reach back to revision \(revision)."))
    }
    guard let states = reconstructedStates(of: latest, from: checkpoint) else {
      return .failure(
        .init(
          "The app has changed since. Repeating the recorded steps does not lead to the session's current state."))
    }
    guard let state = states.first(where: { $0.revision == revision }),
      let snapshot = snapshot(latest, at: state)
    else {
      return .failure(.init("The screen of revision \(revision) cannot be rendered."))
    }
    return .success(snapshot)
  }

  /// Counts the steps in the journals of an app's newest sessions.
  public func observedSteps(of app: String) async throws(SessionError) -> ObservedSteps {
    let found = try await search(SessionSearch(app: app), limit: 500, scanning: 10_000)
    var steps = ObservedSteps(sessions: found.sessions.count, scanned: found.scanned)
    for summary in found.sessions {
      var from: JournalEntry?
      for entry in summary.session?.journal.entries(after: 0) ?? []
      where ![.handOver, .carry, .stuck].contains(entry.kind) {
        // The first entry of a truncated journal does not show the screen before it.
        if entry.kind == .create || from != nil {
          let step = ObservedStep(from: from?.screen, kind: entry.kind, name: entry.name, to: entry.screen)
          steps.counts[step, default: 0] += 1
        }
        from = entry
      }
    }
    return steps
  }
}
