internal import Cryptography
internal import Glibc
internal import Logging
internal import Values

/// The verifier of the tokens in a tokens file, which is reloaded after a change.
struct TokensFile: TokenVerifier {
  private let file: WatchedFile<TokenTable>

  /// - Parameter interval: the longest time for which a change may go unnoticed.
  init(_ path: String, every interval: Duration = .seconds(1), _ logger: Logger) throws(AccessError) {
    file = try WatchedFile(path, every: interval, logger) { (bytes) throws(AccessError) in
      let table = try TokenTable(bytes, path: path)
      // A program that truncates the file before it writes must not deny everybody in between.
      guard !table.principals.isEmpty else {
        throw AccessError("\(path) has no token. Add one with usher token.")
      }
      return table
    }
  }

  func principalName(ofSubject subject: String) -> String? { TokenName(subject)?.principal }

  /// Looks up a token by its digest, so that the response time reveals nothing about valid tokens.
  func principal(of token: String) throws(TokenError) -> Principal {
    guard let principal = file.current().principals[Digest256(ofToken: token)] else { throw .invalid }
    return principal
  }
}

/// The contents of a tokens file. A line has the form `NAME PERMISSIONS SHA256`; blank lines, and comments after `#`,
/// are ignored.
///
/// A name may have several tokens, with equal or different permissions, so that one replaces another without an
/// interruption.
struct TokenTable: Sendable {
  private(set) var principals: [Digest256: Principal] = [:]

  /// - Throws: ``AccessError`` with the number of the first invalid line, and without its text.
  init(_ bytes: [UInt8], path: String) throws(AccessError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AccessError("\(path) is not UTF-8 text. Check that it is a tokens file.")
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let parts = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard !parts.isEmpty else { continue }
      do throws(AccessError) {
        try add(parts)
      } catch {
        throw AccessError("\(path), line \(index + 1): \(error)")
      }
    }
  }

  /// Returns the number of tokens of a name.
  func count(of name: TokenName) -> Int { principals.values.count { $0.name == name.principal } }

  private mutating func add(_ parts: [Substring]) throws(AccessError) {
    guard parts.count == 3 else {
      throw AccessError("The line does not have the form NAME PERMISSIONS SHA256, separated by blanks.")
    }
    guard let name = TokenName(String(parts[0])) else { throw AccessError(TokenName.rule) }
    guard let permissions = Permissions(names: parts[1]) else {
      throw AccessError(Permissions.rule)
    }
    guard let digest = Digest256(hexadecimal: parts[2]) else {
      throw AccessError("SHA256 is not a digest of 64 hexadecimal digits.")
    }
    guard principals[digest] == nil else { throw AccessError("A previous line has the same token.") }
    principals[digest] = Principal(name: name.principal, permissions: permissions, subject: name.text)
  }
}

/// The name of the owner of a token: 1 to 64 ASCII letters, digits, `.`, `_` and `-`.
public struct TokenName: Sendable, Equatable {
  public let text: String

  /// Validates a name; nil for any other text.
  public init?(_ text: String) {
    let isName = text.utf8.allSatisfy { $0.isASCIILetter || "0123456789._-".utf8.contains($0) }
    guard isName, (1...64).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// The error text for an invalid name.
  public static let rule = "A name is 1 to 64 letters, digits, dots, underscores and hyphens."

  /// The name of the principal, in a namespace of its own.
  var principal: String { "token:\(text)" }
}

extension Digest256 {
  /// The SHA-256 (FIPS 180-4) of a token. Only the digest of a token is stored.
  init(ofToken token: String) {
    var token = token
    self = token.withUTF8 { Digest256(sha256: UnsafeRawBufferPointer($0)) }
  }
}

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
  /// - Returns: the number of tokens that the name has in the file afterwards.
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
