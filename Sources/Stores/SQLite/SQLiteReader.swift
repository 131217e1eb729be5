internal import Dispatch
internal import Foundation
internal import Navigation
internal import Sessions
internal import Values

/// The threads that read a session file.
final class SQLiteReader: Sendable {
  /// The number of threads, and therefore of concurrent reads from disk.
  static let threadCount = 4

  private struct Job: Sendable {
    /// Reads, and returns the function that resumes the caller.
    let read: @Sendable (SQLiteConnection) throws -> () -> Void
    let fail: @Sendable (StoreError) -> Void
  }

  private let file: SQLiteFile
  private let queue = JobQueue<Job>()
  private let stopped = DispatchGroup()

  init(_ file: SQLiteFile) { self.file = file }

  func start() {
    for connection in file.readers {
      stopped.enter()
      Thread.start("usher.reader") { [self] in
        while let job = queue.dequeue() { run(job, on: connection) }
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

  /// Reads sessions with one statement.
  private static func sessions(
    _ keys: [SessionKey], _ connection: SQLiteConnection
  ) throws -> [SessionKey: StoredSession] {
    let numbers = keys.map { "\($0.number)" }.joined(separator: ",")
    // One that is unreadable is missing.
    let sessions = try connection.rows(
      "SELECT \(columns) FROM (SELECT value AS asked FROM json_each(?)) CROSS JOIN session ON number = asked",
      [.text("[\(numbers)]")]
    ) { row in try? row.session(connection) }
    return Dictionary(sessions.compactMap { session in session.map { ($0.key, $0) } }) { first, _ in first }
  }

  private static func session(_ key: SessionKey, _ connection: SQLiteConnection) throws -> SessionLookup {
    try connection.first("SELECT \(columns) FROM session WHERE number = ?", [.integer(key.number)]) { row in
      guard row.optionalBytes(0) == key.bytes else { return .unknown }
      return try row.session(connection).map { .live($0) } ?? .gone(owner: row.owner)
    } ?? .unknown
  }

  func list(before cursor: SessionCursor, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await read { connection in
      try Self.sessions(
        connection, "(created_at, number) < (?, ?) ORDER BY created_at DESC, number DESC LIMIT ?",
        [cursor.createdAt.binding, .integer(cursor.number)], limit)
    }
  }

  func list(numbered: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await read { connection in
      try Self.sessions(
        connection, "number BETWEEN ? AND ? ORDER BY number LIMIT ?",
        [.integer(numbered.lowerBound), .integer(numbered.upperBound)], limit)
    }
  }

  private static func sessions(
    _ connection: SQLiteConnection, _ condition: String, _ bindings: [SQLiteConnection.Binding], _ limit: Int
  ) throws -> [ListedSession] {
    do {
      return try connection.rows(
        "SELECT \(columns) FROM session WHERE NOT ended AND \(condition)", bindings + [.integer(Int64(limit))]
      ) { try $0.listed(connection) }
    } catch  where SQLiteFile.isCorruption(error) {
      // An index has the numbers of all sessions. Read the sessions one by one, and skip those on a damaged page.
      let numbers = try connection.rows(
        "SELECT number FROM session INDEXED BY session_created WHERE NOT ended AND \(condition)",
        bindings + [.integer(-1)]
      ) { try $0.integer(0) }
      var found: [ListedSession] = []
      for number in numbers where found.count < limit {
        do {
          let session = try connection.first("SELECT \(columns) FROM session WHERE number = ?", [.integer(number)]) {
            try $0.listed(connection)
          }
          if let session { found.append(session) }
        } catch  where SQLiteFile.isCorruption(error) {
          continue
        }
      }
      return found
    }
  }

  /// Returns the time when all tombstones in excess of the limit are due, or nil if there are none.
  func excessTombstonesDue(beyond limit: Int) async throws(StoreError) -> Timestamp? {
    try await read { connection in
      try connection.number(
        "SELECT expires_at FROM session WHERE ended = 1 ORDER BY expires_at DESC LIMIT 1 OFFSET ?",
        .integer(Int64(limit))
      ).map { Timestamp(milliseconds: $0) }
    }
  }

  func count() async throws(StoreError) -> Int {
    try await read { Int(try $0.number(SQLiteFile.count) ?? 0) }
  }

  func count(of owner: SessionOwner, upTo limit: Int) async throws(StoreError) -> Int {
    try await read { connection in
      Int(
        try connection.number(
          "SELECT count(*) FROM (SELECT 1 FROM session WHERE NOT ended AND owner = ? LIMIT ?)", .bytes(owner.bytes),
          .integer(Int64(limit))) ?? 0)
    }
  }

  func countWork() async throws(StoreError) -> WorkCount {
    let count = try await read { connection in
      try connection.first(
        """
        SELECT count(*) FILTER (WHERE due_at < ?1), count(*) FILTER (WHERE due_at = ?1 AND error IS NOT NULL),
          (SELECT count(*) FROM signal WHERE held_until IS NOT NULL), min(due_at) FILTER (WHERE due_at >= ?2),
          count(*) FILTER (WHERE wait = ?3)
        FROM work
        """,
        [
          Timestamp.never.binding, WorkCount.earliest.binding, .integer(EventWait.Reason.blockedForLong.rawValue),
        ]
      ) { row in
        let dueSince = row.optionalInteger(3).map { Timestamp(milliseconds: $0) }
        return WorkCount(
          pending: Int(try row.integer(0)), stuck: Int(try row.integer(1)), blocked: Int(try row.integer(4)),
          heldSignals: Int(try row.integer(2)), dueSince: dueSince == .never ? nil : dueSince)
      }
    }
    guard let count else { throw SQLiteFile.damaged("A count has no row.") }
    return count
  }

  func work(of session: SessionKey) async throws(StoreError) -> [WorkStatus] {
    try await read { connection in
      try connection.rows(
        """
        SELECT id, attempts, error, due_at, \(SQLiteBatch.firstProgress), wait, waits_since FROM work
        WHERE session = (SELECT place FROM session WHERE number = ?) ORDER BY id
        """, [.integer(session.number)]
      ) { row in
        WorkStatus(
          id: WorkID(UInt32(clamping: try row.integer(0))), attempts: Int(try row.integer(1)),
          error: row.optionalText(2), dueAt: try row.time(3), progress: row.optionalBytes(4),
          wait: row.eventWait(5, 6))
      }
    }
  }

  /// Returns the signals that are held for a key, in the order of their arrival.
  func heldSignals(for key: SignalKey, at now: Timestamp) async throws(StoreError) -> [QueuedSignal] {
    try await read { connection in
      try connection.rows(
        "SELECT delivery, event FROM signal WHERE key = ? AND held_until > ? ORDER BY arrived_at",
        [.bytes(key.bytes), now.binding]
      ) { row in
        QueuedSignal(delivery: SignalDelivery(UInt64(bitPattern: try row.integer(0))), event: try row.bytes(1))
      }
    }
  }

  /// Returns the secret of the file; nil if it has none yet.
  func secret() async throws(StoreError) -> [UInt8]? {
    try await read { try $0.first("SELECT value FROM secret WHERE id = 1") { try $0.bytes(0) } }
  }

  func creation(_ key: IdempotencyDigest) async throws(StoreError) -> CreationLookup {
    try await read { connection in
      try connection.first("SELECT content, expires_at FROM creation WHERE key = ?", [.bytes(key.bytes)]) { row in
        try CreationLookup(key: key, content: try row.bytes(0), expiresAt: try row.time(1))
      } ?? .unknown
    }
  }

  func read<R: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> R) async throws(StoreError) -> R {
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

  private func run(_ job: Job, on connection: SQLiteConnection) {
    if let message = file.displacement { return job.fail(.displaced(message)) }
    do {
      // The row of a session and its parts are read as of one commit.
      let resume = try connection.snapshot { try job.read(connection) }
      resume()
    } catch let error as ValueError {
      job.fail(.undecodable(error, in: "The session file"))
    } catch {
      job.fail(SQLiteFile.storeError(error, "The session file cannot be read"))
    }
  }
}

/// The columns of a session's row.
extension SQLiteRow {
  /// Decodes the session. Returns nil for a tombstone.
  fileprivate func session(_ connection: SQLiteConnection) throws -> StoredSession? {
    guard try integer(7) == 0 else { return nil }
    return try StoredSession(
      key: try key(), owner: owner, app: try text(1), createdAt: try time(2), expiresAt: try time(3),
      version: try version(), content: try bytes(5), parts: try parts(connection))
  }

  /// Decodes the session for a list, even if its content is unreadable.
  fileprivate func listed(_ connection: SQLiteConnection) throws -> ListedSession {
    ListedSession(
      key: try key(), owner: owner, app: try text(1), createdAt: try time(2), expiresAt: try time(3),
      version: try version(), content: optionalBytes(5) ?? [], parts: try parts(connection))
  }

  private func parts(_ connection: SQLiteConnection) throws -> [SessionPart] {
    let count = try integer(8)
    guard count > 0 else { return [] }
    let parts = try connection.rows(
      "SELECT key, content FROM part WHERE session = ? ORDER BY key", [.integer(try key().number)]
    ) { SessionPart(key: try $0.bytes(0), content: try $0.bytes(1)) }
    guard parts.count == count else { throw SQLiteError.damaged("a session lacks one of its parts") }
    return parts
  }

  fileprivate var owner: SessionOwner? { optionalBytes(6).flatMap { SessionOwner(bytes: $0) } }

  private func key() throws -> SessionKey {
    guard let key = SessionKey(bytes: try bytes(0)) else { throw SQLiteError.damaged("a session has an invalid key") }
    return key
  }

  private func version() throws -> SessionVersion { SessionVersion(rawValue: try integer(4)) }
}
