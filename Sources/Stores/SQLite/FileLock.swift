internal import CFileIdentity
internal import Foundation
internal import Synchronization

/// An exclusive lock on a session file, or on one that belongs to it, until it is released.
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
    // Not SQLite's kind of lock (POSIX), which ends when any descriptor of the file is closed. `release` therefore
    // comes last.
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
    // Explicitly, because a child process between fork and exec may hold a copy of the descriptor, which would extend
    // the lock.
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
