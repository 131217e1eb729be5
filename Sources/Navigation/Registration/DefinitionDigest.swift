public import Values

/// The identity of a definition that comes from files: the SHA-256 of their paths and bytes.
///
/// A session keeps the digest of the definition that it began with. An app in Swift has none.
public struct DefinitionDigest: DigestIdentity, BitwiseCopyable, CustomStringConvertible {
  public let digest: Digest256

  public init(_ digest: Digest256) { self.digest = digest }

  /// The first 12 digits, which people read and type.
  public var short: String { String(hexadecimal.prefix(Self.shortLength)) }

  /// The number of digits in ``short``.
  public static let shortLength = 12

  public var description: String { short }
}
