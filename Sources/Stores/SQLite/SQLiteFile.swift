internal import Foundation
internal import GRDB

/// An open session file: checked, locked, and with its tables up to date.
final class SQLiteFile: Sendable {
  /// One connection that writes, and some that read meanwhile.
  let pool: DatabasePool
  /// For moving what was written from the log to the file, while others write and read.
  let checkpoints: DatabaseQueue
  private let lock: FileLock

  /// - Throws: a sentence that says why the file is not to be had. Nothing in it was changed then.
  init(path: String, durability: StoreLocation.Durability, readers: Int, pageLimit: Int?) throws(StoreOpeningError) {
    lock = try FileLock(path: path)
    do {
      try Self.requireOurs(path)
      var configuration = Configuration()
      configuration.label = "usher.sessions"
      configuration.maximumReaderCount = readers
      configuration.busyMode = .timeout(10)
      pool = try DatabasePool(path: path, configuration: configuration)
      try pool.writeWithoutTransaction { connection in
        try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        try connection.execute(sql: "PRAGMA cache_size = -16384")
        // Only now: the pool sets NORMAL on its writer by itself.
        try connection.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
        try Self.requireDurability(durability, of: connection)
        try Self.migrate(connection)
        if let pageLimit { try connection.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
      }
      checkpoints = try DatabaseQueue(path: path, configuration: configuration)
      try checkpoints.inDatabase { try $0.execute(sql: "PRAGMA synchronous = \(durability.rawValue)") }
    } catch let error as StoreOpeningError {
      throw error
    } catch {
      throw StoreOpeningError("The session file \(path) cannot be used: \(Self.sentence(error))")
    }
  }

  /// Sessions that live now, those that have expired and are not swept included.
  func countSessions() throws(StoreOpeningError) -> Int {
    do {
      return try pool.read { connection in
        try Int.fetchOne(connection, sql: "SELECT count(*) FROM session WHERE content IS NOT NULL") ?? 0
      }
    } catch {
      throw StoreOpeningError("The sessions cannot be counted: \(Self.sentence(error))")
    }
  }

  /// Moves the whole log to the file, and gives both up.
  func close() {
    try? checkpoints.close()
    try? pool.close()
    lock.release()
  }

  /// What SQLite says, for the operator.
  static func sentence(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)." }
    return "\(error.message ?? "no reason given") (SQLite \(error.extendedResultCode.rawValue))."
  }

  /// Looks at the file before anything is written: only an empty one, or one with this service's mark, is touched.
  private static func requireOurs(_ path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    let head = [UInt8](try file.read(upToCount: 100) ?? Data())
    if head.isEmpty { return }
    guard head.count == 100, head.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw StoreOpeningError("The file \(path) is damaged or is no session file: it does not begin like a database.")
    }
    let mark = head[68..<72].reduce(0) { $0 << 8 | Int($1) }
    guard mark == SQLiteSchema.applicationID || isNew(head) else {
      throw StoreOpeningError("The file \(path) is a database of something else. It was left as it is.")
    }
  }

  /// A database that nothing was put into yet: what is left when the process ended before the tables were there.
  private static func isNew(_ head: [UInt8]) -> Bool {
    head[40..<44].allSatisfy { $0 == 0 } && head[60..<64].allSatisfy { $0 == 0 } && head[68..<72].allSatisfy { $0 == 0 }
  }

  private static func requireDurability(_ durability: StoreLocation.Durability, of connection: Database) throws {
    let mode = try String.fetchOne(connection, sql: "PRAGMA journal_mode")
    let synchronous = try Int.fetchOne(connection, sql: "PRAGMA synchronous")
    guard mode == "wal", synchronous == (durability == .full ? 2 : 1) else {
      throw StoreOpeningError(
        "SQLite does not write as asked: journal_mode \(mode ?? "?"), synchronous \(synchronous.map { "\($0)" } ?? "?")."
      )
    }
  }

  private static func migrate(_ connection: Database) throws {
    let version = try Int.fetchOne(connection, sql: "PRAGMA user_version") ?? 0
    guard version <= SQLiteSchema.steps.count else {
      throw StoreOpeningError(
        "The session file was written by a newer version of this service (tables \(version), known here: "
          + "\(SQLiteSchema.steps.count)). It was left as it is.")
    }
    guard version < SQLiteSchema.steps.count else { return }
    try connection.inTransaction(.immediate) {
      for step in SQLiteSchema.steps[version...] { try connection.execute(sql: step) }
      try connection.execute(
        sql: "PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = \(SQLiteSchema.steps.count)")
      return .commit
    }
  }
}
