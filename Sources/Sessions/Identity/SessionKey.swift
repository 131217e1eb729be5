internal import Crypto

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

  /// The part of a store, out of `count`, that the session belongs to; a random but fixed one.
  public func shard(of count: Int) -> Int { Int(truncatingIfNeeded: digest.first >> 32) % count }
}

/// A SHA-256 digest.
struct Digest256: Sendable, Hashable {
  let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// The digest of several parts, each preceded by its length.
  init(ofParts parts: [[UInt8]]) {
    var joined: [UInt8] = []
    for part in parts {
      withUnsafeBytes(of: UInt64(part.count).bigEndian) { joined += $0 }
      joined += part
    }
    self = joined.withUnsafeBytes { Self(of: $0) }
  }

  init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    (first, second, third, fourth) = hash.finalize().withUnsafeBytes { raw in
      let word = { UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
      return (word(0), word(1), word(2), word(3))
    }
  }

  var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  // The digest is as good as random, so one word of it is a hash.
  func hash(into hasher: inout Hasher) { hasher.combine(second) }
}
