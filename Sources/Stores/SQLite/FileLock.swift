internal import CFileIdentity
internal import Foundation
internal import Synchronization

/// The right of this process to write a session file, until it is released.
final class FileLock: Sendable {
  /// Which file it is, whatever becomes of its name.
  let identity: FileIdentity
  private let descriptor: Atomic<Int32>

  /// - Throws: a sentence that says why the file is not to be had.
  init(path: String) throws(StoreOpeningError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else {
      throw StoreOpeningError(
        "The session file \(path) cannot be opened for writing: \(String(cString: strerror(errno))).")
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw StoreOpeningError("\(path) cannot hold sessions, because it is no regular file.")
    }
    // A lock of another kind than SQLite's own, which end with any descriptor of the file; so this one is closed last.
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw StoreOpeningError(
        "The session file \(path) is in use by another process. Stop that one, name another file, or share PostgreSQL.")
    }
    identity = FileIdentity(status)
    descriptor = Atomic(file)
  }

  deinit { release() }

  func release() {
    let file = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
    guard file >= 0 else { return }
    // A program that is being started just now may have the descriptor, too, and the lock would last until it has not.
    flock(file, LOCK_UN)
    close(file)
  }
}

/// Which file a name stands for.
struct FileIdentity: Equatable {
  private var device: UInt64 = 0
  private var inode: UInt64 = 0

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Nil where there is no such file.
  init?(path: String) {
    guard file_identity(path, &device, &inode) == 0 else { return nil }
  }
}
