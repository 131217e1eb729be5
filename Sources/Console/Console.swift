internal import Access
public import HTTPAPI
internal import Languages
public import MicroHTTP
internal import Navigation
public import Sessions
internal import Values
internal import WebPages

/// The console: pages for engineers about every session and app. All that it changes is pending work after an error.
///
/// Only engineers should be able to reach the console's address, above all if the service requires no token.
public final class Console: Handler {
  private let api: API
  private let hosts: AllowedHosts

  /// - Parameters:
  ///   - host: the name or address that the console listens on. IP addresses and `localhost` are always allowed.
  ///   - configuration: as for ``API``. The console has no rate limit, allows no foreign origin and checks the host
  ///     itself.
  public init(sessions: SessionService, host: String, _ configuration: API.Configuration = API.Configuration()) {
    var configuration = configuration
    configuration.allowedHosts = .all
    configuration.allowedOrigins = .none
    configuration.rateLimit = nil
    api = API(sessions: sessions, configuration, routes: Self.routes, language: .english) { _, title, detail, status in
      .console(
        "consoleProblem",
        [
          "language": "en", "title": .text(title), "detail": .text(detail), "frame": .frame(sessions.apps),
        ], status: status)
    }
    hosts = AllowedHosts(onlyAt: host)
  }

  public func respond(to request: Request) async -> Response {
    guard hosts.allows(request.host ?? "") else {
      return api.refuse(
        request,
        Problem(.misdirected, "Open the console by an IP address, localhost or the name in --console."))
    }
    return await api.respond(to: request)
  }

  public func refuse(_ refusal: Refusal, of request: Request) -> Response { api.refuse(refusal, of: request) }

  static let routes: [Route] = [
    .home("/"),
    .page("/console", query: ["app", "screen", "status", "key", "before"], ConsoleOperations.sessions),
    .form("/console/find", ConsoleOperations.find),
    // A reload of the page of a failed search.
    .home("/console/find"),
    .home("/console/sessions"),
    .home("/console/apps"),
    .page("/console/sessions/{key}", query: ["revision"], ConsoleOperations.session),
    .form("/console/sessions/{key}/work/{id}/retry", ConsoleOperations.retryWork),
    .form("/console/sessions/{key}/work/{id}/give-up", ConsoleOperations.giveUpWork),
    .page("/console/apps/{app}", ConsoleOperations.app),
    .asset("/console.css", "text/css", PackageResources.console_css),
    .asset("/console.js", "text/javascript", PackageResources.console_js),
    .asset("/usher.css", "text/css", WebAssets.styleSheet),
    API.problemRoute,
  ]
}

extension Route {
  fileprivate static func page(_ path: String, query: [StaticString] = [], _ operation: @escaping Operation) -> Route {
    Route(.get, path, permissions: .operate, query: query, content: .mediaType("text/html"), operation)
  }

  /// Returns the route of a form, which redirects to a page.
  fileprivate static func form(_ path: String, _ operation: @escaping Operation) -> Route {
    Route(.post, path, permissions: .operate, body: .form, content: .fixed, operation)
  }

  /// Returns the route of a path that redirects to the list of sessions.
  fileprivate static func home(_ path: String) -> Route {
    Route(.get, path, permissions: .operate, content: .fixed) { _ in .response(.seeOther("/console")) }
  }
}

/// The operations of the console.
enum ConsoleOperations {
  /// `GET /console`: lists the sessions, newest first.
  static let sessions = Route.later { call in
    let filter = try SessionFilter(call)
    let page = SessionListPage(
      apps: call.api.sessions.apps, faults: call.api.sessions.registry.faults, filter: filter)
    guard let prefix = filter.key else {
      let found = try await call.api.sessions.search(filter.search, limit: SessionListPage.size)
      return page.response(found.sessions, of: found)
    }
    return page.response(try await call.api.sessions.sessions(prefix, limit: 100))
  }

  /// `POST /console/find`: redirects to the session with an id, or to the sessions with a key prefix. `GET` would show
  /// the id in the address bar.
  static let find = Route.later { call in
    let text = (call.form?["session"] ?? "").filter { !$0.isWhitespace }
    if let prefix = SessionKeyPrefix(text) { return .seeOther("/console?key=\(prefix.digits)") }
    // Engineers paste URLs of a session, of an action or of this console, with or without a query.
    for part in text.split(whereSeparator: { "/?#".contains($0) }) {
      let key = SessionID(String(part)).map { SessionKey($0) } ?? SessionKey(hexadecimal: String(part))
      if let key { return .seeOther(address(of: key)) }
    }
    throw Problem.invalidRequest(
      "The text contains neither a session id of 22 characters nor 8 to 64 hexadecimal digits of a session key.")
  }

  /// `GET /console/sessions/{key}`: shows a session at its latest revision, or at the query parameter `revision`.
  static let session = Route.later { call in
    let revision = try SeenRevision(query: call[query: "revision"], header: nil).revision
    let (key, sessions) = (try key(of: call), call.api.sessions)
    do throws(SessionError) {
      let summary = try await sessions.summary(key)
      let work = revision == nil ? try await sessions.work(of: key) : []
      let tag = InspectionPage.etag(of: summary, work, at: revision, sessions)
      // Open pages poll, and a 304 spares the history and the pictures.
      if call.isKnown(tag) { return Response(status: 304, headers: [("ETag", tag)]) }
      let inspection = sessions.inspect(summary, at: revision)
      return InspectionPage(inspection: inspection, statuses: work, asked: revision, etag: tag, apps: sessions.apps)
        .response
    } catch .unknownSession {
      throw unknownKey
    }
  }

  private static func key(of call: Call) throws -> SessionKey {
    guard let key = SessionKey(hexadecimal: try call.parameter("key")) else { throw unknownKey }
    return key
  }

  /// `POST /console/sessions/{key}/work/{id}/retry`: tries work again that waits after an error.
  static let retryWork = Route.later { call in
    try await decide(call, "work retried") { try await call.api.sessions.retry($0, of: $1) }
  }

  /// `POST /console/sessions/{key}/work/{id}/give-up`: gives work up that waits after an error.
  static let giveUpWork = Route.later { call in
    try await decide(call, "work given up") { try await call.api.sessions.giveUp($0, of: $1) }
  }

  private static func decide(
    _ call: Call, _ event: String, _ decision: (WorkID, SessionKey) async throws -> Bool
  ) async throws -> Response {
    let key = try key(of: call)
    guard let id = UInt32(try call.parameter("id")), try await decision(WorkID(id), key) else {
      throw Problem(.actionUnavailable, "No work of this id waits after an error. It may have gone on in the meantime.")
    }
    call.api.log(event, by: call, ["session": "\(key.short)", "work": "\(id)"])
    return .seeOther(address(of: key))
  }

  private static let unknownKey = Problem(.unknownSession, "No session has this key.")

  static func address(of key: SessionKey) -> String { "/console/sessions/\(key.hexadecimal)" }

  /// `GET /console/apps/{app}`: shows the declarations of an app, and the steps of its sessions.
  static let app = Route.later { call in
    guard let app = call.api.sessions.app(named: try call.parameter("app")) else { throw Problem.notFound }
    let sessions = call.api.sessions
    let observed = try await sessions.observedSteps(of: app.name)
    let source = sessions.registry.current(app.name)?.source
    let definitions = source == nil ? [] : try await sessions.definitions().filter { $0.app == app.name }
    return AppOutlinePage(
      app: app, observed: observed, apps: sessions.apps, source: source, definitions: definitions,
      start: call.api.startAddress(of: app)
    ).response
  }
}
