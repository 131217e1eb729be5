internal import Access
public import MicroHTTP
internal import Observability
public import Sessions

/// The HTTP API of Usher: routes a request to its operation, and turns what goes wrong into a problem.
public final class API: Handler {
  /// The paths that tell how the service is, and are to be answered however much else comes.
  public static let alwaysServed = Set(adminRoutes.filter { !$0.isRateLimited }.map(\.path))

  let sessions: SessionService
  let version: String
  let readiness: Readiness
  let registry: PrometheusRegistry
  let authenticator: Authenticator
  let trustedProxies: TrustedProxies
  let allowedHosts: AllowedHosts
  let rateLimiter: RateLimiter?
  let streamLimiter: StreamLimiter
  private let face: Face
  let origins: AllowedOrigins
  private let routes: [Route]
  private let files: [String: StaticFile]
  private let requestIDs = RequestIDs()
  private let metrics: RequestMetrics
  private let log: RequestLog
  #if DEBUG
    private let renderings = RenderingCheck()
  #endif

  public convenience init(sessions: SessionService, _ configuration: Configuration = Configuration()) {
    self.init(sessions: sessions, configuration, face: .service)
  }

  /// The part that an operator's machines read, for an address of its own.
  public static func admin(sessions: SessionService, _ configuration: Configuration) -> API {
    API(sessions: sessions, configuration, face: .admin)
  }

  init(sessions: SessionService, _ configuration: Configuration, face: Face) {
    self.face = face
    self.sessions = sessions
    version = configuration.version
    readiness = configuration.readiness
    registry = configuration.metrics
    authenticator = configuration.authenticator
    trustedProxies = configuration.trustedProxies
    // The console has a check of its own.
    allowedHosts = face == .console ? .all : configuration.allowedHosts
    origins = face == .service ? configuration.allowedOrigins : .none
    rateLimiter = face == .service ? configuration.rateLimit.map { RateLimiter($0) } : nil
    streamLimiter = StreamLimiter(configuration.streamsPerClient)
    routes = face.routes.filter { $0.path != "/metrics" || face == .admin || configuration.servesMetrics }
    files = configuration.files
    metrics = RequestMetrics(routes, configuration.metrics)
    log = RequestLog(
      logger: configuration.logger, hasAll: configuration.logsRequests, proxies: configuration.trustedProxies)
  }

  public func respond(to request: Request) async -> Response {
    var exchange = Exchange(request, requestIDs.id(for: request))
    let path = RequestPath(request.target)
    let method = request.method == .head ? .get : request.method
    var verdict: RateLimiter.Verdict?
    var response: Response
    do throws(Problem) {
      if let place = routes.firstIndex(where: { $0.method == method && path.matches($0) }) {
        let route = routes[place]
        (exchange.place, exchange.route) = (place, route.path)
        if !route.requires.isEmpty { try requireAllowedHost(request) }
        // An asynchronous call takes hundreds of instructions, even where there is nothing to wait for.
        let principal =
          rateLimiter == nil && !asksForToken(route)
          ? authenticator.anonymous : try await authenticate(request, for: route, counting: &verdict)
        exchange.principal = principal
        try verdict?.requireGrant()
        try require(route.requires, of: principal, request)
        response = try await route.operation(
          Call(api: self, request: request, path: path, route: route, principal: principal))
      } else {
        response = try answer(request, method, path)
      }
    } catch {
      if let cause = error.cause { log.failed(exchange, cause) }
      response = refused(error, exchange)
    }
    if let verdict { rateLimiter?.add(verdict, to: &response) }
    return finished(response, exchange)
  }

  public func refuse(_ refusal: Refusal, of request: Request) -> Response {
    response(to: request, Problem(refusal))
  }

  /// The answer to a request that no operation has seen.
  func response(to request: Request, _ problem: Problem) -> Response {
    let exchange = Exchange(request, requestIDs.id(for: request))
    return finished(refused(problem, exchange), exchange)
  }

  private func refused(_ problem: Problem, _ exchange: Exchange) -> Response {
    metrics.reject(problem.kind)
    return problem.response(to: exchange.request, exchange.requestID, sessions.apps, face)
  }

  /// Compares a view with the last one of the same revision, in debug builds.
  func check(_ snapshot: Snapshot) {
    #if DEBUG
      renderings.compare(snapshot, log.logger)
    #endif
  }

  /// What every answer has, and what is told of it.
  private func finished(_ response: Response, _ exchange: Exchange) -> Response {
    var response = response
    response.finish(exchange.requestID)
    origins.mark(&response, to: exchange.request)
    metrics.record(exchange, response.status)
    log.answered(exchange, response.status)
    return response
  }

  /// The answer where no route has the method and the path.
  private func answer(_ request: Request, _ method: Method, _ path: RequestPath) throws(Problem) -> Response {
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
      // A browser that comes again to where a refused form was shown.
      if method == .get, let id = path.sessionID(2), MediaType.prefersPage(request.header("Accept")) {
        return .seeOther(id.path)
      }
      throw .methodNotAllowed(allow)
    }
    return Response(status: 204, headers: [("Allow", allow)])
  }
}

extension Response {
  /// Adds what every response has. Nothing that depends on a session may be stored by a cache; what is static says so
  /// itself.
  fileprivate mutating func finish(_ requestID: String) {
    headers.append(("X-Request-Id", requestID))
    if !headers.contains(where: { $0.name.isSame(as: "Cache-Control") }) {
      headers.append(("Cache-Control", "no-store"))
    }
  }
}
