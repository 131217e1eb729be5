internal import Values

/// A deep link taken apart: the segments of its path and the parameters of its query, percent-decoded (RFC 3986).
struct LinkLocation {
  let path: [String]
  let query: [String: String]

  /// Nil for a text that does not begin with `/` or has broken percent-encoding.
  init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    // By bytes: what combines with a separator would make another character of it.
    let withoutFragment = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    let parts = withoutFragment.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for segment in parts[0].split(separator: UInt8(ascii: "/")) {
      guard let decoded = percentDecoded(Substring(segment)) else { return nil }
      path.append(decoded)
    }
    var query: [String: String] = [:]
    for pair in parts.dropFirst().first?.split(separator: UInt8(ascii: "&")) ?? [] {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(Substring(sides[0])),
        let value = percentDecoded(sides.count > 1 ? Substring(sides[1]) : "")
      else { return nil }
      query[name] = value
    }
    self.path = path
    self.query = query
  }
}
