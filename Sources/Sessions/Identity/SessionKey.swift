/// What stores know a session by: the SHA-256 (FIPS 180-4) of its id. Nobody gets from the key to the session.
public struct SessionKey: Sendable, Hashable {
  private let digest: Digest256

  public init(_ id: SessionID) {
    digest = withUnsafeBytes(of: id.characters) { Digest256(of: $0) }
  }

  /// The 32 bytes, as a store keeps them.
  public var bytes: [UInt8] { digest.bytes }

  /// The first 8 hexadecimal digits: enough to tell sessions apart in a list or a log, and of no use to anyone else.
  public var short: String {
    let digits = String(digest.first >> 32, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The part of a store, out of `count` (at least 1), that the session belongs to; a random but fixed one.
  public func shard(of count: Int) -> Int { Int(truncatingIfNeeded: digest.first >> 32) % count }
}
