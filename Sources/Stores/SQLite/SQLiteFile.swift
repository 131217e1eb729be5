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
    // The one name of the file, which SQLite takes for nothing else: a relative one may look like a URI to it.
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    do {
      try Self.requireOurs(path)
      try Self.sync(path)
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

  /// Counts in the index that has nothing but these sessions.
  static let count = "SELECT count(*) FROM session WHERE NOT ended"

  /// Sessions that live now, those that have expired and are not swept included.
  func countSessions() throws(StoreOpeningError) -> Int {
    do {
      return try pool.read { connection in
        try Int.fetchOne(connection, sql: Self.count) ?? 0
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

  /// Looks at the file before anything is written: only an empty one, or one of this service, is touched.
  private static func requireOurs(_ path: String) throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let head = try file.read(upToCount: 16) ?? Data()
    try file.close()
    // Zeros are left where the power was cut before the first page was whole; SQLite's journal beside it then mends that.
    if head.allSatisfy({ $0 == 0 }) { return }
    guard head == Data("SQLite format 3\0".utf8) else {
      throw StoreOpeningError("The file \(path) is damaged or is no session file: it does not begin like a database.")
    }
    do {
      try requireOurs(path, readonly: true)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      // A process ended while it made the file: what it left has to be undone before there is anything to look at.
      try requireOurs(path, readonly: false)
    }
  }

  private static func requireOurs(_ path: String, readonly: Bool) throws {
    var configuration = Configuration()
    configuration.readonly = readonly
    let reader = try DatabaseQueue(path: path, configuration: configuration)
    try reader.read { connection in
      let mark = try Int.fetchOne(connection, sql: "PRAGMA application_id")
      // Nothing in it yet: that is left where the process ended before the tables were there.
      let isNew = try Int.fetchOne(connection, sql: "SELECT count(*) FROM sqlite_schema") == 0
      guard mark == SQLiteSchema.applicationID || isNew else {
        throw StoreOpeningError("The file \(path) is a database of something else. It was left as it is.")
      }
      let version = try version(of: connection)
      guard version <= SQLiteSchema.steps.count else {
        throw StoreOpeningError(
          "The session file \(path) was written by a newer version of this service (its tables have version \(version), "
            + "the newest known here is \(SQLiteSchema.steps.count)). It was left as it is.")
      }
    }
    try reader.close()
  }

  /// What a process wrote that was killed may be in the system's memory only: readable now, and gone after a power cut. It is
  /// on disk before anybody is told of it.
  private static func sync(_ path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    for place in [path, path + "-wal", folder] {
      let descriptor = Foundation.open(place, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { Foundation.close(descriptor) }
      guard fsync(descriptor) == 0 else {
        throw StoreOpeningError("\(place) cannot be brought to disk: \(String(cString: strerror(errno))).")
      }
    }
  }

  private static func version(of connection: Database) throws -> Int {
    try Int.fetchOne(connection, sql: "PRAGMA user_version") ?? 0
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
    let version = try version(of: connection)
    guard version < SQLiteSchema.steps.count else { return }
    try connection.inTransaction(.immediate) {
      for step in SQLiteSchema.steps[version...] { try connection.execute(sql: step) }
      try connection.execute(
        sql: "PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = \(SQLiteSchema.steps.count)")
      return .commit
    }
  }
}
