/// The lexical rules of RFC 9110 and RFC 9112 for the head of a request.
enum HTTPSyntax {
  /// Returns whether the byte may be part of a method or a header name (RFC 9110, section 5.6.2).
  static func isToken(_ byte: UInt8) -> Bool {
    // One bit a character: digits and !#$%&'*+-. below 64; letters and ^_`|~ above.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return byte < 128 && (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 == 1
  }

  static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isToken)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Returns whether the bytes contain no control character except tabs (RFC 9110, section 5.5).
  static func isFieldValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }

  /// Returns whether the bytes equal a lower-case ASCII text, without regard to their own case.
  static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ lowercase: StaticString) -> Bool {
    guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count {
      var byte = bytes[index]
      if byte >= 0x41 && byte <= 0x5A { byte |= 0x20 }
      if byte != lowercase.utf8Start[index] { return false }
    }
    return true
  }

  /// Removes trailing blanks, which the library keeps.
  static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var count = bytes.count
    while count > 0, isBlank(bytes[count - 1]) { count -= 1 }
    return UnsafeBufferPointer(start: bytes.baseAddress, count: count)
  }

  /// Parses a number of bytes that consists of digits alone; nil for anything else. Numbers above `Int.max` become
  /// `Int.max`.
  static func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var total = 0
    for byte in bytes {
      guard byte >= 0x30 && byte <= 0x39 else { return nil }
      let (tens, isProductTooLarge) = total.multipliedReportingOverflow(by: 10)
      let (sum, isSumTooLarge) = tens.addingReportingOverflow(Int(byte - 0x30))
      total = isProductTooLarge || isSumTooLarge ? .max : sum
    }
    return total
  }
}

/// The parser of the target in a request line.
enum RequestTarget {
  /// Returns a target in origin form, or `*`. Returns nil if the target contains a byte that no URI contains, or has
  /// another form.
  ///
  /// A server must also accept the absolute form (RFC 9112, section 3.2.2), whose scheme and authority are dropped.
  static func parse(_ raw: UnsafePointer<CChar>, length: Int) -> String? {
    raw.withMemoryRebound(to: UInt8.self, capacity: length) { start in
      let bytes = UnsafeBufferPointer(start: start, count: length)
      guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
      if bytes.first == UInt8(ascii: "/") { return String(decoding: bytes, as: UTF8.self) }
      return withoutAuthority(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Returns the authority of a target in absolute form; nil for another form.
  static func authority(_ raw: UnsafePointer<CChar>, length: Int) -> String? {
    guard raw.pointee != CChar(bitPattern: UInt8(ascii: "/")) else { return nil }
    let target = UnsafeRawBufferPointer(start: raw, count: length)
    let text = String(decoding: target, as: UTF8.self)
    guard let separator = text.firstRange(of: "://") else { return nil }
    return String(text[separator.upperBound...].prefix { $0 != "/" && $0 != "?" })
  }

  private static func withoutAuthority(_ target: String) -> String? {
    if target == "*" { return target }
    let lowercased = target.prefix(8).lowercased()
    let scheme = ["http://", "https://"].first { lowercased.hasPrefix($0) }
    guard let scheme else { return nil }
    let rest = target.dropFirst(scheme.count)
    guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return rest.isEmpty ? nil : "/" }
    guard end != rest.startIndex else { return nil }
    return rest[end] == "/" ? String(rest[end...]) : "/" + rest[end...]
  }
}
