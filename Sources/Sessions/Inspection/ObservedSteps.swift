/// A step that sessions of an app took: what was done on which screen, and where it led.
public struct ObservedStep: Sendable, Hashable {
  /// Nil for the creation of the session.
  public let from: String?
  public let kind: JournalEntry.Kind
  /// The name of the action; for the other kinds their own.
  public let name: String
  public let to: String
}

/// What the newest sessions of an app did.
public struct ObservedSteps: Sendable {
  /// How often each step was taken.
  public fileprivate(set) var counts: [ObservedStep: Int] = [:]
  /// Of how many sessions they are.
  public let sessions: Int
  /// How many sessions were looked at, those of other apps included.
  public let scanned: Int
}

extension SessionService {
  /// What an app's newest sessions did, as their journals tell.
  public func observedSteps(of app: String) async throws(SessionError) -> ObservedSteps {
    let found = try await search(SessionSearch(app: app), limit: 500, scanning: 10_000)
    var steps = ObservedSteps(sessions: found.sessions.count, scanned: found.scanned)
    for summary in found.sessions {
      var from: JournalEntry?
      for entry in summary.session?.journal.entries(after: 0) ?? [] where entry.kind != .handOver {
        // Where a journal begins in the middle it is not known what was there before.
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
