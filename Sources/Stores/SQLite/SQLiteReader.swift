internal import Dispatch
internal import Foundation
internal import GRDB
internal import Navigation
internal import Sessions
internal import Values

/// The threads that read a session file.
final class SQLiteReader: Sendable {
  /// The number of threads, and therefore of concurrent reads from disk.
  static let threadCount = 4

  private struct Job: Sendable {
    /// Reads, and returns the function that resumes the caller.
    let read: @Sendable (Database) throws -> () -> Void
    let fail: @Sendable (StoreError) -> Void
  }

  private let file: SQLiteFile
  private let queue = JobQueue<Job>()
  private let stopped = DispatchGroup()

  init(_ file: SQLiteFile) { self.file = file }

  func start() {
    for _ in 0..<Self.threadCount {
      stopped.enter()
      Thread.start("usher.reader") { [self] in
        while let job = queue.dequeue() { run(job) }
        stopped.leave()
      }
    }
  }

  /// Refuses new reads, and blocks until the pending ones are done.
  func stop() {
    queue.close()
    stopped.wait()
  }

  private static let columns = "key, app, created_at, expires_at, version, content, owner, ended, parts"

  func session(_ key: SessionKey) async throws(StoreError) -> SessionLookup {
    try await read { try Self.session(key, $0) }
  }

  /// Returns the sessions of several keys, in the order of the keys. Nil for a session that has ended or cannot be read.
  func sessions(_ keys: [SessionKey]) async throws(StoreError) -> [StoredSession?] {
    try await read { connection in
      do {
        let found = try Self.sessions(keys, connection)
        return keys.map { found[$0] }
      } catch  where SQLiteFile.isCorruption(error) {
        return keys.map { if case .live(let session)? = try? Self.session($0, connection) { session } else { nil } }
      }
    }
  }

  /// Reads sessions with one statement, because GRDB prepares the names of the columns for each result.
  private static func sessions(_ keys: [SessionKey], _ connection: Database) throws -> [SessionKey: StoredSession] {
    let statement = try connection.cachedStatement(
      sql: "SELECT \(columns) FROM (SELECT value AS asked FROM json_each(?)) CROSS JOIN session ON number = asked")
    let numbers = keys.map { "\($0.number)" }.joined(separator: ",")
    let rows = try Row.fetchCursor(statement, arguments: ["[\(numbers)]"])
    var sessions: [SessionKey: StoredSession] = [:]
    while let row = try rows.next() {
      // One that is unreadable is missing.
      if let session = try? row.session(connection) { sessions[session.key] = session }
    }
    return sessions
  }

  private static func session(_ key: SessionKey, _ connection: Database) throws -> SessionLookup {
    let statement = try connection.cachedStatement(sql: "SELECT \(columns) FROM session WHERE number = ?")
    guard let row = try Row.fetchOne(statement, arguments: [key.number]), row.bytes(0) == key.bytes else {
      return .unknown
    }
    return try row.session(connection).map { .live($0) } ?? .gone(owner: row.owner)
  }

  func list(before cursor: SessionCursor, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await read { connection in
      try Self.sessions(
        connection, "(created_at, number) < (?, ?) ORDER BY created_at DESC, number DESC LIMIT ?",
        [cursor.createdAt.milliseconds, cursor.number], limit)
    }
  }

  func list(numbered: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await read { connection in
      try Self.sessions(
        connection, "number BETWEEN ? AND ? ORDER BY number LIMIT ?", [numbered.lowerBound, numbered.upperBound], limit)
    }
  }

  private static func sessions(
    _ connection: Database, _ condition: String, _ arguments: StatementArguments, _ limit: Int
  ) throws -> [ListedSession] {
    do {
      let statement = try connection.cachedStatement(
        sql: "SELECT \(columns) FROM session WHERE NOT ended AND \(condition)")
      return try Row.fetchAll(statement, arguments: arguments + [limit]).map { try $0.listed(connection) }
    } catch  where isUnreadable(error) {
      // An index has the numbers of all sessions. Read the sessions one by one, and skip those on a damaged page.
      let numbers = try Int64.fetchCursor(
        connection, sql: "SELECT number FROM session INDEXED BY session_created WHERE NOT ended AND \(condition)",
        arguments: arguments + [-1])
      var found: [ListedSession] = []
      while found.count < limit, let number = try numbers.next() {
        do {
          let row = try Row.fetchOne(
            connection, sql: "SELECT \(columns) FROM session WHERE number = ?", arguments: [number])
          if let row { found.append(try row.listed(connection)) }
        } catch  where isUnreadable(error) {
          continue
        }
      }
      return found
    }
  }

  private static func isUnreadable(_ error: any Error) -> Bool {
    SQLiteFile.isCorruption(error) || error is UnreadableColumn
  }

  /// Returns the time when all tombstones in excess of the limit are due, or nil if there are none.
  func excessTombstonesDue(beyond limit: Int) async throws(StoreError) -> Timestamp? {
    try await read { connection in
      let sql = "SELECT expires_at FROM session WHERE ended = 1 ORDER BY expires_at DESC LIMIT 1 OFFSET ?"
      return try Int64.fetchOne(connection, sql: sql, arguments: [limit]).map { Timestamp(milliseconds: $0) }
    }
  }

  func count() async throws(StoreError) -> Int {
    try await read { try Int.fetchOne($0, sql: SQLiteFile.count) ?? 0 }
  }

  func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int {
    try await read { connection in
      let sql = "SELECT count(*) FROM (SELECT 1 FROM session WHERE NOT ended AND owner = ? LIMIT ?)"
      let statement = try connection.cachedStatement(sql: sql)
      return try Int.fetchOne(statement, arguments: [Data(owner.bytes), limit]) ?? 0
    }
  }

  func countWork() async throws(StoreError) -> WorkCount {
    try await read { connection in
      let row = try Row.fetchOne(
        connection,
        sql: """
          SELECT count(*) FILTER (WHERE due_at < ?1), count(*) FILTER (WHERE due_at = ?1 AND error IS NOT NULL),
            (SELECT count(*) FROM signal WHERE held_until IS NOT NULL), min(due_at) FILTER (WHERE due_at >= ?2),
            count(*) FILTER (WHERE wait = ?3)
          FROM work
          """,
        arguments: [
          Timestamp.never.milliseconds, WorkCount.earliest.milliseconds, EventWait.Reason.blockedForLong.rawValue,
        ])
      let dueSince = Int64.fromDatabaseValue(row?[3] ?? .null).map { Timestamp(milliseconds: $0) }
      return WorkCount(
        pending: row?[0] ?? 0, stuck: row?[1] ?? 0, blocked: row?[4] ?? 0, heldSignals: row?[2] ?? 0,
        dueSince: dueSince == .never ? nil : dueSince)
    }
  }

  func work(of session: SessionKey) async throws(StoreError) -> [WorkStatus] {
    try await read { connection in
      try Row.fetchAll(
        connection,
        sql: """
          SELECT id, attempts, error, due_at, progress, wait, waits_since FROM work
          WHERE session = (SELECT place FROM session WHERE number = ?) ORDER BY id
          """,
        arguments: [session.number]
      ).map { row in
        let error: String? = row[2]
        return WorkStatus(
          id: WorkID(UInt32(clamping: row[0] as Int64)), attempts: row[1], error: error,
          dueAt: try row.timestamp(3), progress: row.bytes(4), wait: row.eventWait(5, 6))
      }
    }
  }

  /// Returns the signals that are held for a key, in the order of their arrival.
  func heldSignals(for key: SignalKey, at now: Timestamp) async throws(StoreError) -> [[UInt8]] {
    try await read { connection in
      try Row.fetchAll(
        connection, sql: "SELECT event FROM signal WHERE key = ? AND held_until > ? ORDER BY arrived_at",
        arguments: [Data(key.bytes), now.milliseconds]
      ).compactMap { $0.bytes(0) }
    }
  }

  /// Returns the secret of the file; nil if it has none yet.
  func secret() async throws(StoreError) -> [UInt8]? {
    try await read { try Row.fetchOne($0, sql: "SELECT value FROM secret WHERE id = 1")?.bytes(0) }
  }

  func creation(_ key: IdempotencyDigest) async throws(StoreError) -> CreationLookup {
    try await read { connection in
      let statement = try connection.cachedStatement(sql: "SELECT content, expires_at FROM creation WHERE key = ?")
      guard let row = try Row.fetchOne(statement, arguments: [Data(key.bytes)]) else { return .unknown }
      return try CreationLookup(key: key, content: row.bytes(0) ?? [], expiresAt: row.timestamp(1))
    }
  }

  func read<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws(StoreError) -> R {
    let result = await withUnsafeContinuation { (continuation: UnsafeContinuation<Result<R, StoreError>, Never>) in
      let job = Job(
        read: { connection in
          let value = try body(connection)
          return { continuation.resume(returning: .success(value)) }
        },
        fail: { continuation.resume(returning: .failure($0)) })
      if !queue.enqueue(job) { job.fail(SQLiteFile.closed) }
    }
    return try result.get()
  }

  private func run(_ job: Job) {
    // The pool opens connections on demand. A new one would open a different file of the same name.
    if let message = file.displacement { return job.fail(.displaced(message)) }
    do {
      let resume = try file.pool.unsafeRead { connection in
        // A transaction, so that the row of a session and its parts are read as of one commit. It ends with a rollback,
        // because a commit fails after a read of a damaged page.
        try connection.beginTransaction(.deferred)
        defer { try? connection.rollback() }
        return try job.read(connection)
      }
      resume()
    } catch let error as ValueError {
      job.fail(.undecodable(error, in: "The session file"))
    } catch let error as UnreadableColumn {
      job.fail(SQLiteFile.damaged("Column \(error.index) of a row has the wrong type."))
    } catch {
      job.fail(SQLiteFile.storeError(error, "The session file cannot be read"))
    }
  }
}

/// A column of a row is null or has another type than the service writes.
private struct UnreadableColumn: Error {
  let index: Int
}

/// The columns of a session's row. On a damaged page they may have any type.
extension Row {
  /// Decodes the session. Returns nil for a tombstone.
  fileprivate func session(_ connection: Database) throws -> StoredSession? {
    guard try value(7, as: Int64.self) == 0 else { return nil }
    return try StoredSession(
      key: try key(), owner: owner, app: try value(1), createdAt: try timestamp(2), expiresAt: try timestamp(3),
      version: try version(), content: [UInt8](try value(5, as: Data.self)), parts: try parts(connection))
  }

  /// Decodes the session for a list, even if its content is unreadable.
  fileprivate func listed(_ connection: Database) throws -> ListedSession {
    ListedSession(
      key: try key(), owner: owner, app: try value(1), createdAt: try timestamp(2), expiresAt: try timestamp(3),
      version: try version(), content: bytes(5) ?? [], parts: try parts(connection))
  }

  private func parts(_ connection: Database) throws -> [SessionPart] {
    let count: Int = try value(8)
    guard count > 0 else { return [] }
    let statement = try connection.cachedStatement(sql: "SELECT key, content FROM part WHERE session = ? ORDER BY key")
    let parts = try Row.fetchAll(statement, arguments: [try key().number]).map { row in
      SessionPart(key: [UInt8](try row.value(0, as: Data.self)), content: [UInt8](try row.value(1, as: Data.self)))
    }
    guard parts.count == count else { throw UnreadableColumn(index: 8) }
    return parts
  }

  fileprivate var owner: SessionOwner? { bytes(6).flatMap { SessionOwner(bytes: $0) } }

  private func key() throws -> SessionKey {
    guard let key = SessionKey(bytes: [UInt8](try value(0, as: Data.self))) else { throw UnreadableColumn(index: 0) }
    return key
  }

  private func version() throws -> SessionVersion { SessionVersion(rawValue: try value(4)) }

  /// Returns the bytes of a column, or nil if it has another type.
  fileprivate func bytes(_ index: Int) -> [UInt8]? { Data.fromDatabaseValue(self[index]).map { [UInt8]($0) } }

  fileprivate func timestamp(_ index: Int) throws -> Timestamp { Timestamp(milliseconds: try value(index)) }

  private func value<Value: DatabaseValueConvertible>(_ index: Int, as type: Value.Type = Value.self) throws -> Value {
    guard let value = Value.fromDatabaseValue(self[index]) else { throw UnreadableColumn(index: index) }
    return value
  }
}
