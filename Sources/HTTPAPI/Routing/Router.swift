internal import Languages
internal import MicroHTTP
internal import Sessions
internal import Values
internal import WebPages

/// Finds the route of a request, and responds to requests without a route.
struct Router: Sendable {
  let routes: [Route]
  /// The static files beside the routes, by path.
  let files: [String: StaticFile]

  /// Returns the index of the route with this method and path. `HEAD` has the route of `GET`.
  func index(_ method: Method, _ path: borrowing RequestPath) -> Int? {
    let method = method == .head ? .get : method
    for index in routes.indices where routes[index].method == method && path.matches(routes[index]) { return index }
    return nil
  }

  /// Responds to a request without a route: with a static file, with the allowed methods, or with a problem.
  func respond(to request: Request, _ path: RequestPath) throws(Problem) -> Response {
    let method = request.method == .head ? .get : request.method
    var allowed = routes.filter { path.matches($0) }.map(\.method)
    if allowed.isEmpty, let file = files[String(request.target.prefix { $0 != "?" })] {
      if method == .get { return file.response }
      allowed = [.get]
    }
    if request.method == .options, request.target == "*" {
      return Response(status: 204, headers: [("Allow", "GET, HEAD, POST, DELETE, OPTIONS")])
    }
    guard !allowed.isEmpty else { throw .notFound }
    let names = allowed.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.name] } + ["OPTIONS"]
    let allow = names.joined(separator: ", ")
    guard request.method == .options else {
      // A reload of the page with a refused form requests the path of the form's action.
      if method == .get, let id = path.sessionID(2), MediaType.prefersPage(request.header("Accept")) {
        return .seeOther(id.path)
      }
      throw Problem(.methodNotAllowed, .allowedMethods, ["methods": .text(allow)]).adding(header: "Allow", allow)
    }
    return Response(status: 204, headers: [("Allow", allow)])
  }
}

/// The path and query of a request target (RFC 9112, section 3.2.1). The path is split before its segments are
/// percent-decoded, so that an encoded slash belongs to its segment.
struct RequestPath {
  private let target: String
  /// The ranges of the encoded segments in the target's UTF-8.
  private var bounds = InlineArray<7, Range<Int>>(repeating: 0..<0)
  /// The number of segments, which may exceed that of ``bounds``. No route names as many.
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

  /// Returns whether the path matches the route.
  func matches(_ route: Route) -> Bool {
    guard count == route.segments.count || route.takesRest && count > route.segments.count else { return false }
    let bytes = target.utf8Span.span
    for index in route.segments.indices {
      switch route.segments[index] {
      case .literal(let literal):
        guard bytes.extracting(bounds[index]).hasSameBytes(as: literal.span) else { return false }
      case .parameter: guard !bounds[index].isEmpty else { return false }
      case .rest: return true
      }
    }
    return true
  }

  /// Returns the decoded segment; nil if its encoding is broken.
  func segment(_ index: Int) -> String? { decoded(bounds[index]) }

  /// Returns the session id in a segment without percent-encoding; nil for any other text.
  func sessionID(_ index: Int) -> SessionID? { SessionID(utf8: target.utf8Span.span.extracting(bounds[index])) }

  /// Returns the segments from one on, still percent-encoded and each with its slash; empty without the first of them.
  func rest(from index: Int) -> Substring {
    guard index < count, bounds.indices.contains(index) else { return "" }
    return Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") }.dropFirst(bounds[index].lowerBound - 1))
  }

  /// The query, still percent-encoded.
  var encodedQuery: Substring { Substring(target.utf8.dropFirst(query.lowerBound)) }

  /// Returns the decoded parameters of the query, in their order.
  func queryItems() throws(Problem) -> [(name: String, value: String)] {
    guard !query.isEmpty else { return [] }
    var items: [(name: String, value: String)] = []
    for pair in split(query, at: UInt8(ascii: "&")) where !pair.isEmpty {
      let sides = split(pair, at: UInt8(ascii: "="), maxSplits: 1)
      guard let name = decoded(sides[0]), let value = sides.count > 1 ? decoded(sides[1]) : "" else {
        throw .invalidRequest(.queryEncoding)
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

  private func split(_ range: Range<Int>, at separator: UInt8, maxSplits: Int = .max) -> [Range<Int>] {
    let bytes = target.utf8Span.span
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where bytes[index] == separator && parts.count < maxSplits {
      parts.append(start..<index)
      start = index + 1
    }
    parts.append(start..<range.upperBound)
    return parts
  }
}

/// Comparison by bytes: strings that are canonically equivalent in Unicode are different names in HTTP.
extension StaticString {
  func isSame(as text: String) -> Bool { isSame(as: text.utf8Span.span) }

  func isSame(as other: Span<UInt8>) -> Bool {
    guard utf8CodeUnitCount == other.count else { return false }
    for index in other.indices where utf8Start[index] != other[index] { return false }
    return true
  }

  func isSame(as other: StaticString) -> Bool {
    guard utf8CodeUnitCount == other.utf8CodeUnitCount else { return false }
    for index in 0..<utf8CodeUnitCount where utf8Start[index] != other.utf8Start[index] { return false }
    return true
  }
}
