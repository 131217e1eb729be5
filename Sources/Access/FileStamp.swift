internal import CoreFoundation
internal import Glibc

/// What tells a file from what it was before: another file in its place, another time, or another length.
struct FileStamp: Equatable {
  private let numbers: [Int64]

  /// Nil where there is no file.
  init?(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    numbers = [
      Int64(bitPattern: UInt64(info.st_dev)), Int64(bitPattern: UInt64(info.st_ino)), Int64(info.st_size),
      Int64(info.st_mtim.tv_sec), Int64(info.st_mtim.tv_nsec),
    ]
  }
}
