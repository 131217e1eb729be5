/// A token that nobody has yet: `usher_` and 32 random bytes in base64url (RFC 4648, section 5).
///
/// The prefix lets people and scanners of secrets know it where it is found.
public struct NewToken: Sendable {
  public let name: TokenName
  public let text: String
  /// The line that a tokens file knows it by.
  public let line: String

  public init(name: TokenName, permissions: Permissions) {
    self.name = name
    var generator = SystemRandomNumberGenerator()
    text = "usher_" + Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    line = "\(name.text) \(permissions.names) \(TokenDigest(of: text).hex)"
  }
}
