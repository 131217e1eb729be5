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

  /// Nil for what has another character, padding included, or a length that nothing has.
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
    return Data(base64Encoded: Data(base64)).map { Array($0) }
  }
}
