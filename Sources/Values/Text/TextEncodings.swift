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

/// Decodes percent-encoded text (RFC 3986, section 2.1). Returns nil if an escape is malformed or the result is not
/// UTF-8.
public func percentDecoded(_ text: Substring) -> String? {
  var text = text
  return text.withUTF8 { bytes -> String? in
    guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
    var decoded: [UInt8] = []
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(Hexadecimal.value), let low = rest.next().flatMap(Hexadecimal.value) else {
        return nil
      }
      decoded.append(high << 4 | low)
    }
    return String(validating: decoded, as: UTF8.self)
  }
}

/// Classes of ASCII characters.
extension UInt8 {
  @inlinable package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte is a letter in either case.
  @inlinable package var isASCIILetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  @inlinable package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
}

extension FixedWidthInteger {
  /// Parses a decimal number that consists of ASCII digits only. The initializer of the standard library also accepts a
  /// sign.
  package init?(digits text: some StringProtocol) {
    guard text.utf8.allSatisfy(\.isASCIIDigit), let number = Self(text, radix: 10) else { return nil }
    self = number
  }
}

extension String {
  /// Whether the text can be the name of an app, of a part of it or of a service: 1 to 64 lower-case letters, digits and
  /// hyphens.
  package var isName: Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return (1...64).contains(utf8.count)
      && utf8.allSatisfy { letters.contains($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
  }
}

/// Percent-encodes everything but unreserved characters (RFC 3986, section 2.3).
public func percentEncoded(_ text: String) -> String {
  // Upper case by RFC 3986, section 2.1.
  let digits = Array("0123456789ABCDEF".utf8)
  var encoded: [UInt8] = []
  for byte in text.utf8 {
    if byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) {
      encoded.append(byte)
    } else {
      encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}

/// Hexadecimal digits in ASCII.
package enum Hexadecimal {
  /// Returns two digits for each byte.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digit(of: $0 >> 4), digit(of: $0 & 15)] }, as: UTF8.self)
  }

  /// Returns the digit of a value below 16, in lower case.
  static func digit(of value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Returns the value of a digit in either case, or nil for any other byte.
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
