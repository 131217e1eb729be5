internal import Foundation
internal import GRDB
internal import Sessions
internal import Values

/// The threads that look into a session file for what is not at hand.
final class SQLiteReader: Sendable {
  /// As many as wait for the disk at once.
  static let threads = 4

  private struct Job: Sendable {
    let read: @Sendable (Database) throws -> Void
    let failed: @Sendable (StoreError) -> Void
  }

  private let file: SQLiteFile
  private let queue = JobQueue<Job>()

  init(_ file: SQLiteFile) { self.file = file }

  func start() {
    for _ in 0..<Self.threads {
      Thread.start("usher.reader") { [self] in
        while let job = queue.take() { run(job) }
      }
    }
  }

  func stop() { queue.close() }

  private static let columns = "key, app, created_at, expires_at, version, content, owner"

  func session(_ key: SessionKey) async throws(StoreError) -> SessionLookup {
    try await read { connection in
      let sql = "SELECT \(Self.columns) FROM session WHERE number = ?"
      let statement = try connection.cachedStatement(sql: sql)
      guard let row = try Row.fetchOne(statement, arguments: [key.number]), row.bytes(0) == key.bytes else {
        return .unknown
      }
      return try row.session().map { .live($0) } ?? .gone(owner: row.owner)
    }
  }

  func list(before cursor: SessionCursor, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await sessions(
      "WHERE NOT ended AND (created_at, number) < (?, ?) ORDER BY created_at DESC, number DESC LIMIT ?",
      [cursor.createdAt.milliseconds, cursor.number, limit])
  }

  func list(numbered: ClosedRange<Int64>, limit: Int) async throws(StoreError) -> [ListedSession] {
    try await sessions(
      "WHERE NOT ended AND number BETWEEN ? AND ? ORDER BY number LIMIT ?",
      [numbered.lowerBound, numbered.upperBound, limit])
  }

  private func sessions(
    _ condition: String, _ arguments: StatementArguments
  ) async throws(StoreError) -> [ListedSession] {
    try await read { connection in
      let sql = "SELECT \(Self.columns) FROM session \(condition)"
      let rows = try Row.fetchAll(try connection.cachedStatement(sql: sql), arguments: arguments)
      return rows.compactMap(\.listed)
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

  func creation(_ key: OutcomeKey) async throws(StoreError) -> CreationOutcome? {
    try await read { connection in
      let statement = try connection.cachedStatement(sql: "SELECT content FROM creation WHERE key = ?")
      let row = try Row.fetchOne(statement, arguments: [Data(key.bytes)])
      return try row?.bytes(0).map { try CreationOutcome(key: key, content: $0) }
    }
  }

  private func read<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws(StoreError) -> R {
    let result = await withUnsafeContinuation { (done: UnsafeContinuation<Result<R, StoreError>, Never>) in
      let job = Job(
        read: { done.resume(returning: .success(try body($0))) },
        failed: { done.resume(returning: .failure($0)) })
      if !queue.put(job) { job.failed(.unavailable("The session file is closed.")) }
    }
    return try result.get()
  }

  private func run(_ job: Job) {
    do {
      try file.pool.unsafeRead { try job.read($0) }
    } catch let error as ValueError {
      job.failed(.unreadable("The session file holds what cannot be read: \(error)"))
    } catch {
      job.failed(.unavailable("The session file cannot be read: \(SQLiteFile.sentence(error))"))
    }
  }
}

/// The columns of a session.
extension Row {
  /// Nil for one that has ended.
  fileprivate func session() throws(ValueError) -> StoredSession? {
    guard let key, let content = bytes(5) else { return nil }
    return try StoredSession(
      key: key, owner: owner, app: self[1], createdAt: timestamp(2), expiresAt: timestamp(3), version: version,
      content: content)
  }

  /// The same, whether it can be read or not.
  fileprivate var listed: ListedSession? {
    guard let key, let content = bytes(5) else { return nil }
    return ListedSession(
      key: key, owner: owner, app: self[1], createdAt: timestamp(2), expiresAt: timestamp(3), version: version,
      content: content)
  }

  fileprivate var owner: SessionOwner? { bytes(6).flatMap { SessionOwner(bytes: $0) } }

  private var key: SessionKey? { bytes(0).flatMap { SessionKey(bytes: $0) } }

  private var version: SessionVersion { SessionVersion(rawValue: self[4]) }

  fileprivate func bytes(_ index: Int) -> [UInt8]? {
    (self[index] as Data?).map { [UInt8]($0) }
  }

  fileprivate func timestamp(_ index: Int) -> Timestamp { Timestamp(milliseconds: self[index]) }
}
