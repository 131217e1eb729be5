internal import Values

/// The target of a request, taken apart (RFC 9112, section 3.2.1): segments are split before they are percent-decoded, so
/// that an encoded slash belongs to its segment.
struct RequestPath {
  /// The segments, still encoded.
  private let segments: [Substring.UTF8View]
  private let query: Substring.UTF8View?

  init(_ target: String) {
    let utf8 = target.utf8
    var path = utf8[...]
    var query: Substring.UTF8View?
    if let mark = utf8.firstIndex(of: UInt8(ascii: "?")) {
      path = utf8[..<mark]
      query = utf8[utf8.index(after: mark)...]
    }
    var segments: [Substring.UTF8View] = []
    segments.reserveCapacity(6)
    if path.first == UInt8(ascii: "/") { path = path.dropFirst() }
    if !path.isEmpty {
      var start = path.startIndex
      var index = start
      while index != path.endIndex {
        if path[index] == UInt8(ascii: "/") {
          segments.append(path[start..<index])
          start = path.index(after: index)
        }
        index = path.index(after: index)
      }
      segments.append(path[start...])
    }
    self.segments = segments
    self.query = query
  }

  /// Whether the path has the form of the route.
  func matches(_ route: Route) -> Bool {
    guard segments.count == route.segments.count else { return false }
    for (segment, expected) in zip(segments, route.segments) {
      switch expected {
      case .literal(let bytes): guard segment.elementsEqual(bytes) else { return false }
      case .parameter: guard !segment.isEmpty else { return false }
      }
    }
    return true
  }

  /// The segment at this place, decoded; nil where its encoding is broken.
  func segment(_ place: Int) -> String? { percentDecoded(segments[place]) }

  /// The parameters of the query, in their order.
  func queryItems() throws(Problem) -> [(name: String, value: String)] {
    guard let query, !query.isEmpty else { return [] }
    var items: [(name: String, value: String)] = []
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(sides[0]), let value = sides.count > 1 ? percentDecoded(sides[1]) : "" else {
        throw .invalidRequest("The query has broken percent-encoding.")
      }
      items.append((name, value))
    }
    return items
  }
}
