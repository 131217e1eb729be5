internal import Navigation

/// A search among all sessions. A condition that is nil matches every session.
public struct SessionSearch: Sendable {
  public var app: String?
  /// The name of the visible screen.
  public var screen: String?
  public var status: SessionSummary.Status?
  /// The search finds only sessions that were created before this position.
  public var before: SessionCursor

  public init(
    app: String? = nil, screen: String? = nil, status: SessionSummary.Status? = nil, before: SessionCursor = .end
  ) {
    self.app = app
    self.screen = screen
    self.status = status
    self.before = before
  }

  public var isUnfiltered: Bool { app == nil && screen == nil && status == nil }

  /// Returns whether the session can match, as far as that is known without its state.
  fileprivate func mayInclude(_ session: ListedSession) -> Bool {
    (app ?? session.app) == session.app
      && (screen == nil || session.session?.journal.latest.map { $0.screen == screen } ?? false)
  }
}

/// A page of search results, newest first.
public struct FoundSessions: Sendable {
  public let sessions: [SessionSummary]
  /// The number of sessions that were examined.
  public let scanned: Int
  /// The position of the next page; nil if this page is the last.
  public let next: SessionCursor?
}

extension SessionService {
  /// Searches the sessions, newest first, until the page is full.
  ///
  /// - Parameter scanning: the maximum number of sessions to examine.
  public func search(
    _ search: SessionSearch, limit: Int, scanning scanLimit: Int = 2000
  ) async throws(SessionError) -> FoundSessions {
    // Loaded sessions may be large, so a filtered search loads them in small batches.
    let batchSize = search.isUnfiltered ? limit + 1 : 100
    var found: [SessionSummary] = []
    var (cursor, scanned) = (search.before, 0)
    while scanned < scanLimit {
      let batch = try await wrappingErrors(of: await store.list(.before(cursor), limit: batchSize))
      for session in batch {
        // One session more than the page holds shows that there is a next page.
        if found.count == limit { return FoundSessions(sessions: found, scanned: scanned, next: cursor) }
        (cursor, scanned) = (session.cursor, scanned + 1)
        guard search.mayInclude(session) else { continue }
        let summary = await summary(of: session)
        if (search.status ?? summary.status) == summary.status { found.append(summary) }
      }
      if batch.count < batchSize { return FoundSessions(sessions: found, scanned: scanned, next: nil) }
    }
    return FoundSessions(sessions: found, scanned: scanned, next: cursor)
  }

  /// Returns the sessions whose keys begin with a prefix.
  public func sessions(_ prefix: SessionKeyPrefix, limit: Int) async throws(SessionError) -> [SessionSummary] {
    let sessions = try await wrappingErrors(of: await store.list(.numbered(prefix.numbers), limit: limit))
    var found: [SessionSummary] = []
    for session in sessions where prefix.matches(session.key) { found.append(await summary(of: session)) }
    return found
  }
}

/// A session in a list of sessions.
public struct SessionSummary: Sendable {
  public enum Status: String, Sendable, CaseIterable {
    case active, finished
    /// Expired, but not yet swept.
    case expired
    /// The session belongs to an app that is no longer hosted, or to a version of its app from which it cannot be
    /// migrated.
    case outdated
    /// The stored content cannot be decoded.
    case unreadable
  }

  public let listed: ListedSession
  public let status: Status
  /// The last step; nil if the session is unreadable.
  public let last: JournalEntry?

  public var session: StoredSession? { listed.session }
  /// The name of the visible screen; empty if the session is unreadable.
  public var screen: String { last?.screen ?? "" }
}

extension SessionService {
  /// Returns a session by its key.
  public func summary(_ key: SessionKey) async throws(SessionError) -> SessionSummary {
    do throws(SessionError) {
      switch try await lookUp(key) {
      case .unknown: throw .unknownSession
      case .gone: throw .expired(nil)
      case .live(let session): return await summary(of: ListedSession(session))
      }
    } catch .store(.unreadable(let reason)) {
      // The row still has the session's app and its times, unless the row itself is damaged.
      let number = key.number
      let listed = try await wrappingErrors(of: await store.list(.numbered(number...number), limit: 1))
      guard let listed = listed.first(where: { $0.key == key }) else { throw .store(.unreadable(reason)) }
      return await summary(of: listed)
    }
  }

  private func summary(of listed: ListedSession) async -> SessionSummary {
    var listed = listed
    // A definition that cannot be loaded now makes the session outdated in this list only.
    if let session = listed.session, session.definition != nil, let prepared = try? await prepared(session) {
      listed = ListedSession(prepared)
    }
    return SessionSummary(listed: listed, status: status(of: listed), last: listed.session?.journal.latest)
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
