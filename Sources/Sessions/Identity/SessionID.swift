/// The id of a session: 128 random bits as 22 characters of base64url (RFC 4648, section 5). Who knows it may use the
/// session, so stores and logs get its ``SessionKey`` only.
public struct SessionID: Sendable, Hashable, CustomStringConvertible {
  /// The text as ASCII: it is read, hashed and written far more often than the bits.
  public let characters: InlineArray<22, UInt8>

  init(high: UInt64, low: UInt64) {
    var rest = (high, low)
    characters = InlineArray { _ in
      defer { rest = (rest.0 << 6 | rest.1 >> 58, rest.1 << 6) }
      return Self.character(of: UInt8(truncatingIfNeeded: rest.0 >> 58))
    }
  }

  /// A new id from the system's secure random numbers.
  public static func random() -> SessionID {
    var generator = SystemRandomNumberGenerator()
    return SessionID(high: generator.next(), low: generator.next())
  }

  /// Stands where a session is known by its key alone. It is written as 22 asterisks, which no id is.
  static let unknown = SessionID(characters: InlineArray(repeating: UInt8(ascii: "*")))

  private init(characters: InlineArray<22, UInt8>) { self.characters = characters }

  /// Nil for a text that no session can have.
  public init?(_ text: String) { self.init(utf8: text.utf8Span.span) }

  /// The same of a text's UTF-8.
  public init?(utf8 text: Span<UInt8>) {
    guard text.count == 22 else { return nil }
    var characters = InlineArray<22, UInt8>(repeating: 0)
    for place in 0..<22 {
      guard Self.isCharacter(text[place]) else { return nil }
      characters[place] = text[place]
    }
    // 128 bits are 21 characters of 6 bits and one of 2, which is padded on its right.
    guard Self.value(of: characters[21]) & 0x0F == 0 else { return nil }
    self.characters = characters
  }

  /// 22 characters.
  public var text: String {
    String(unsafeUninitializedCapacity: 22) { buffer in
      for place in characters.indices { buffer[place] = characters[place] }
      return 22
    }
  }

  /// What a log may know: the short form of its key.
  public var description: String { SessionKey(self).short }

  var bits: (high: UInt64, low: UInt64) {
    var bits: (high: UInt64, low: UInt64) = (0, 0)
    for place in 0..<21 { bits = (bits.high << 6 | bits.low >> 58, bits.low << 6 | Self.value(of: characters[place])) }
    return (bits.high << 2 | bits.low >> 62, bits.low << 2 | Self.value(of: characters[21]) >> 4)
  }

  public static func == (a: SessionID, b: SessionID) -> Bool { a.bits == b.bits }

  public func hash(into hasher: inout Hasher) { hasher.combine(bits.low) }

  private static func character(of value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "-")
    default: UInt8(ascii: "_")
    }
  }

  private static func isCharacter(_ byte: UInt8) -> Bool {
    // One bit a character: hyphen and digits below 64, letters and the underscore above.
    let low: UInt64 = 0x03FF_2000_0000_0000
    let high: UInt64 = 0x07FF_FFFE_87FF_FFFE
    return byte < 128 && (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 == 1
  }

  /// Of one of the 64 characters.
  private static func value(of character: UInt8) -> UInt64 {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    default: 63
    }
  }
}
