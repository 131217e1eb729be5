/// A digest of 256 bits, such as a SHA-256 (FIPS 180-4), as bytes and as text. The modules that depend on a
/// cryptographic library compute it.
public struct Digest256: Sendable, Hashable, BitwiseCopyable {
  /// The first 64 bits.
  public let first: UInt64
  @usableFromInline let second: UInt64
  @usableFromInline let third: UInt64
  @usableFromInline let fourth: UInt64

  /// Reads the digest from exactly 32 bytes.
  public init(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == 32, "A digest has 32 bytes.")
    let word = { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
  }

  /// Reads the digest from bytes; nil unless there are 32.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self = bytes.withUnsafeBytes { Self($0) }
  }

  /// Reads the digest from text; nil unless it is 64 hexadecimal digits, in either case.
  public init?(hexadecimal text: some StringProtocol) {
    let values = text.utf8.map { Hexadecimal.value(of: $0) }
    guard values.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = values[index], let low = values[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes: bytes)
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  /// The 64 hexadecimal digits, in lower case.
  public var hexadecimal: String { Hexadecimal.encode(bytes) }

  @inlinable
  public static func == (left: Digest256, right: Digest256) -> Bool {
    left.first == right.first && left.second == right.second && left.third == right.third && left.fourth == right.fourth
  }

  // One word of a digest is as good a hash as all of it.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(second) }
}

/// An identity in a type of its own that consists of a digest.
public protocol DigestIdentity: Hashable, Sendable {
  var digest: Digest256 { get }

  init(_ digest: Digest256)
}

extension DigestIdentity {
  /// Reads the identity from bytes; nil unless there are 32.
  @inlinable
  public init?(bytes: [UInt8]) {
    guard let digest = Digest256(bytes: bytes) else { return nil }
    self.init(digest)
  }

  /// Reads the identity from 64 hexadecimal digits; nil for any other text.
  @inlinable
  public init?(hexadecimal text: some StringProtocol) {
    guard let digest = Digest256(hexadecimal: text) else { return nil }
    self.init(digest)
  }

  /// The 32 bytes, the form that stores keep.
  @inlinable public var bytes: [UInt8] { digest.bytes }

  /// The 64 hexadecimal digits.
  @inlinable public var hexadecimal: String { digest.hexadecimal }
}
