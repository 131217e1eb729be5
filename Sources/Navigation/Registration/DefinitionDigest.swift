public import Values

/// The identity of a definition that comes from files: the SHA-256 of their paths and bytes.
///
/// A session keeps the digest of the definition that it began with. An app in Swift has none.
public struct DefinitionDigest: Sendable, Hashable, BitwiseCopyable, CustomStringConvertible {
  private let digest: Digest256

  public init(_ digest: Digest256) { self.digest = digest }

  /// Reads the digest from bytes; nil unless there are 32.
  public init?(bytes: [UInt8]) {
    guard let digest = Digest256(bytes: bytes) else { return nil }
    self.digest = digest
  }

  /// Reads the digest from 64 hexadecimal digits; nil for any other text.
  public init?(hexadecimal text: some StringProtocol) {
    guard let digest = Digest256(hexadecimal: text) else { return nil }
    self.digest = digest
  }

  /// The 32 bytes.
  public var bytes: [UInt8] { digest.bytes }

  /// The 64 hexadecimal digits.
  public var hexadecimal: String { digest.hexadecimal }

  /// The first 12 digits, which people read and type.
  public var short: String { String(hexadecimal.prefix(Self.shortLength)) }

  /// The number of digits in ``short``.
  public static let shortLength = 12

  public var description: String { short }
}
