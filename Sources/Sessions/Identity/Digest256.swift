internal import Crypto

/// A SHA-256 digest (FIPS 180-4).
public struct Digest256: Sendable, Hashable {
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
    self = hash.finalize().withUnsafeBytes { Self(words: $0) }
  }

  /// A digest that was made before; nil unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self = bytes.withUnsafeBytes { Self(words: $0) }
  }

  private init(words raw: UnsafeRawBufferPointer) {
    let word = { UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
  }

  /// The 32 bytes, as a store keeps them.
  public var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  // The digest is as good as random, so one word of it is a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(second) }
}
