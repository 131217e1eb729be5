/// base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
  /// Encodes bytes as text of 4 characters for every 3 bytes.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var characters: [UInt8] = []
    var (bits, count): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt64(byte), count + 8)
      while count >= 6 {
        count -= 6
        characters.append(character(of: UInt8(truncatingIfNeeded: bits >> count & 63)))
      }
    }
    if count > 0 { characters.append(character(of: UInt8(truncatingIfNeeded: bits << (6 - count) & 63))) }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Decodes the text that ``encode(_:)`` makes of some bytes.
  ///
  /// Returns nil for any other text: one with a foreign character (padding included), with an impossible length, or
  /// with unused bits that are set (RFC 4648, section 3.5).
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count): (UInt64, UInt64) = (0, 0)
    for byte in text.utf8 {
      guard isCharacter(byte) else { return nil }
      (bits, count) = (bits << 6 | value(of: byte), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    guard count < 6, bits & (1 << count - 1) == 0 else { return nil }
    return bytes
  }

  // The alphabet. It can be inlined, since every request has the id of a session in it.

  /// Returns the character of a value below 64.
  @inlinable
  public static func character(of value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "-")
    default: UInt8(ascii: "_")
    }
  }

  /// Returns whether a byte is one of the 64 characters.
  @inlinable
  public static func isCharacter(_ byte: UInt8) -> Bool {
    // One bit a character: hyphen and digits below 64, letters and the underscore above.
    let low: UInt64 = 0x03FF_2000_0000_0000
    let high: UInt64 = 0x07FF_FFFE_87FF_FFFE
    return byte < 128 && (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 == 1
  }

  /// Returns the value of one of the 64 characters.
  @inlinable
  public static func value(of character: UInt8) -> UInt64 {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    default: 63
    }
  }
}
