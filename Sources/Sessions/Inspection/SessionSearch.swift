/// What is looked for among all sessions; nil where it is all the same.
public struct SessionSearch: Sendable {
  public var app: String?
  /// The name of the screen that shows.
  public var screen: String?
  public var status: SessionSummary.Status?
  /// Only what was created before the session at this place.
  public var before: SessionPlace

  public init(
    app: String? = nil, screen: String? = nil, status: SessionSummary.Status? = nil, before: SessionPlace = .end
  ) {
    self.app = app
    self.screen = screen
    self.status = status
    self.before = before
  }

  fileprivate var isForAll: Bool { app == nil && screen == nil && status == nil }

  fileprivate func includes(_ summary: SessionSummary) -> Bool {
    (screen ?? summary.screen) == summary.screen && (status ?? summary.status) == summary.status
  }
}

/// Some of the sessions that were found, the newest first.
public struct FoundSessions: Sendable {
  public let sessions: [SessionSummary]
  /// How many were looked at.
  public let lookedAt: Int
  /// Where to go on; nil where there are no more.
  public let next: SessionPlace?
}

extension SessionService {
  /// Sessions that are looked at for one answer.
  private static let lookLimit = 2000

  /// Looks through the sessions, the newest first, until there are enough or it has looked at many.
  public func search(_ search: SessionSearch, limit: Int) async throws(SessionError) -> FoundSessions {
    var found: [SessionSummary] = []
    var (place, lookedAt) = (search.before, 0)
    let batchSize = search.isForAll ? limit + 1 : 500
    while lookedAt < Self.lookLimit {
      let start = place
      let batch = try await storing { () throws(StoreError) in
        try await store.list(before: start, limit: batchSize)
      }
      if batch.isEmpty { return FoundSessions(sessions: found, lookedAt: lookedAt, next: nil) }
      for session in batch {
        // One more than is wanted tells that there are more.
        if found.count == limit { return FoundSessions(sessions: found, lookedAt: lookedAt, next: place) }
        (place, lookedAt) = (session.place, lookedAt + 1)
        guard (search.app ?? session.app) == session.app else { continue }
        let summary = summary(of: session)
        if search.includes(summary) { found.append(summary) }
      }
    }
    return FoundSessions(sessions: found, lookedAt: lookedAt, next: place)
  }

  /// The sessions whose keys begin like this, at most 100.
  public func sessions(_ prefix: SessionKeyPrefix) async throws(SessionError) -> [SessionSummary] {
    let sessions = try await storing { () throws(StoreError) in
      try await store.list(numbered: prefix.numbers, limit: 100)
    }
    return sessions.filter { prefix.matches($0.key) }.map { summary(of: $0) }
  }
}
