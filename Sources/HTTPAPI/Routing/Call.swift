internal import Access
internal import Languages
package import MicroHTTP
internal import Navigation
package import Sessions
internal import Values

/// A request on its way through the middleware to its operation, with its route, its principal and its decoded input.
package struct Call: Sendable {
  /// The name of a missing route in the log and the metrics.
  static let unrouted = "none"

  package let api: API
  package let request: Request
  let requestID: String
  let start = ContinuousClock.now
  let path: RequestPath
  /// The index of the route in the table; nil if no route matches.
  let routeIndex: Int?
  let route: Route?

  /// The principal of the request; nil if its credential is invalid.
  var principal: Principal?
  var credentialProblem: Problem?
  /// The decision of the rate limiter; nil if the call does not count.
  var rateLimitVerdict: RateLimiter.Verdict?
  /// Whether the client asked for the time that the response took.
  var isWaiting = false
  /// The problem in the response; nil if the call succeeds.
  var problem: Problem?

  /// The representation that the client prefers among those of the route.
  package private(set) var representation = Representation.json
  /// The decoded query parameters. An array is enough, because they are few.
  private var query: [(name: String, value: String)] = []
  private(set) var body = Body.none

  /// The body of a request, as its route accepts it.
  enum Body: Sendable {
    case none
    case json(Value)
    case form(FormInput)
  }

  /// - Parameter router: finds the route; nil for a request that is refused before it is routed.
  init(_ request: Request, _ api: API, requestID: String, _ router: Router? = nil) {
    self.request = request
    self.api = api
    self.requestID = requestID
    path = RequestPath(request.target)
    principal = api.anonymous
    routeIndex = router?.index(request.method, path)
    route = routeIndex.flatMap { router?.routes[$0] }
  }

  /// The owner of sessions that the request may use, and of a session that it creates.
  package var owner: SessionOwner? { principal?.name.map { SessionOwner(name: $0) } }

  /// The principal for the code of apps; nil for an anonymous one.
  var sessionPrincipal: SessionPrincipal? {
    guard let principal, let subject = principal.subject else { return nil }
    let expiry = principal.expiry.map { Timestamp(milliseconds: Int64(clamping: Int(max(0, min($0, 1e12)) * 1000))) }
    return SessionPrincipal(subject: subject, claims: principal.claims, expiresAt: expiry)
  }

  /// Checks the request against the contract of its route, and decodes it.
  mutating func decode(_ route: Route) throws(Problem) {
    let accept = request.header("Accept")
    switch route.content {
    case .representations(let offered): representation = try MediaType.representation(accept, among: offered)
    case .mediaType(let type): try MediaType.requireAcceptable(accept, type)
    case .fixed: break
    }
    if !route.takesAnyQuery { try decodeQuery(route.query) }
    try decodeBody(route.body)
  }

  private mutating func decodeQuery(_ allowed: [StaticString]) throws(Problem) {
    for (name, value) in try path.queryItems() {
      guard allowed.contains(where: { $0.isSame(as: name) }) else {
        throw .invalidRequest(.queryUnknown, ["name": .text(name)])
      }
      guard self[query: name] == nil else { throw .invalidRequest(.queryTwice, ["name": .text(name)]) }
      query.append((name, value))
    }
  }

  private mutating func decodeBody(_ accepted: Route.Body) throws(Problem) {
    guard accepted != .none else { return }
    try MediaType.requireNoCoding(request.header("Content-Encoding"))
    let type = request.header("Content-Type")
    if MediaType.isForm(type) {
      // By default, curl labels a JSON body as a form.
      guard request.body.first != UInt8(ascii: "{") else {
        throw Problem(.unsupportedMediaType, .formLooksLikeJSON)
      }
      let form = try FormInput(request.body)
      guard accepted != .empty || form.isEmpty else {
        throw .invalidRequest(.formNotExpected)
      }
      body = .form(form)
    } else {
      body = .json(try decodeJSON(type, accepted))
    }
  }

  private func decodeJSON(_ type: String?, _ accepted: Route.Body) throws(Problem) -> Value {
    guard accepted != .form else { throw Problem(.unsupportedMediaType, .formExpected) }
    if request.body.isEmpty { return .emptyObject }
    try MediaType.requireJSON(type)
    let value: Value
    do throws(JSONError) {
      value = try JSONParser.parse(request.body)
    } catch {
      throw Problem(.invalidJSON, "\(error)")
    }
    let members: [String]
    switch accepted {
    case .object(let allowed): members = allowed
    case .empty: members = []
    case .none, .value, .form: return value
    }
    guard value.kind == .map else { throw .invalidRequest(.bodyNotObject) }
    for member in value.members where !members.contains(where: { $0.utf8.elementsEqual(member.key.utf8) }) {
      throw .invalidRequest(.memberUnknown, ["name": .text(member.key)])
    }
    return value
  }

  /// Returns the value of a query parameter; nil if it is absent.
  package subscript(query name: String) -> String? { query.first { $0.name == name }?.value }

  /// The form that the request submits; nil for any other body.
  package var form: FormInput? { if case .form(let form) = body { form } else { nil } }

  /// The JSON body; an empty object if there is none.
  var json: Value { if case .json(let value) = body { value } else { .emptyObject } }

  /// Returns the JSON body of an operation that takes no form.
  func jsonAlone() throws(Problem) -> Value {
    guard form == nil else { throw Problem(.unsupportedMediaType, .inputAsJSON) }
    return json
  }

  /// Returns the decoded path segment of a placeholder of the route.
  package func parameter(_ name: StaticString) throws(Problem) -> String {
    guard let route else { throw .notFound }
    for index in route.segments.indices {
      guard case .parameter(let bytes) = route.segments[index], name.isSame(as: bytes.span) else { continue }
      guard let text = path.segment(index) else { throw .invalidRequest(.pathEncoding) }
      return text
    }
    throw .internalError("The route \(route.path) has no placeholder \(name).")
  }

  /// Returns the id of the session in the path. Throws the same problem for a malformed id as for an unknown session.
  func sessionID() throws(Problem) -> SessionID {
    // The id is the third segment of every path that has one. A client may percent-encode the id needlessly.
    if let id = path.sessionID(2) { return id }
    guard let id = SessionID(try parameter("id")) else { throw .unknownSession }
    return id
  }

  /// Returns the pages of the lists that the request asks for.
  func listPages() throws(Problem) -> ListPages? {
    guard let text = self[query: "rows"] else { return nil }
    guard let pages = ListPages(text) else {
      throw .invalidRequest(.rowsMalformed)
    }
    return pages
  }

  /// Returns the current snapshot of the session in the path.
  func snapshot() async throws -> Snapshot { try await api.sessions.snapshot(try sessionID(), by: owner) }

  /// The address of the client.
  var clientAddress: IPAddress? { api.configuration.trustedProxies.client(of: request) }

  /// The host by which the client reached the service, with its port if there is one.
  var host: String? { api.configuration.trustedProxies.host(of: request) }

  /// The scheme and host by which the client reached the service, for links that work on other devices.
  ///
  /// A trusted proxy forwards both. Otherwise the scheme is `http`, because the service itself does not speak TLS. The
  /// origin is empty if the request names no host, and a link is then a path.
  var origin: String {
    let scheme = api.configuration.trustedProxies.scheme(of: request) ?? "http"
    return host.flatMap { Origin(scheme: scheme, authority: $0) }?.description ?? ""
  }

  /// The scheme and host of addresses that people pass on: the public ones of the service, or else those of the request.
  var publicOrigin: String { api.configuration.publicURL ?? origin }

  /// Converts an error of an operation to the problem in the response.
  package func problem(_ error: any Error) -> Problem {
    switch error {
    case let problem as Problem: problem
    case let error as SessionError:
      Problem(error, isPrecondition: (try? seenRevision())?.isFromHeader ?? false)
    default: .internalError("\(error)")
    }
  }
}
