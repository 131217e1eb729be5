internal import Values

/// What stores know a session by: the SHA-256 (FIPS 180-4) of its id, without the secret behind it. Nobody gets from the key to the session.
public struct SessionKey: Sendable, Hashable {
  private let digest: Digest256

  public init(_ id: SessionID) {
    digest = withUnsafeBytes(of: id.characters) {
      Digest256(of: UnsafeRawBufferPointer(rebasing: $0[..<SessionID.bareCount]))
    }
  }

  /// A key that was stored; nil unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard let digest = Digest256(bytes: bytes) else { return nil }
    self.digest = digest
  }

  /// Nil unless there are 64 hexadecimal digits.
  public init?(digits: String) {
    guard let digest = Digest256(hexadecimal: digits) else { return nil }
    self.digest = digest
  }

  /// The 32 bytes, as a store keeps them.
  public var bytes: [UInt8] { digest.bytes }

  /// All 64 hexadecimal digits.
  public var digits: String { digest.hexadecimal }

  /// The first 8 of them: enough to tell sessions apart in a list or a log, and of no use to anyone else.
  public var short: String { String(digits.prefix(8)) }

  /// The first 64 bits: as good as unique among the sessions of one store, and short.
  public var number: Int64 { Int64(bitPattern: digest.first) }

  /// The part of a store, out of `count` (at least 1), that the session belongs to; a random but fixed one.
  public func shard(of count: Int) -> Int { Int(truncatingIfNeeded: digest.first >> 32) % count }
}
