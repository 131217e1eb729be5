public import Access
package import Languages
public import Logging
public import MicroHTTP
package import Navigation
public import Observability
public import Sessions
internal import WebPages

/// The HTTP API: passes each request through the middleware to the operation of its route, and turns errors into
/// problems.
public final class API: Handler {
  /// The paths that report the state of the service. The server admits requests for them even when it sheds load.
  public static let alwaysServed = Set(adminRoutes.filter { !$0.isRateLimited }.map(\.path))

  package let sessions: SessionService
  let configuration: Configuration
  let streamLimiter: StreamLimiter
  package let waiters: WaiterLimiter
  private let router: Router
  private let requestIDs = RequestIDs()
  private let rateLimiter: RateLimiter?
  private let requestMetrics: RequestMetrics
  /// The principal of a request without a token.
  let anonymous: Principal
  private let problemPage: ProblemPageRenderer
  /// The language of every problem; nil for that of the session or the request.
  private let language: ServiceLanguage?
  private let renderingCheck: RenderingCheck

  /// Renders the page of a problem that concerns no session and no form.
  package typealias ProblemPageRenderer =
    @Sendable (
      _ language: ServiceLanguage, _ title: String, _ detail: String, _ status: Int
    ) -> Response

  /// Creates the API of the service.
  public convenience init(sessions: SessionService, _ configuration: Configuration = Configuration()) {
    let routes = Self.routes.filter { $0.path != "/metrics" || configuration.servesMetrics }
    self.init(sessions: sessions, configuration, routes: routes)
  }

  /// Creates the API of the admin port, for load balancers, orchestrators and monitoring, without a rate limit and
  /// without foreign origins.
  public static func admin(sessions: SessionService, _ configuration: Configuration) -> API {
    var configuration = configuration
    configuration.allowedOrigins = .none
    configuration.rateLimit = nil
    return API(sessions: sessions, configuration, routes: adminRoutes)
  }

  package init(
    sessions: SessionService, _ configuration: Configuration, routes: [Route],
    language: ServiceLanguage? = nil, problemPage: @escaping ProblemPageRenderer = API.problemPage
  ) {
    self.language = language
    self.sessions = sessions
    self.configuration = configuration
    streamLimiter = StreamLimiter(configuration.streamsPerClient)
    waiters = WaiterLimiter(configuration.waiters)
    router = Router(routes: routes, files: configuration.files)
    self.problemPage = problemPage
    anonymous = configuration.authenticator.anonymous
    rateLimiter = configuration.rateLimit.map { RateLimiter($0) }
    requestMetrics = RequestMetrics(routes, configuration.metrics)
    renderingCheck = RenderingCheck(configuration.logger)
  }

  public func respond(to request: Request) async -> Response { await reply(to: request).response }

  /// Passes the call of a request through the chain, and begins the operation of its route.
  public func reply(to request: Request) -> Reply {
    var call = Call(request, self, requestID: requestIDs.id(for: request), router)
    do {
      try admit(&call)
      guard let route = call.route else {
        return .response(completed(try router.respond(to: call.request, call.path), call))
      }
      try call.decode(route)
      switch try StepTrace.with(call.trace, { try route.begin(call) }) {
      case .response(let response): return .response(completed(response, call))
      // The cases are named one by one: one case for all would bind the whole outcome, and copy its response.
      case .later(let work): return PendingCall(call).reply(with: .later(work))
      case .waiting(let work): return PendingCall(call).reply(with: .waiting(work))
      case .callback(let begin): return PendingCall(call).reply(with: .callback(begin))
      }
    } catch {
      return .response(refused(call, call.problem(error)))
    }
  }

  /// A call whose operation waits; an object, because several closures in turn hold the call.
  private final class PendingCall: Sendable {
    private let call: Call

    init(_ call: Call) { self.call = call }

    func reply(with outcome: consuming Route.Outcome) -> Reply {
      // Consumed, because the middleware would otherwise copy the headers of the response.
      switch consume outcome {
      case .response(let response): .response(call.api.completed(response, call))
      case .later(let work): .later { [self] in await reply(after: work) }
      case .waiting(let work):
        .waiting { [self] in
          var call = call
          call.isWaiting = true
          return await PendingCall(call).reply { .response(try await work()) }.response
        }
      case .callback(let begin):
        .callback { [self] resume in begin { rest in resume { [self] in reply(after: rest) } } }
      }
    }

    private func reply(after rest: () throws -> Route.Outcome) -> Reply {
      do {
        return reply(with: try StepTrace.with(call.trace, rest))
      } catch {
        return .response(call.api.refused(call, call.problem(error)))
      }
    }

    private func reply(after work: () async throws -> Route.Outcome) async -> Reply {
      do {
        return reply(with: try await StepTrace.with(call.trace, work))
      } catch {
        return .response(call.api.refused(call, call.problem(error)))
      }
    }
  }

  public func refuse(_ refusal: Refusal, of request: Request) -> Response { refuse(request, Problem(refusal)) }

  /// Creates the response to a request that reaches no operation.
  package func refuse(_ request: Request, _ problem: Problem) -> Response {
    refused(Call(request, self, requestID: requestIDs.id(for: request)), problem)
  }

  /// Returns the response that describes the problem of a call.
  private func refused(_ call: consuming Call, _ problem: Problem) -> Response {
    var problem = problem
    problem.language = language ?? problem.language
    call.problem = problem
    let response = problem.response(
      to: call.request, call.requestID, sessions.apps, at: sessions.now, page: problemPage)
    return completed(response, call)
  }

  /// Runs the request middleware, which prepares a call or refuses it.
  private func admit(_ call: inout Call) throws(Problem) {
    // Without tokens, every principal has all permissions.
    let verifiesTokens = configuration.authenticator.verifiesTokens
    if verifiesTokens { call.authenticate() }
    try call.requireAllowedHosts()
    try rateLimiter?.count(&call)
    if verifiesTokens { try call.requirePermissions() }
    try call.requireSameSite()
  }

  /// Runs the response middleware, also for the responses of refused calls.
  private func completed(_ response: consuming Response, _ call: Call) -> Response {
    rateLimiter?.describe(call, in: &response)
    call.shareWithOrigins(&response)
    response.forbidStorage()
    response.headers.append(("X-Request-Id", call.requestID))
    requestMetrics.record(call, response.status)
    call.log(response.status)
    return response
  }

  /// Logs the decision of an operator, with the principal.
  package func log(_ decision: String, by call: Call, _ details: [String: String]) {
    var metadata: Logger.Metadata = details.mapValues { "\($0)" }
    metadata["principal"] = call.principal?.name.map { "\($0)" }
    configuration.logger.notice("\(decision)", metadata: metadata)
  }

  /// Returns the address at which a browser starts a session of an app; nil without a public URL.
  package func startAddress(of app: AppDefinition) -> String? { configuration.publicURL.map { $0 + app.startPath } }

  /// Compares a view with an earlier one of the same revision, in debug builds.
  func check(_ snapshot: Snapshot) {
    #if DEBUG
      renderingCheck.compare(snapshot)
    #endif
  }

  /// The configuration of an API, except its session service.
  public struct Configuration: Sendable {
    /// The version of the service, which the entry point shows.
    public var version = ""
    /// Static files by path, which starts with a slash. A route takes precedence over a file.
    public var files: [String: StaticFile] = [:]
    /// The logger of service failures and, with ``logsRequests``, of every request; by default, one that discards
    /// everything.
    public var logger = Logger(label: "usher") { _ in SwiftLogNoOpLogHandler() }
    public var logsRequests = false
    /// The registry that counts requests.
    public var metrics = PrometheusRegistry()
    /// Whether this API serves `/metrics`. An admin port may serve it instead.
    public var servesMetrics = true
    public var readiness = Readiness()
    public var authenticator = Authenticator.open
    public var trustedProxies = TrustedProxies.none
    /// The foreign origins whose pages may use the service. The console and the operator's port allow none.
    public var allowedOrigins = AllowedOrigins.none
    /// The names by which clients may reach the service. A service that requires a token needs no check, because a page
    /// of another site has no token.
    public var allowedHosts = AllowedHosts.local
    /// The scheme and host by which others reach the service, such as `https://app.example.com`; nil for those of each
    /// request. The console, whose own address is another one, then names no address.
    public var publicURL: String?
    /// The rate limit of the service; none by default.
    public var rateLimit: RateLimit?
    /// The maximum number of open event streams of each client.
    public var streamsPerClient = 256
    /// The maximum number of requests that wait for effects. Further ones are answered at once.
    public var waiters = 1024
    /// The senders of signals that must be signed.
    public var signalSenders = SignalSenders.none

    public init() {}
  }
}
