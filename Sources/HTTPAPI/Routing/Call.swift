internal import Access
internal import MicroHTTP
internal import Sessions
internal import Values

/// One request on its way through an operation.
struct Call: ~Copyable {
  let api: API
  let request: Request
  let path: RequestPath
  let route: Route
  let principal: Principal

  /// Whose sessions the request may use, and whom one that it makes belongs to.
  var owner: SessionOwner? { principal.name.map { SessionOwner(name: $0) } }

  /// The text at the place of this placeholder of the route.
  func parameter(_ name: StaticString) throws(Problem) -> String {
    for place in route.segments.indices {
      guard case .parameter(let bytes) = route.segments[place], name.isSame(as: bytes.span) else { continue }
      guard let text = path.segment(place) else { throw .invalidRequest("The path has broken percent-encoding.") }
      return text
    }
    throw .internalError("The route \(route.path) has no placeholder \(name).")
  }

  /// The session that the path names. A text that is no id is as unknown as an id that nobody has.
  func sessionID() throws(Problem) -> SessionID {
    // It is the third segment of every path that has one. No character of it needs to be percent-encoded, but each may be.
    if let id = path.sessionID(2) { return id }
    guard let id = SessionID(try parameter("id")) else { throw .unknownSession }
    return id
  }

  /// The session that the path names, as it is.
  func snapshot() async throws(Problem) -> Snapshot {
    let id = try sessionID()
    do throws(SessionError) {
      return try await api.sessions.snapshot(id, by: owner)
    } catch {
      throw Problem(error)
    }
  }

  /// The only parameters of the query that this operation takes, by name.
  func query(_ allowed: StaticString...) throws(Problem) -> Query {
    var query = Query()
    for (name, value) in try path.queryItems() {
      guard allowed.contains(where: { $0.isSame(as: name) }) else {
        throw .invalidRequest("The query parameter \(name) is unknown here.")
      }
      guard query[name] == nil else { throw .invalidRequest("The query parameter \(name) stands twice.") }
      query.items.append((name, value))
    }
    return query
  }

  /// The body as JSON; an empty one is `{}`.
  func body() throws(Problem) -> Value {
    let type = request.header("Content-Type")
    // What any page may send without being asked; JSON it may not.
    if type == nil || request.body.isEmpty && !MediaType.isJSON(type) { try requireOwnSite(orAllowedOrigin: true) }
    if request.body.isEmpty { return .emptyObject }
    try MediaType.requireJSON(type)
    do throws(JSONError) {
      return try JSONParser.parse(request.body)
    } catch {
      throw .invalidJSON("\(error)")
    }
  }

  /// The body as an object whose members are among these.
  func object(_ allowed: StaticString...) throws(Problem) -> Value {
    let body = try body()
    guard body.kind == .map else { throw .invalidRequest("The body is not an object.") }
    for member in body.members where !allowed.contains(where: { $0.isSame(as: member.key) }) {
      throw .invalidRequest("The member \(member.key) is unknown here.")
    }
    return body
  }

  /// The representation that the client wants.
  func representation(
    among offered: [Representation] = Representation.allCases
  ) throws(Problem) -> Representation {
    try MediaType.representation(request.header("Accept"), among: offered)
  }

  /// What a form sent; nil for any other body.
  func form() throws(Problem) -> FormInput? {
    guard MediaType.isForm(request.header("Content-Type")) else { return nil }
    try requireOwnSite()
    // What curl calls JSON unless it is told.
    guard request.body.first != UInt8(ascii: "{") else {
      throw .unsupportedMediaType("The body looks like JSON but is called a form; send Content-Type: application/json.")
    }
    return try FormInput(request.body)
  }

  /// For operations that take no input: an empty body, form or `{}`.
  func requireNoMembers() throws(Problem) {
    guard let form = try form() else { return _ = try object() }
    guard form.isEmpty else { throw .invalidRequest("The form has fields, which are unknown here.") }
  }

  /// The revision that the client saw: `?revision=` or `If-Match` (design: api, "Revisions").
  func seenRevision() throws(Problem) -> SeenRevision {
    let inQuery = try query("revision")["revision"]
    let header = request.header("If-Match")
    if inQuery == nil, header == nil { return SeenRevision(revision: nil, isFromHeader: false) }
    return try SeenRevision(query: inQuery, header: header)
  }

  /// The revision that `If-Match` names, for an operation that takes none in its query; nil for any.
  func matchingRevision() throws(Problem) -> UInt64? {
    try SeenRevision(query: nil, header: request.header("If-Match")).revision
  }

  /// Whether the client has what this entity tag stands for: `If-None-Match` names it, by the weak comparison (RFC 9110, section
  /// 13.1.2).
  func isKnown(_ etag: @autoclosure () -> String) -> Bool {
    guard let header = request.header("If-None-Match") else { return false }
    let etag = etag()
    return header == "*"
      || header.utf8.split(separator: UInt8(ascii: ",")).contains { tag in
        let tag = tag.drop(while: MediaType.isBlank)
        let opaque = tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
        return opaque.prefix { !MediaType.isBlank($0) }.elementsEqual(etag.utf8)
      }
  }

  /// The `Idempotency-Key`, with what it stands for. The revision is no part of that: by the query or by `If-Match`, the
  /// key is looked at before it.
  func idempotency() throws(Problem) -> Idempotency? {
    guard let header = request.header("Idempotency-Key") else { return nil }
    let key = try IdempotencyKey.parse(header)
    let path = request.target.utf8.prefix { $0 != UInt8(ascii: "?") }
    return Idempotency(key: key, request: [Array(request.method.name.utf8), Array(path), request.body])
  }
}

/// The parameters of a query, decoded; there are few.
struct Query {
  fileprivate var items: [(name: String, value: String)] = []

  subscript(name: String) -> String? { items.first { $0.name == name }?.value }
}

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
