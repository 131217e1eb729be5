internal import Values

/// The id of a session: 128 random bits as 22 characters of base64url (RFC 4648, section 5). Who knows it may use the
/// session, so stores and logs get its ``SessionKey`` only.
///
/// The id of a device that a session was handed over to has a secret behind it: a point and 128 more bits.
public struct SessionID: Sendable, Hashable, CustomStringConvertible {
  /// The text as ASCII, because it is read, hashed and written far more often than the bits. Those from ``count`` on are 0.
  public let characters: InlineArray<45, UInt8>
  /// How many characters there are: 22, or 45 with a secret.
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

  /// A new id from the system's secure random numbers.
  public static func random() -> SessionID { SessionID(.random()) }

  /// Stands where a session is known by its key alone. It is written as 22 asterisks, which no id is.
  static let unknown = SessionID(asterisks: ())

  private init(asterisks: ()) {
    characters = InlineArray { $0 < Self.bareCount ? UInt8(ascii: "*") : 0 }
    count = Self.bareCount
  }

  /// Nil for a text that no session can have.
  public init?(_ text: String) { self.init(utf8: text.utf8Span.span) }

  /// The same of a text's UTF-8.
  public init?(utf8 text: Span<UInt8>) {
    guard text.count == Self.bareCount || text.count == Self.fullCount && text[Self.bareCount] == UInt8(ascii: "."),
      RandomBits.areCharacters(text, from: 0),
      text.count == Self.bareCount || RandomBits.areCharacters(text, from: Self.bareCount + 1)
    else { return nil }
    characters = InlineArray { $0 < text.count ? text[$0] : 0 }
    count = text.count
  }

  /// 22 characters, or 45 with a secret.
  public var text: String {
    String(unsafeUninitializedCapacity: count) { buffer in
      for place in 0..<count { buffer[place] = characters[place] }
      return count
    }
  }

  /// What a log may know: the short form of its key.
  public var description: String { SessionKey(self).short }

  public var hasSecret: Bool { count > Self.bareCount }

  var bits: RandomBits { RandomBits(characters.span, from: 0) }

  /// The id without its secret.
  var bare: SessionID { hasSecret ? SessionID(bits) : self }

  /// What stores know the secret by; nil where there is none.
  var secretDigest: Digest256? {
    guard hasSecret else { return nil }
    return withUnsafeBytes(of: characters) {
      Digest256(of: UnsafeRawBufferPointer(rebasing: $0[(Self.bareCount + 1)...]))
    }
  }

  public static func == (a: SessionID, b: SessionID) -> Bool {
    a.count == b.count && a.characters.indices.allSatisfy { a.characters[$0] == b.characters[$0] }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bits.low) }
}
