internal import Sessions

/// One change to a session file. Those of a batch are done in their order, in one transaction.
enum SQLiteWrite: Sendable {
  case insert(StoredSession, CreationOutcome?)
  case replace(version: SessionVersion, next: StoredSession)
  case delete(StoredSession, forgetAt: Timestamp)
  /// Drops the content of a few sessions that have expired; they are remembered for so many seconds from then on.
  case endExpired(now: Timestamp, tombstoneLifetime: Int64)
  /// Forgets a few sessions that are over, and their creations.
  case forgetSessions(now: Timestamp)
  case forgetCreations(now: Timestamp)
  /// Changes nothing, but has to be written.
  case probe
}

/// A change, and who waits for the number of rows that it changed.
struct SQLiteJob: Sendable {
  let write: SQLiteWrite
  let done: UnsafeContinuation<Result<Int, StoreError>, Never>
}
