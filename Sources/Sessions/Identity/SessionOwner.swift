internal import Values

/// Whom a session belongs to: a digest (SHA-256) of the principal's name, which is all that a store knows of it.
public struct SessionOwner: Sendable, Hashable {
  private let digest: Digest256

  public init(name: String) { digest = Digest256(ofParts: [Array("usher owner".utf8), Array(name.utf8)]) }

  /// An owner that was stored; nil unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard let digest = Digest256(bytes: bytes) else { return nil }
    self.digest = digest
  }

  /// The 32 bytes, as a store keeps them.
  public var bytes: [UInt8] { digest.bytes }
}
