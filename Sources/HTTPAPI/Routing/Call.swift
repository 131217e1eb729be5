internal import MicroHTTP
internal import Sessions
internal import Values

/// One request on its way through an operation.
struct Call: ~Copyable {
  let api: API
  let request: Request
  let path: RequestPath

  /// The text of the placeholder at this place of the path.
  func parameter(_ place: Int) throws(Problem) -> String {
    guard let text = path.segment(place) else { throw .invalidRequest("The path has broken percent-encoding.") }
    return text
  }

  /// The session that the path names. A text that is no id is as unknown as an id that nobody has.
  func sessionID() throws(Problem) -> SessionID {
    guard let id = SessionID(try parameter(2)) else { throw .unknownSession }
    return id
  }

  /// The only parameters of the query that this operation takes, by name.
  func query(_ allowed: StaticString...) throws(Problem) -> [String: String] {
    var found: [String: String] = [:]
    for (name, value) in try path.queryItems() {
      guard allowed.contains(where: { "\($0)" == name }) else {
        throw .invalidRequest("The query parameter \(name) is unknown here.")
      }
      guard found.updateValue(value, forKey: name) == nil else {
        throw .invalidRequest("The query parameter \(name) stands twice.")
      }
    }
    return found
  }

  /// The body as JSON; an empty one is `{}`.
  func body() throws(Problem) -> Value {
    if request.body.isEmpty { return .emptyObject }
    try MediaType.requireJSON(request.header("Content-Type"))
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
    for member in body.members where !allowed.contains(where: { "\($0)" == member.key }) {
      throw .invalidRequest("The member \(member.key) is unknown here.")
    }
    return body
  }

  /// The revision that the client saw: `?revision=` or `If-Match` (design: api, "Revisions").
  func seenRevision() throws(Problem) -> SeenRevision {
    let inQuery = try query("revision")["revision"]
    let header = request.header("If-Match")
    if inQuery == nil, header == nil { return SeenRevision(revision: nil, isFromHeader: false) }
    return try SeenRevision(query: inQuery, header: header)
  }

  /// The `Idempotency-Key`, with what it stands for.
  func idempotency() throws(Problem) -> Idempotency? {
    guard let header = request.header("Idempotency-Key") else { return nil }
    let key = try IdempotencyKey.parse(header)
    return Idempotency(key: key, request: [Array(request.method.name.utf8), Array(request.target.utf8), request.body])
  }
}
