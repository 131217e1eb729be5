/// A deep link taken apart: the segments of its path and the parameters of its query, percent-decoded (RFC 3986).
struct LinkLocation {
  let path: [String]
  let query: [String: String]

  /// Nil for a text that does not begin with `/` or has broken percent-encoding.
  init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    let withoutFragment = text.prefix { $0 != "#" }
    let parts = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for segment in parts[0].split(separator: "/") {
      guard let decoded = Self.decode(segment) else { return nil }
      path.append(decoded)
    }
    var query: [String: String] = [:]
    for pair in parts.dropFirst().joined().split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(sides[0]), let value = Self.decode(sides.count > 1 ? sides[1] : "") else { return nil }
      query[name] = value
    }
    self.path = path
    self.query = query
  }

  private static func decode(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
