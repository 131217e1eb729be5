/// A JSON pointer (RFC 6901).
enum JSONPointer {
  /// Returns a pointer to a member or an element of the part to which `pointer` leads.
  static func adding(_ token: String, to pointer: String) -> String {
    var result = pointer
    append(token, to: &result)
    return result
  }

  static func append(_ token: String, to pointer: inout String) {
    pointer += "/"
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      pointer += token
      return
    }
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      default: pointer.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns the text of an escaped token; nil if a `~` begins no escape.
  static func unescaped(_ token: Substring) -> String? {
    var text = ""
    var scalars = token.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "~" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.next() {
      case "0": text += "~"
      case "1": text += "/"
      default: return nil
      }
    }
    return text
  }

  /// Returns the pointer in the fragment of a URI (RFC 6901, section 6); nil if an escape is malformed or the bytes are
  /// no UTF-8.
  static func decodedFragment(_ fragment: Substring) -> String? {
    var bytes: [UInt8] = []
    var encoded = fragment.utf8.makeIterator()
    while let byte = encoded.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = encoded.next()?.hexadecimalDigit, let low = encoded.next()?.hexadecimalDigit else { return nil }
      bytes.append(high << 4 | low)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    // A repair of malformed UTF-8 changes the bytes.
    return text.utf8.elementsEqual(bytes) ? text : nil
  }
}

extension UInt8 {
  /// The value of the ASCII digit; nil for another character.
  var hexadecimalDigit: UInt8? { Character(Unicode.Scalar(self)).hexDigitValue.map { UInt8($0) } }
}
