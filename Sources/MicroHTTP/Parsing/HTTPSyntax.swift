/// The character classes of RFC 9110 and RFC 9112 that the head of a request is checked against.
enum HTTPBytes {
  /// RFC 9110, section 5.6.2: what methods and header names are made of.
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

  /// RFC 9110, section 5.5: a value holds no control character but the tab.
  static func isFieldValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }

  /// Whether these are the bytes of a lower-case ASCII text, in any case.
  static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ lowercase: StaticString) -> Bool {
    guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count {
      var byte = bytes[index]
      if byte >= 0x41 && byte <= 0x5A { byte |= 0x20 }
      if byte != lowercase.utf8Start[index] { return false }
    }
    return true
  }

  /// Without the blanks at the end, which the library leaves there.
  static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var count = bytes.count
    while count > 0, isBlank(bytes[count - 1]) { count -= 1 }
    return UnsafeBufferPointer(start: bytes.baseAddress, count: count)
  }

  /// A number of bytes written in digits only; nil for anything else. Numbers past `Int.max` are `Int.max`.
  static func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var total = 0
    for byte in bytes {
      guard byte >= 0x30 && byte <= 0x39 else { return nil }
      let (tens, tooMany) = total.multipliedReportingOverflow(by: 10)
      let (sum, tooLarge) = tens.addingReportingOverflow(Int(byte - 0x30))
      total = tooMany || tooLarge ? .max : sum
    }
    return total
  }
}

/// Turns the target of a request line into what `Request.target` promises.
enum RequestTarget {
  /// The origin form of a target, or `*`; nil when it has a byte that no URI has, or another form.
  ///
  /// A server must accept the absolute form as well (RFC 9112, section 3.2.2): scheme and authority are dropped.
  static func parse(_ raw: UnsafePointer<CChar>, length: Int) -> String? {
    raw.withMemoryRebound(to: UInt8.self, capacity: length) { start in
      let bytes = UnsafeBufferPointer(start: start, count: length)
      guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
      if bytes.first == UInt8(ascii: "/") { return String(decoding: bytes, as: UTF8.self) }
      return withoutAuthority(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The authority of a target in absolute form; nil for another form.
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
