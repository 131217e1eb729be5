internal import Sessions
internal import Values

/// The target of a request, taken apart (RFC 9112, section 3.2.1): segments are split before they are percent-decoded, so
/// that an encoded slash belongs to its segment.
struct RequestPath {
  private let target: String
  /// Where in the target's UTF-8 the segments lie, still encoded.
  private var bounds = InlineArray<7, Range<Int>>(repeating: 0..<0)
  /// More segments than have a place are no route's.
  private var count = 0
  private var query: Range<Int>

  init(_ target: String) {
    self.target = target
    let bytes = target.utf8Span.span
    var end = bytes.count
    query = end..<end
    var start = bytes.count > 0 && bytes[0] == UInt8(ascii: "/") ? 1 : 0
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "?") {
        query = (index + 1)..<end
        end = index
        break
      }
      if bytes[index] == UInt8(ascii: "/"), index >= start {
        append(start..<index)
        start = index + 1
      }
    }
    if end > 1 || start == 0 && end > 0 { append(start..<end) }
  }

  private mutating func append(_ segment: Range<Int>) {
    if bounds.indices.contains(count) { bounds[count] = segment }
    count += 1
  }

  /// Whether the path has the form of the route.
  func matches(_ route: Route) -> Bool {
    guard count == route.segments.count else { return false }
    let bytes = target.utf8Span.span
    for index in route.segments.indices {
      switch route.segments[index] {
      case .literal(let literal):
        guard bytes.extracting(bounds[index]).hasSameBytes(as: literal.span) else { return false }
      case .parameter: guard !bounds[index].isEmpty else { return false }
      }
    }
    return true
  }

  /// The segment at this place, decoded; nil where its encoding is broken.
  func segment(_ place: Int) -> String? { decoded(bounds[place]) }

  /// The id that stands at this place as it is; nil for anything else.
  func sessionID(_ place: Int) -> SessionID? { SessionID(utf8: target.utf8Span.span.extracting(bounds[place])) }

  /// The parameters of the query, in their order.
  func queryItems() throws(Problem) -> [(name: String, value: String)] {
    guard !query.isEmpty else { return [] }
    var items: [(name: String, value: String)] = []
    for pair in split(query, at: UInt8(ascii: "&")) where !pair.isEmpty {
      let sides = split(pair, at: UInt8(ascii: "="), most: 1)
      guard let name = decoded(sides[0]), let value = sides.count > 1 ? decoded(sides[1]) : "" else {
        throw .invalidRequest("The query has broken percent-encoding.")
      }
      items.append((name, value))
    }
    return items
  }

  private func decoded(_ range: Range<Int>) -> String? {
    let bytes = target.utf8Span.span.extracting(range)
    if !bytes.contains(UInt8(ascii: "%")) {
      return bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    let utf8 = target.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return percentDecoded(Substring(utf8[start..<utf8.index(start, offsetBy: range.count)]))
  }

  private func split(_ range: Range<Int>, at separator: UInt8, most: Int = .max) -> [Range<Int>] {
    let bytes = target.utf8Span.span
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where bytes[index] == separator && parts.count < most {
      parts.append(start..<index)
      start = index + 1
    }
    parts.append(start..<range.upperBound)
    return parts
  }
}
