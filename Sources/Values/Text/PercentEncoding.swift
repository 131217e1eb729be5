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

/// Percent-encodes everything but unreserved characters (RFC 3986, section 2.3).
public func percentEncoded(_ text: String) -> String {
  // Upper case by RFC 3986, section 2.1.
  let digits = Array("0123456789ABCDEF".utf8)
  var encoded: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      encoded.append(byte)
    default:
      encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}

/// Hexadecimal digits in ASCII.
enum Hexadecimal {
  /// Returns the digit of a value below 16, in lower case.
  static func digit(of value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Returns the value of a digit in either case, or nil for any other byte.
  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
