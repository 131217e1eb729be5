internal import Sessions

/// What a database is asked for.
enum PostgreSQLRequest: Sendable {
  /// - Parameter known: the session as it is at hand; its content need not come again.
  case load(SessionKey, known: StoredSession?)
  case creation(IdempotencyDigest)
  case list(before: SessionCursor, limit: Int)
  case listNumbered(ClosedRange<Int64>, limit: Int)
  case insert(StoredSession)
  case insertOnce(StoredSession, CreationOutcome)
  case replace(version: SessionVersion, next: StoredSession)
  case delete(StoredSession, forgetAt: Timestamp)
  /// Drops the content of a few sessions that have expired; they are remembered for so many seconds from then on.
  case endExpired(now: Timestamp, tombstoneLifetime: Int64)
  /// Forgets a few sessions that are over, and the creations of these.
  case forgetSessions(now: Timestamp)
  case forgetCreations(now: Timestamp)
  case forgetWatches(now: Timestamp)
  /// Has changes of these sessions told until then.
  case watch([SessionKey], until: Timestamp)
  case count
  /// When the newest of those ended sessions is forgotten that come behind so many others; 0 where there are no more than those.
  case lastSurplus(beyond: Int)
  case countOwned(SessionOwner, limit: Int)
  /// Whether the database can be written; refused where it cannot.
  case check

  var isRead: Bool {
    switch self {
    case .load, .creation, .list, .listNumbered, .count, .lastSurplus, .countOwned, .check: true
    default: false
    }
  }

  /// For how long it may take from when it comes: well within what a client waits.
  var patience: Duration {
    if case .check = self { .seconds(1) } else { .seconds(10) }
  }

  /// Whether both can go into one statement.
  static func areAlike(_ a: PostgreSQLRequest, _ b: PostgreSQLRequest) -> Bool {
    switch (a, b) {
    case (.load, .load), (.insert, .insert), (.replace, .replace): true
    default: false
    }
  }
}

/// What the database says.
enum PostgreSQLAnswer: Sendable {
  /// The number of rows that were changed or counted.
  case rows(Int)
  case session(SessionLookup)
  case creation(CreationLookup)
  case sessions([ListedSession])
}

/// A request and who waits for its answer.
struct PostgreSQLJob: Sendable {
  let request: PostgreSQLRequest
  let deadline: Deadline
  let done: UnsafeContinuation<Result<PostgreSQLAnswer, StoreError>, Never>
  /// Whether the request was sent before on a connection that was lost, so that it may have been carried out.
  var isUnsure = false
}
