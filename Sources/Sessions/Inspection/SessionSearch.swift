/// What is looked for among all sessions. A condition that is nil holds for all.
public struct SessionSearch: Sendable {
  public var app: String?
  /// The name of the screen that shows.
  public var screen: String?
  public var status: SessionSummary.Status?
  /// Only what was created before this.
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

  /// Whether the session can be one of them, as far as that is known without its state.
  fileprivate func mayInclude(_ session: ListedSession) -> Bool {
    (app ?? session.app) == session.app
      && (screen == nil || session.session?.journal.latest.map { $0.screen == screen } ?? false)
  }
}

/// Some of the sessions that were found, the newest first.
public struct FoundSessions: Sendable {
  public let sessions: [SessionSummary]
  /// How many were looked at.
  public let scanned: Int
  /// Where to go on; nil where there are no more.
  public let next: SessionCursor?
}

extension SessionService {
  /// Looks through the sessions, the newest first, until there are enough.
  ///
  /// - Parameter scanning: how many it looks at for that at most.
  public func search(
    _ search: SessionSearch, limit: Int, scanning scanLimit: Int = 2000
  ) async throws(SessionError) -> FoundSessions {
    // Of sessions that can be large.
    let batchSize = search.isUnfiltered ? limit + 1 : 100
    var found: [SessionSummary] = []
    var (cursor, scanned) = (search.before, 0)
    while scanned < scanLimit {
      let batch = try await wrappingErrors(of: await store.list(before: cursor, limit: batchSize))
      for session in batch {
        // One more than is wanted tells that there are more.
        if found.count == limit { return FoundSessions(sessions: found, scanned: scanned, next: cursor) }
        (cursor, scanned) = (session.cursor, scanned + 1)
        guard search.mayInclude(session) else { continue }
        let summary = summary(of: session)
        if (search.status ?? summary.status) == summary.status { found.append(summary) }
      }
      if batch.count < batchSize { return FoundSessions(sessions: found, scanned: scanned, next: nil) }
    }
    return FoundSessions(sessions: found, scanned: scanned, next: cursor)
  }

  /// The sessions whose keys begin like this.
  public func sessions(_ prefix: SessionKeyPrefix, limit: Int) async throws(SessionError) -> [SessionSummary] {
    let sessions = try await wrappingErrors(of: await store.list(numbered: prefix.numbers, limit: limit))
    return sessions.filter { prefix.matches($0.key) }.map { summary(of: $0) }
  }
}
