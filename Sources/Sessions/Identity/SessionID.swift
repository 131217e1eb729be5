/// The id of a session: 128 random bits as 22 characters of base64url (RFC 4648, section 5). Who knows it may use the
/// session, so stores and logs get its ``SessionKey`` only.
public struct SessionID: Sendable, Hashable, CustomStringConvertible {
  /// 22 characters.
  public let text: String

  /// A new id from the system's secure random numbers.
  public static func random() -> SessionID {
    var generator = SystemRandomNumberGenerator()
    let high: UInt64 = generator.next()
    let low: UInt64 = generator.next()
    return SessionID(bits: (high, low))
  }

  init(bits: (UInt64, UInt64)) {
    text = String(unsafeUninitializedCapacity: 22) { buffer in
      var rest = bits
      // 128 bits are 21 characters of 6 bits and one of 2, which is padded on its right.
      for place in buffer[..<22].indices {
        buffer[place] = Self.alphabet[Int(rest.0 >> 58)]
        rest = (rest.0 << 6 | rest.1 >> 58, rest.1 << 6)
      }
      return 22
    }
  }

  /// Nil for a text that no session can have.
  public init?(_ text: String) {
    guard text.utf8.count == 22, text.utf8.allSatisfy({ Self.value(of: $0) != nil }),
      let last = text.utf8.last.flatMap(Self.value(of:)), last & 0x0F == 0
    else { return nil }
    self.text = text
  }

  /// The 128 bits.
  var bits: (UInt64, UInt64) {
    var bits: (UInt64, UInt64) = (0, 0)
    for (place, character) in text.utf8.enumerated() {
      let value = UInt64(Self.value(of: character) ?? 0)
      if place == 21 {
        bits = (bits.0 << 2 | bits.1 >> 62, bits.1 << 2 | value >> 4)
      } else {
        bits = (bits.0 << 6 | bits.1 >> 58, bits.1 << 6 | value)
      }
    }
    return bits
  }

  public var description: String { text }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
