internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Sessions

/// An open session file: checked, locked, and with its tables up to date.
final class SQLiteFile: Sendable {
  /// One connection that writes, and some that read meanwhile.
  let pool: DatabasePool
  /// For moving what was written from the log to the file, while others write and read.
  let checkpoints: DatabaseQueue
  private let lock: FileLock
  /// As it was given, and by its one name.
  private let (name, path): (String, String)
  /// SQLite's log beside the file, which has what was written last.
  private let logIdentity: FileIdentity?
  /// On SQLite's index of the log: a file that was deleted leaves that to the next one of its name, which must not use it.
  private let indexLock: FileLock

  /// - Throws: a sentence that says why the file is not to be had. Nothing in it was changed then.
  init(
    path name: String, durability: StoreLocation.Durability, readers: Int, pageLimit: Int?
  ) throws(StoreOpeningError) {
    // The one name of the file, which SQLite takes for nothing else: a relative one may look like a URI to it.
    let path = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    try Self.requireNoLogOfAnother(path)
    lock = try FileLock(path: name)
    (self.name, self.path) = (name, path)
    do {
      try Self.requireOurs(path)
      indexLock = try FileLock(path: path + "-shm")
      try Self.sync(path)
      var configuration = Configuration()
      configuration.label = "usher.sessions"
      configuration.maximumReaderCount = readers
      configuration.busyMode = .timeout(10)
      pool = try DatabasePool(path: path, configuration: configuration)
      try pool.writeWithoutTransaction { connection in
        try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        try connection.execute(sql: "PRAGMA cache_size = -16384")
        try connection.execute(sql: "PRAGMA secure_delete = ON")
        // Only now: the pool sets NORMAL on its writer by itself.
        try connection.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
        try Self.requireDurability(durability, of: connection)
        try Self.migrate(connection)
        if let pageLimit { try connection.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
      }
      checkpoints = try DatabaseQueue(path: path, configuration: configuration)
      try checkpoints.inDatabase { try $0.execute(sql: "PRAGMA synchronous = \(durability.rawValue)") }
      logIdentity = FileIdentity(path: path + "-wal")
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

  /// Why what is written now would be lost; nil where it would not be.
  var displacement: String? {
    guard FileIdentity(path: name) == lock.identity else {
      return
        "The session file \(name) was deleted, moved or replaced while it is open, and nothing is written until it is back. "
        + "Move it back, or stop the service and restore a backup."
    }
    guard logIdentity == nil || FileIdentity(path: path + "-wal") == logIdentity else {
      return
        "\(path)-wal was deleted, moved or replaced while it is open, and nothing is written any more. Stop the service: what "
        + "was written is then moved into the session file."
    }
    return nil
  }

  /// Moves the whole log to the file, and gives both up.
  ///
  /// - Parameter log: gets a sentence where something stays in the log, which lasts as well.
  func close(_ log: (String) -> Void) {
    do {
      // The last connection to be closed would move the log too, but closes without a word where it cannot.
      try pool.writeWithoutTransaction { connection in
        if displacement != nil { keepLogFile(connection) }
        try connection.execute(sql: "PRAGMA busy_timeout = 1000")
        try connection.checkpoint(.truncate)
      }
    } catch {
      log(
        "The session file's log could not be moved into it: \(Self.sentence(error)) Until the next start what was written last is in "
          + "\(path)-wal; keep it beside the session file.")
    }
    try? checkpoints.close()
    // The one that writes is to be the last, because only that one removes the log.
    pool.releaseMemory()
    try? pool.close()
    indexLock.release()
    lock.release()
  }

  /// Has SQLite leave a file with the log's name where it is: it may be another one.
  private func keepLogFile(_ connection: Database) {
    var flag: CInt = 1
    _ = sqlite3_file_control(connection.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &flag)
  }

  /// What SQLite says, for the operator.
  static func sentence(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)." }
    return "\(error.message ?? "no reason given") (SQLite \(error.extendedResultCode.rawValue))."
  }

  /// What to make of an error: of damage only what is on the damaged page is unreadable.
  static func storeError(_ error: any Error, _ what: String) -> StoreError {
    isDamage(error)
      ? .unreadable("The session file is damaged: \(sentence(error))") : .unavailable("\(what): \(sentence(error))")
  }

  static func isDamage(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_CORRUPT }

  /// SQLite takes the log beside a new file for its own and empties it, and with it what was written last to a file that was moved away.
  private static func requireNoLogOfAnother(_ path: String) throws(StoreOpeningError) {
    guard size(of: path) == 0, size(of: path + "-wal") > 0 else { return }
    // Another process may still have that file open.
    if size(of: path + "-shm") > 0 { try FileLock(path: path + "-shm").release() }
    throw StoreOpeningError(
      "There is no session file \(path), but \(path)-wal has sessions of the file that was there. Move that file back, or the log away.")
  }

  /// Bytes of a file; 0 where there is none.
  private static func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
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
