internal import Navigation

/// A session as it stands in a list of sessions.
public struct SessionSummary: Sendable {
  public enum Status: String, Sendable, CaseIterable {
    case active, finished
    /// Over, and not swept yet.
    case expired
    /// Of another version of its app, or of an app that is not hosted any more.
    case outdated
    /// What is stored of it cannot be read.
    case unreadable
  }

  public let listed: ListedSession
  public let status: Status
  /// What was done last; nil where it cannot be read.
  public let last: JournalEntry?

  public var session: StoredSession? { listed.session }
  /// The name of the screen that shows; empty where it cannot be read.
  public var screen: String { last?.screen ?? "" }
}

extension SessionService {
  /// A session by its key.
  public func summary(_ key: SessionKey) async throws(SessionError) -> SessionSummary {
    do throws(SessionError) {
      switch try await wrappingErrors(of: await store.load(key, .current)) {
      case .unknown: throw .unknownSession
      case .gone: throw .expired
      case .live(let session): return summary(of: ListedSession(session))
      }
    } catch .store(.unreadable(let reason)) {
      // Its row tells at least when it was made, and of which app, unless the row itself is damaged.
      let number = key.number
      let listed = try await wrappingErrors(of: await store.list(numbered: number...number, limit: 1))
      guard let listed = listed.first(where: { $0.key == key }) else { throw .store(.unreadable(reason)) }
      return summary(of: listed)
    }
  }

  func summary(of listed: ListedSession) -> SessionSummary {
    SessionSummary(listed: listed, status: status(of: listed), last: listed.session?.journal.latest)
  }

  private func status(of listed: ListedSession) -> SessionSummary.Status {
    if listed.expiresAt <= clock.now() { return .expired }
    guard let session = listed.session else { return .unreadable }
    do throws(SessionError) {
      return try navigation(of: session).state.isFinished ? .finished : .active
    } catch .outdated(_, _) {
      return .outdated
    } catch {
      return .unreadable
    }
  }
}
