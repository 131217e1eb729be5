internal import Cryptography
internal import Values

/// The ID of a session: 128 random bits as 22 characters of base64url (RFC 4648, section 5).
///
/// An ID is a capability: any client that knows it can use the session. Stores and logs see only its ``SessionKey``.
/// A device that took over a session has an ID with a secret: the session's ID, a period, and 128 more bits.
public struct SessionID: Sendable, Hashable, CustomStringConvertible {
  /// The text as ASCII, which is read, hashed and written far more often than the bits. Characters from ``count`` on
  /// are 0.
  public let characters: InlineArray<45, UInt8>
  /// The number of characters: 22, or 45 with a secret.
  public let count: Int

  static let bareCount = RandomBits.characterCount
  private static let fullCount = 2 * bareCount + 1

  init(_ bits: RandomBits, secret: RandomBits? = nil) {
    var characters = InlineArray<45, UInt8>(repeating: 0)
    bits.write(to: &characters, at: 0)
    if let secret {
      characters[Self.bareCount] = UInt8(ascii: ".")
      secret.write(to: &characters, at: Self.bareCount + 1)
    }
    self.characters = characters
    count = secret == nil ? Self.bareCount : Self.fullCount
  }

  /// Returns a new ID from the system's secure random number generator.
  public static func random() -> SessionID { SessionID(.random()) }

  /// A placeholder for a session of which only the key is known: 22 asterisks, which no real ID contains.
  static let unknown = SessionID(asterisks: ())

  private init(asterisks: ()) {
    characters = InlineArray { $0 < Self.bareCount ? UInt8(ascii: "*") : 0 }
    count = Self.bareCount
  }

  /// Parses an ID. Returns nil if the text does not have the form of an ID.
  public init?(_ text: String) { self.init(utf8: text.utf8Span.span) }

  /// Parses an ID from UTF-8. Returns nil if the text does not have the form of an ID.
  public init?(utf8 text: Span<UInt8>) {
    guard text.count == Self.bareCount || text.count == Self.fullCount && text[Self.bareCount] == UInt8(ascii: "."),
      RandomBits.isEncoded(text, from: 0),
      text.count == Self.bareCount || RandomBits.isEncoded(text, from: Self.bareCount + 1)
    else { return nil }
    var characters = InlineArray<45, UInt8>(repeating: 0)
    for index in text.indices { characters[index] = text[index] }
    self.characters = characters
    count = text.count
  }

  /// The ID as text: 22 characters, or 45 with a secret.
  public var text: String {
    String(unsafeUninitializedCapacity: count) { buffer in
      for index in 0..<count { buffer[index] = characters[index] }
      return count
    }
  }

  /// The short form of the key, which is safe to log.
  public var description: String { SessionKey(self).short }

  public var hasSecret: Bool { count > Self.bareCount }

  var bits: RandomBits { RandomBits(characters.span, from: 0) }

  /// The ID without the secret.
  var bare: SessionID { hasSecret ? SessionID(bits) : self }

  /// The digest of the secret, the form that stores keep; nil for an ID without a secret.
  var secretDigest: Digest256? {
    guard hasSecret else { return nil }
    return withUnsafeBytes(of: characters) {
      Digest256(sha256: UnsafeRawBufferPointer(rebasing: $0[(Self.bareCount + 1)...]))
    }
  }

  public static func == (a: SessionID, b: SessionID) -> Bool {
    a.count == b.count && a.characters.indices.allSatisfy { a.characters[$0] == b.characters[$0] }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bits.low) }
}

/// 128 random bits, and their text: 22 characters of base64url (RFC 4648, section 5).
package struct RandomBits: Sendable, Hashable {
  let high: UInt64
  let low: UInt64

  package static let characterCount = 22
}

extension RandomBits {
  /// - Parameter bytes: exactly 16 bytes.
  init(_ bytes: ArraySlice<UInt8>) {
    let words = bytes.withUnsafeBytes { raw in
      (raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    high = UInt64(bigEndian: words.0)
    low = UInt64(bigEndian: words.1)
  }

  /// The bits as 16 bytes in big-endian order.
  var bytes: [UInt8] { [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } } }

  /// The bits as 22 characters.
  package var text: String { Base64URL.encode(bytes) }

  /// Returns bits from the system's secure random number generator.
  package static func random() -> RandomBits {
    var generator = SystemRandomNumberGenerator()
    return RandomBits(high: generator.next(), low: generator.next())
  }

  /// Returns whether the 22 characters at an offset encode 128 bits.
  package static func isEncoded(_ text: Span<UInt8>, from start: Int) -> Bool {
    guard text.count >= start + characterCount else { return false }
    let characters = text.extracting(start..<start + characterCount)
    for index in characters.indices where !Base64URL.isCharacter(characters[index]) { return false }
    // 128 bits are 21 characters of 6 bits and one of 2, which is padded on the right.
    return Base64URL.value(of: characters[characterCount - 1]) & 0x0F == 0
  }

  /// Decodes the 22 characters at an offset, which must be valid.
  package init(_ text: Span<UInt8>, from start: Int) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in start..<start + Self.characterCount - 1 {
      (high, low) = (high << 6 | low >> 58, low << 6 | Base64URL.value(of: text[index]))
    }
    self.high = high << 2 | low >> 62
    self.low = low << 2 | Base64URL.value(of: text[start + Self.characterCount - 1]) >> 4
  }

  func write(to characters: inout InlineArray<45, UInt8>, at start: Int) {
    var (high, low) = (high, low)
    for index in 0..<Self.characterCount {
      characters[start + index] = Base64URL.character(of: UInt8(truncatingIfNeeded: high >> 58))
      (high, low) = (high << 6 | low >> 58, low << 6)
    }
  }
}
