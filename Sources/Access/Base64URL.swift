internal import Foundation

/// base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// Nil for a text that ``encode(_:)`` does not make: one with another character, padding included, with a length that no bytes have,
  /// or with unused bits that are set (RFC 4648, section 3.5).
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var base64: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): base64.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): base64.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: base64.append(byte)
      }
    }
    base64 += Array(repeating: UInt8(ascii: "="), count: (4 - base64.count % 4) % 4)
    guard let bytes = Data(base64Encoded: Data(base64)).map({ Array($0) }) else { return nil }
    return encode(bytes).utf8.elementsEqual(text.utf8) ? bytes : nil
  }
}
