internal import Sessions

/// A request to the database: a statement, and the way in which the pool carries it out.
struct PostgreSQLRequest: Sendable {
  enum Kind: Sendable {
    /// A read that concerns few sessions.
    case lookUp
    /// A write of one session.
    case write
    /// A read that concerns many sessions.
    case scan
    /// A write that concerns many sessions, or none.
    case bulkWrite
    /// A claim of work.
    case claim
    /// A check that the database can be written.
    case check
  }

  /// Returns whether an earlier attempt of a write, whose answer was lost, has changed its row; nil if so many writes
  /// have followed that the server no longer knows.
  typealias Recovery =
    @Sendable (PostgreSQLConnection, _ deadline: Deadline) throws(PostgreSQLError) -> Bool?

  /// The row on which a write may wait for another process: the number of a session or a creation, and the id of a piece
  /// of the session's work. The write of a session comes first, because it locks the session before its work.
  typealias Lock = (number: Int64, work: Int64)

  let kind: Kind
  let statement: PostgreSQLStatement
  let lock: Lock
  let recovery: Recovery

  init(
    _ kind: Kind, _ statement: PostgreSQLStatement, lock: Lock = (0, -1),
    recovery: @escaping Recovery = { _, _ in false }
  ) {
    self.kind = kind
    self.statement = statement
    self.lock = lock
    self.recovery = recovery
  }

  init(_ kind: Kind, _ sql: String, _ parameters: PostgreSQLParameter...) {
    self.init(kind, PostgreSQLStatement(sql, parameters))
  }

  var isRead: Bool { kind == .lookUp || kind == .scan || kind == .check }

  /// The time until the request fails, from its arrival. Shorter than the timeouts of clients.
  var timeout: Duration { .seconds(kind == .check ? 1 : 10) }
}

/// A request, and the function that receives its answer. The job is an object, because a batch passes it on several
/// times.
final class PostgreSQLJob: Sendable {
  typealias Completion = @Sendable (Result<PostgreSQLAnswer, StoreError>) -> Void

  /// Made on the caller's thread, because the thread of the connection has the work of all callers.
  let request: PostgreSQLRequest
  let deadline: Deadline
  let completion: Completion

  init(_ request: PostgreSQLRequest, _ completion: @escaping Completion) {
    self.request = request
    deadline = .now + request.timeout
    self.completion = completion
  }
}
