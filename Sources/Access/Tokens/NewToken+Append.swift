internal import Glibc

extension NewToken {
  /// Adds the line at the end of a tokens file, and makes the file, for its owner only, where there is none.
  ///
  /// - Returns: how many tokens the name has in it now.
  /// - Throws: why it cannot be written, or what is wrong in it.
  public func append(to path: String) throws(AccessError) -> Int {
    let before = FileStamp(path) == nil ? [] : try [UInt8](contentsOf: path)
    let table = try TokenTable(before, path: path)
    let isOpen = before.last.map { $0 != UInt8(ascii: "\n") } ?? false
    let bytes = Array(((isOpen ? "\n" : "") + line + "\n").utf8)
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.unwritable(path) }
    defer { close(file) }
    let written = write(file, bytes, bytes.count)
    // Half a line would be a bad one.
    if written > 0, written < bytes.count { ftruncate(file, off_t(before.count)) }
    guard written == bytes.count, fsync(file) == 0 else { throw Self.unwritable(path) }
    return table.count(of: name) + 1
  }

  private static func unwritable(_ path: String) -> AccessError {
    AccessError("\(path) cannot be written: \(String(cString: strerror(errno))).")
  }
}
