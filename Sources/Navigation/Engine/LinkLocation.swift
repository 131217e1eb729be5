internal import Values

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
      guard let decoded = percentDecoded(segment) else { return nil }
      path.append(decoded)
    }
    var query: [String: String] = [:]
    for pair in parts.dropFirst().joined().split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(sides[0]), let value = percentDecoded(sides.count > 1 ? sides[1] : "") else {
        return nil
      }
      query[name] = value
    }
    self.path = path
    self.query = query
  }
}
