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

  func session(_ key: SessionKey) async throws(StoreError) -> SessionLookup {
    try await read { connection in
      let sql = "SELECT key, app, created_at, expires_at, version, content FROM session WHERE number = ?"
      let statement = try connection.cachedStatement(sql: sql)
      guard let row = try Row.fetchOne(statement, arguments: [key.number]), row.bytes(0) == key.bytes else {
        return .unknown
      }
      guard let content = row.bytes(5) else { return .gone }
      return .live(
        try StoredSession(
          key: key, app: row[1], createdAt: row.timestamp(2), expiresAt: row.timestamp(3),
          version: SessionVersion(rawValue: row[4]), content: content))
    }
  }

  func list(_ listing: SessionListing) async throws(StoreError) -> [StoredSession] {
    try await read { connection in
      let sql = """
        SELECT app, created_at, expires_at, version, content, key FROM session
        WHERE NOT ended AND (created_at, number) < (?, ?) AND app = coalesce(?, app)
        ORDER BY created_at DESC, number DESC LIMIT ?
        """
      let statement = try connection.cachedStatement(sql: sql)
      let place = listing.before
      let rows = try Row.fetchAll(
        statement,
        arguments: [
          place?.createdAt.milliseconds ?? .max, place?.number ?? .max, listing.app, listing.limit,
        ])
      return rows.compactMap { row in
        guard let key = row.bytes(5).flatMap({ SessionKey(bytes: $0) }), let content = row.bytes(4) else { return nil }
        return try? StoredSession(
          key: key, app: row[0], createdAt: row.timestamp(1), expiresAt: row.timestamp(2),
          version: SessionVersion(rawValue: row[3]), content: content)
      }
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

extension Row {
  fileprivate func bytes(_ index: Int) -> [UInt8]? {
    (self[index] as Data?).map { [UInt8]($0) }
  }

  fileprivate func timestamp(_ index: Int) -> Timestamp { Timestamp(milliseconds: self[index]) }
}
