internal import Access
public import HTTPAPI
public import MicroHTTP
public import Sessions
internal import WebPages

/// The console: read-only pages for engineers about every session and app.
///
/// The console belongs on an address that only engineers reach, above all if the service requires no token.
public final class Console: Handler {
  private let api: API
  private let hosts: AllowedHosts

  /// - Parameters:
  ///   - host: the name or address that the console listens on. IP addresses and `localhost` are always allowed.
  ///   - configuration: as for ``API``. The console has no rate limit, allows no foreign origin and checks the host itself.
  public init(sessions: SessionService, host: String, _ configuration: API.Configuration = API.Configuration()) {
    var configuration = configuration
    configuration.allowedHosts = .all
    configuration.allowedOrigins = .none
    configuration.rateLimit = nil
    let apps = sessions.apps
    api = API(sessions: sessions, configuration, routes: Self.routes) { title, detail, status in
      .console(
        "consoleProblem",
        [
          "language": "en", "title": .text(title), "detail": .text(detail), "frame": .frame(apps, at: .elsewhere),
        ], status: status)
    }
    hosts = AllowedHosts(onlyAt: host)
  }

  public func respond(to request: Request) async -> Response {
    guard hosts.allows(request.host ?? "") else {
      return api.refuse(
        request,
        Problem(.misdirected, "The console is reached by an IP address, localhost or the name that --console gives."))
    }
    return await api.respond(to: request)
  }

  public func refuse(_ refusal: Refusal, of request: Request) -> Response { api.refuse(refusal, of: request) }

  static let routes: [Route] = [
    Route(.get, "/", permissions: .operate, content: .fixed, ConsoleOperations.home),
    Route(
      .get, "/console", permissions: .operate, query: ["app", "screen", "status", "key", "before"], content: page,
      ConsoleOperations.sessions),
    Route(.post, "/console/find", permissions: .operate, body: .form, content: .fixed, ConsoleOperations.find),
    // A browser that reloads the page of a failed search.
    Route(.get, "/console/find", permissions: .operate, content: .fixed, ConsoleOperations.home),
    Route(.get, "/console/sessions", permissions: .operate, content: .fixed, ConsoleOperations.home),
    Route(.get, "/console/apps", permissions: .operate, content: .fixed, ConsoleOperations.home),
    Route(
      .get, "/console/sessions/{key}", permissions: .operate, query: ["revision"], content: page,
      ConsoleOperations.session),
    Route(.get, "/console/apps/{app}", permissions: .operate, content: page, ConsoleOperations.app),
    Route(.get, "/console.css", permissions: [], content: .mediaType("text/css"), ConsoleOperations.styleSheet),
    Route(.get, "/console.js", permissions: [], content: .mediaType("text/javascript"), ConsoleOperations.script),
    Route(
      .get, "/usher.css", permissions: [], content: .mediaType("text/css"), ConsoleOperations.pageStyleSheet),
    API.problemRoute,
  ]

  private static let page = Route.Content.mediaType("text/html")
}
