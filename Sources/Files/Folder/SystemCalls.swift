internal import Foundation

extension FileStoreError {
  /// Creates the error of the system call that has just failed.
  ///
  /// - Parameter failure: the beginning of a sentence, such as "The folder files cannot be read".
  static func lastSystemError(_ failure: @autoclosure () -> String) -> FileStoreError {
    let code = errno
    switch code {
    // EFBIG is the limit of the process or of the file system for the size of a file.
    case ENOSPC, EDQUOT, EFBIG: return .full
    default: return .unavailable("\(failure()): \(String(cString: strerror(code))). Check the path and the disk.")
    }
  }
}

/// An open file, which is closed with this object.
final class Descriptor: Sendable {
  private let number: Int32

  /// Opens a file. Returns nil and leaves the reason in `errno` if that fails.
  init?(_ path: String, _ flags: Int32, permissions: mode_t = 0) {
    number = Foundation.open(path, flags | O_CLOEXEC, permissions)
    guard number >= 0 else { return nil }
  }

  deinit { if number >= 0 { Foundation.close(number) } }

  /// The status of the file, or nil.
  var status: stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }

  /// Writes all bytes. Returns false and leaves the reason in `errno` if that fails.
  func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Reads bytes from an offset: fewer at the end of the file, and nil if that fails.
  func read(_ count: Int, at offset: Int64) -> [UInt8]? {
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
      while size < count {
        let read = pread(number, buffer.baseAddress! + size, count - size, off_t(offset) + off_t(size))
        if read < 0, errno == EINTR { continue }
        hasFailed = read < 0
        guard read > 0 else { return }
        size += read
      }
    }
    return hasFailed ? nil : bytes
  }

  /// Brings the file, or the names in a folder, to disk. Returns false and leaves the reason in `errno` if that fails.
  func sync() -> Bool { fsync(number) == 0 }
}
