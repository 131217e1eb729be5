/// The lexical rules of RFC 9110 and RFC 9112 for the head of a request.
enum HTTPSyntax {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Returns whether the byte may be part of a method or a header name (RFC 9110, section 5.6.2).
  static func isToken(_ byte: UInt8) -> Bool {
    // One bit a character: digits and !#$%&'*+-. below 64; letters and ^_`|~ above.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return byte < 128 && (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 == 1
  }

  static func isToken(_ bytes: Bytes) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isToken)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Returns whether the bytes contain no control character except tabs (RFC 9110, section 5.5).
  static func isFieldValue(_ bytes: Bytes) -> Bool {
    bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }

  /// Returns whether the bytes equal a lower-case ASCII text, without regard to their own case.
  static func equal(_ bytes: Bytes, _ lowercase: StaticString) -> Bool {
    guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count {
      var byte = bytes[index]
      if byte >= 0x41 && byte <= 0x5A { byte |= 0x20 }
      if byte != lowercase.utf8Start[index] { return false }
    }
    return true
  }

  /// Removes trailing blanks, which the library keeps.
  static func trimmed(_ bytes: Bytes) -> Bytes {
    Bytes(rebasing: bytes[..<(bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0)])
  }

  /// Parses a number of bytes that consists of digits alone; nil for anything else. Numbers above or near
  /// `Int.max` become `Int.max`.
  static func length(_ bytes: Bytes) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var total = 0
    for byte in bytes {
      guard byte >= 0x30 && byte <= 0x39 else { return nil }
      total = total < .max / 10 ? total * 10 + Int(byte - 0x30) : .max
    }
    return total
  }
}

/// The target in a request line.
struct RequestTarget {
  /// The target in origin form, or `*`.
  let path: String
  /// The authority of a target in absolute form.
  let authority: String?

  /// Parses a target. Returns nil if it contains a byte that no URI contains, or has a form that only proxies serve.
  ///
  /// A server must also accept the absolute form (RFC 9112, section 3.2.2), whose scheme and authority are dropped.
  init?(_ raw: UnsafePointer<CChar>, length: Int) {
    let bytes = UnsafeRawBufferPointer(start: raw, count: length)
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.utf8.first == UInt8(ascii: "/") || text == "*" {
      (path, authority) = (text, nil)
      return
    }
    let scheme = text.prefix(8).lowercased()
    guard scheme.hasPrefix("http://") || scheme == "https://", let slashes = text.firstRange(of: "//") else {
      return nil
    }
    let authority = text[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" }
    guard !authority.isEmpty else { return nil }
    self.authority = String(authority)
    let rest = text[authority.endIndex...]
    path = rest.hasPrefix("/") ? String(rest) : "/" + rest
  }
}
