internal import Navigation

/// A session as it stands in a list of sessions.
public struct SessionSummary: Sendable {
  public enum Status: String, Sendable, CaseIterable {
    case active, finished
    /// Over, and not swept yet.
    case expired
    /// Of another version of its app, or of an app that is not hosted any more.
    case outdated
  }

  public let session: StoredSession
  public let status: Status
  /// What was done last.
  public let last: JournalEntry?

  public var key: SessionKey { session.key }
  /// The screen that shows.
  public var screen: String { last?.screen ?? "" }
}

extension SessionService {
  func summary(of session: StoredSession) -> SessionSummary {
    SessionSummary(
      session: session, status: status(of: session), last: session.journal.entry(at: session.revision))
  }

  private func status(of session: StoredSession) -> SessionSummary.Status {
    if session.expiresAt <= clock.now() { return .expired }
    guard let navigation = try? navigation(of: session) else { return .outdated }
    return navigation.state.isFinished ? .finished : .active
  }
}
