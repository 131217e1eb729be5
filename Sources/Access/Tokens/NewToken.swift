internal import Glibc
internal import Values

/// A newly generated token: `usher_` and 32 random bytes in base64url (RFC 4648, section 5).
///
/// People and secret scanners recognize a leaked token by its prefix.
public struct NewToken: Sendable {
  public let name: TokenName
  public let text: String
  /// The line of the token in a tokens file.
  public let line: String

  public init(name: TokenName, permissions: Permissions) {
    self.name = name
    var generator = SystemRandomNumberGenerator()
    text = "usher_" + Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    line = "\(name.text) \(permissions.names) \(Digest256(ofToken: text).hexadecimal)"
  }

  /// Appends the line to a tokens file. A new file is readable for its owner only.
  ///
  /// - Returns: The number of tokens that the name has in the file afterwards.
  /// - Throws: ``AccessError`` if the file cannot be written, or contains an invalid line.
  public func append(to path: String) throws(AccessError) -> Int {
    let before = FileStamp(path) == nil ? [] : try [UInt8](contentsOf: path)
    let table = try TokenTable(before, path: path)
    let isOpen = before.last.map { $0 != UInt8(ascii: "\n") } ?? false
    let bytes = Array(((isOpen ? "\n" : "") + line + "\n").utf8)
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.unwritable(path) }
    defer { close(file) }
    let written = write(file, bytes, bytes.count)
    // A part of a line would make the whole file invalid.
    if written > 0, written < bytes.count { ftruncate(file, off_t(before.count)) }
    guard written == bytes.count, fsync(file) == 0 else { throw Self.unwritable(path) }
    return table.count(of: name) + 1
  }

  private static func unwritable(_ path: String) -> AccessError {
    AccessError("\(path) cannot be written: \(String(cString: strerror(errno))).")
  }
}
