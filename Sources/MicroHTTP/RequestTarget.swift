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
