/// A step that sessions of an app took: what was done on which screen, and where it led.
public struct ObservedStep: Sendable, Hashable {
  /// Nil for the creation of the session.
  public let from: String?
  public let kind: JournalEntry.Kind
  /// The name of the action; for the other kinds their own.
  public let name: String
  public let to: String
}

extension SessionService {
  /// How often each step was taken, as the journals of an app's newest sessions tell.
  ///
  /// - Returns: the steps, and of how many sessions they are.
  public func observedSteps(of app: String) async throws(SessionError) -> (counts: [ObservedStep: Int], sessions: Int) {
    var counts: [ObservedStep: Int] = [:]
    let found = try await search(SessionSearch(app: app), limit: 500).sessions
    for summary in found {
      var from: JournalEntry?
      for entry in summary.session.journal.entries(after: 0) {
        // Where a journal begins in the middle it is not known what was there before.
        if entry.kind == .create || from != nil {
          let step = ObservedStep(from: from?.screen, kind: entry.kind, name: entry.name, to: entry.screen)
          counts[step, default: 0] += 1
        }
        from = entry
      }
    }
    return (counts, found.count)
  }
}
