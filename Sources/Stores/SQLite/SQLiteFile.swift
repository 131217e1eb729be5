internal import CFileIdentity
internal import Foundation
internal import Sessions
internal import Synchronization

/// An open session file: checked, locked, and with an up-to-date schema.
final class SQLiteFile: Sendable {
  /// The connection of the thread that writes.
  let writer: SQLiteConnection
  /// The connections of the threads that read. The connections are all open from the beginning: a later one would open
  /// another file that has replaced this one.
  let readers: [SQLiteConnection]
  /// The connection that runs checkpoints beside the others.
  let checkpoints: SQLiteConnection
  /// Whether a commit is on disk when it returns. Otherwise ``syncLog()`` brings it there.
  let syncsCommits: Bool
  private let lock: FileLock
  /// The path as it was given, as an absolute path without symbolic links, and that of SQLite's log.
  private let (name, path, logPath): (String, String, String)
  /// The identity of SQLite's log, which holds the most recent writes.
  private let logIdentity: FileIdentity?
  /// A lock on the log's index (`-shm`). A deleted session file leaves its index to the next file of that name, which
  /// must not use it.
  private let indexLock: FileLock

  /// Opens the file, and creates it if it does not exist.
  ///
  /// - Throws: ``StoreOpeningError`` if the file cannot be used. Its content is unchanged then.
  init(
    path name: String, durability: StoreLocation.Durability, readers: Int, pageLimit: Int?
  ) throws(StoreOpeningError) {
    // An absolute path, because SQLite may take a relative one for a URI.
    let path = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    try Self.requireNoOrphanedLog(path)
    lock = try FileLock(path: name)
    (self.name, self.path, logPath) = (name, path, path + "-wal")
    syncsCommits = durability == .full
    do {
      try SQLiteSchema.requireSessionFile(path)
      indexLock = try FileLock(path: path + "-shm")
      // Before any client sees the content: the writes of a process that was killed may be in the system's page cache
      // only, readable now and lost with a power failure.
      try Self.sync([path, path + "-wal", URL(fileURLWithPath: path).deletingLastPathComponent().path])
      writer = try SQLiteConnection(path)
      try writer.execute(
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability.rawValue); PRAGMA wal_autocheckpoint = 0;
        PRAGMA cache_size = -16384; PRAGMA secure_delete = ON
        """)
      try Self.requireDurability(durability, of: writer)
      try SQLiteSchema.migrate(writer)
      if let pageLimit { try writer.execute("PRAGMA max_page_count = \(pageLimit)") }
      checkpoints = try SQLiteConnection(path)
      try checkpoints.execute("PRAGMA synchronous = \(durability.rawValue)")
      self.readers = try (0..<readers).map { _ in try SQLiteConnection(path, .readOnly) }
      logIdentity = FileIdentity(path: logPath)
    } catch let error as StoreOpeningError {
      throw error
    } catch {
      throw StoreOpeningError("The session file \(path) cannot be opened: \(Self.message(of: error))")
    }
  }

  /// SQLite takes a log beside a new file for that file's own and empties it. The log of a file that was moved away
  /// would be lost.
  private static func requireNoOrphanedLog(_ path: String) throws(StoreOpeningError) {
    guard size(of: path) == 0, size(of: path + "-wal") > 0 else { return }
    // Another process may still have the moved file open.
    if size(of: path + "-shm") > 0 { try FileLock(path: path + "-shm").release() }
    throw StoreOpeningError(
      "The session file \(path) is missing, but \(path)-wal still holds its most recent sessions. "
        + "Move the session file back, or move \(path)-wal away.")
  }

  /// Returns the size of a file in bytes, or 0 if it does not exist.
  private static func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
  }

  /// Brings all commits to disk. SQLite has no lock on its log, which closing a descriptor would release.
  func syncLog() throws { try Self.sync([logPath]) }

  private static func sync(_ paths: [String]) throws {
    for path in paths {
      let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { Foundation.close(descriptor) }
      guard fsync(descriptor) == 0 else {
        throw StoreOpeningError(
          "\(path) cannot be synced to disk: \(String(cString: strerror(errno))). Check the disk.")
      }
    }
  }

  private static func requireDurability(_ durability: StoreLocation.Durability, of connection: SQLiteConnection) throws
  {
    let mode = try connection.first("PRAGMA journal_mode") { try $0.text(0) }
    let synchronous = try connection.number("PRAGMA synchronous")
    guard mode == "wal", synchronous == (durability == .full ? 2 : 1) else {
      throw StoreOpeningError(
        "SQLite refused the settings for durable writes: journal_mode is \(mode ?? "unknown"), synchronous is "
          + "\(synchronous.map { "\($0)" } ?? "unknown"). Put the session file on a local disk.")
    }
  }

  /// Counts the sessions, expired ones included until they are swept. SQLite uses the index that holds nothing but
  /// these sessions.
  static let count: StaticString = "SELECT count(*) FROM session WHERE NOT ended"

  func countSessions() throws(StoreOpeningError) -> Int {
    do {
      return Int(try writer.number(Self.count) ?? 0)
    } catch {
      throw StoreOpeningError("The sessions in \(path) cannot be counted: \(Self.message(of: error))")
    }
  }

  /// The reason why writes would be lost, with advice for the operator; nil while the file and its log are at
  /// their paths.
  var displacement: String? {
    guard FileIdentity(path: name) == lock.identity else {
      return
        "The session file \(name) was deleted, moved or replaced while it was open. Writes fail until it is back. "
        + "Move it back, or stop the service and restore a backup."
    }
    guard logIdentity == nil || FileIdentity(path: logPath) == logIdentity else {
      return
        "\(logPath) was deleted, moved or replaced while it was open. Writes fail from now on. "
        + "Restart the service: as it stops, it moves the log's content into the session file."
    }
    return nil
  }

  /// Moves the whole log into the file, and closes and unlocks both.
  ///
  /// - Parameter log: receives a message if a part stays in the log, where it is durable as well.
  func close(_ log: (String) -> Void) {
    do {
      // An explicit checkpoint, because the last connection to close would move the log without reporting a failure.
      // The file at the log's path may be a different one by now.
      if displacement != nil { writer.keepLog() }
      try writer.execute("PRAGMA busy_timeout = 1000")
      try writer.checkpoint(.truncate)
    } catch {
      log(checkpointFailure(error))
    }
    // The last connection removes the log, and only one for writing can do that.
    for connection in readers + [checkpoints, writer] { connection.close() }
    indexLock.release()
    lock.release()
  }

  // MARK: - Errors

  /// The failure of requests after the file was closed.
  static let closed = StoreError.unavailable("The session file is closed, because the service is stopping.")

  /// Returns SQLite's message for the operator.
  static func message(of error: any Error) -> String {
    (error as? SQLiteError)?.description ?? "\(error)."
  }

  /// Maps corruption to `unreadable`, because it concerns the content of one page only, and other errors to
  /// `unavailable`.
  static func storeError(_ error: any Error, _ failure: String) -> StoreError {
    isCorruption(error)
      ? damaged(message(of: error))
      : .unavailable("\(failure): \(message(of: error))")
  }

  /// The failure of a read or a write that meets damaged content.
  static func damaged(_ reason: String) -> StoreError {
    .unreadable("The session file is damaged: \(reason) Restore a backup.")
  }

  /// The log message about a checkpoint that failed: while the service runs, or as it stops.
  func checkpointFailure(_ error: any Error) -> String {
    "SQLite's log \(logPath) could not be moved into the session file: \(Self.message(of: error)) "
      + "The log holds the most recent sessions: keep both files together. A later commit or the next start moves it."
  }

  static func isCorruption(_ error: any Error) -> Bool { (error as? SQLiteError)?.isCorruption ?? false }
}

/// An exclusive lock on a session file, or on a file that belongs to it.
final class FileLock: Sendable {
  /// The identity of the locked file, which stays the same when the file is renamed.
  let identity: FileIdentity
  private let descriptor: Atomic<Int32>

  /// Locks the file, and creates it if it does not exist.
  ///
  /// - Throws: ``StoreOpeningError`` if the file cannot be opened, is not a regular file, or is locked by another
  ///   process.
  init(path: String) throws(StoreOpeningError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else {
      throw StoreOpeningError(
        "The session file \(path) cannot be opened for writing: \(String(cString: strerror(errno))). "
          + "Check the path and its permissions.")
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw StoreOpeningError("\(path) is not a regular file. Name a file for the sessions.")
    }
    // A lock of flock(2), because a POSIX lock, as SQLite takes, ends when any descriptor of the file is closed. For
    // that reason, `release` must come after SQLite has closed the file.
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw StoreOpeningError(
        "The session file \(path) is in use by another process. "
          + "Stop that process, name another file, or share PostgreSQL.")
    }
    identity = FileIdentity(status)
    descriptor = Atomic(file)
  }

  deinit { release() }

  func release() {
    let file = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
    guard file >= 0 else { return }
    // An explicit unlock, because a child process between fork and exec may hold a copy of the descriptor, which would
    // extend the lock.
    flock(file, LOCK_UN)
    close(file)
  }
}

/// The file that a path refers to, by device and inode.
struct FileIdentity: Equatable {
  private var device: UInt64 = 0
  private var inode: UInt64 = 0

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Returns nil if there is no file at the path.
  init?(path: String) {
    guard file_identity(path, &device, &inode) == 0 else { return nil }
  }
}
