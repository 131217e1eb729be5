internal import Access
internal import MicroHTTP
internal import WebPages

extension API {
  /// The resources of the service.
  static let routes: [Route] =
    [
      .intent("/v1/sessions/{id}/actions/{action}", body: .value, Operations.act),
      Route(.get, "/v1/sessions/{id}", query: ["rows"], content: .anyView, Operations.view),
      Route(
        .post, "/v1/sessions", permissions: .create,
        body: .object(["app", "input", "link", "locale", "timeZone", "ttl"]), content: .anyView, Operations.create),
      Route(.delete, "/v1/sessions/{id}", content: .fixed, Operations.delete),
      .intent("/v1/sessions/{id}/answers", body: .value, Operations.answer),
      .intent("/v1/sessions/{id}/back", Operations.back),
      .intent("/v1/sessions/{id}/dismiss", Operations.dismiss),
      .intent("/v1/sessions/{id}/tabs/{tab}", Operations.selectTab),
      .intent("/v1/sessions/{id}/reload/{property}", Operations.reload),
      Route(
        .post, "/v1/sessions/{id}/retry/{event}", body: .empty, content: .anyView, Operations.retry),
      Route(.post, "/v1/sessions/{id}/extend", body: .empty, content: .anyView, Operations.extend),
      .intent("/v1/sessions/{id}/open", body: .object(["link"]), Operations.open),
      .intent("/v1/sessions/{id}/locale", body: .object(["locale"]), Operations.locale),
      Route(.get, "/v1/sessions/{id}/tree", content: .json, Operations.tree),
      Route(.get, "/v1/sessions/{id}/history", query: ["after", "limit"], content: .json, Operations.history),
      Route(.get, "/v1/sessions/{id}/events", content: .mediaType("text/event-stream"), Operations.events),
      Route(.post, "/v1/sessions/{id}/hand-over", body: .empty, content: handOver, Operations.offer),
      Route(.get, "/v1/sessions/{id}/hand-over", query: ["code"], content: handOver, Operations.showOwnOffer),
      Route(.get, "/v1/hand-overs/{code}", content: handOver, Operations.showOffer),
      Route(.post, "/v1/hand-overs/{code}", body: .object([]), content: .anyView, Operations.takeOver),
      // The address is the permission: only its sender knows it.
      Route(.post, "/v1/signals/{address}", permissions: [], body: .value, content: .fixed, Operations.receiveSignal),
      Route(
        .post, "/v1/apps/{app}/signals/{name}", permissions: .signal, body: .object(["key", "input", "hold"]),
        content: .fixed, Operations.receiveKeyedSignal),
      Route(
        .delete, "/v1/principals/{subject}/sessions", permissions: .operate, query: ["purge"], content: .fixed,
        Operations.eraseSessions),
      Route(.get, "/v1/definitions", permissions: .operate, content: .fixed, Operations.definitions),
      Route(
        .delete, "/v1/definitions/{digest}/sessions", permissions: .operate, content: .fixed, Operations.retire),
      .startPage("/start/{app}"), .startPage("/start/{app}/{link...}"),
      .start("/start/{app}"), .start("/start/{app}/{link...}"),
      Route(.get, "/v1/apps", permissions: [], content: .json, Operations.apps),
      Route(.get, "/v1/apps/{app}", permissions: [], content: .json, Operations.app),
      Route(
        .get, "/", permissions: [], content: .representations([.json, .html, .text]), Operations.entryPoint),
      .asset("/usher.css", "text/css", WebAssets.styleSheet),
      .asset("/page.js", "text/javascript", WebAssets.pageScript),
      .asset("/usher.js", "text/javascript", WebAssets.client),
      .file("/openapi.yaml", "application/yaml", Operations.openAPIYAML),
      .file("/openapi.json", "application/json", Operations.openAPIJSON),
    ] + adminRoutes

  /// The resources for load balancers, orchestrators and monitoring, which `--admin-port` moves to a port of their own.
  static let adminRoutes: [Route] = [
    // Prometheus accepts several formats, and the service has the text format only.
    Route(.get, "/metrics", permissions: .operate, isRateLimited: false, content: .fixed, Operations.metrics),
    Route(.get, "/livez", permissions: [], isRateLimited: false, content: .fixed, Operations.alive),
    Route(
      .get, "/readyz", permissions: [], isRateLimited: false, query: ["verbose"], content: .fixed, Operations.ready),
    problemRoute,
  ]

  /// The documentation of a problem type.
  package static let problemRoute =
    Route(.get, "/problems/{slug}", permissions: [], content: .json, Operations.problem)

  private static let handOver = Route.Content.representations([.json, .html, .text])
}

extension Route {
  /// Returns the route of an intent, which names the revision and the offer that the client saw.
  fileprivate static func intent(_ path: String, body: Body = .empty, _ begin: @escaping Operation) -> Route {
    Route(.post, path, query: ["revision", "offer"], body: body, content: .anyView, begin)
  }

  /// Returns the route of a page that invites people to an app. Link previews name no type, and get the page.
  fileprivate static func startPage(_ path: String) -> Route {
    Route(
      .get, path, permissions: [], query: ["locale"], takesAnyQuery: true,
      content: .representations([.html, .json, .text]), Operations.invite)
  }

  /// Returns the route of the form on that page.
  fileprivate static func start(_ path: String) -> Route {
    Route(
      .post, path, permissions: .create, query: ["locale"], takesAnyQuery: true,
      body: .object(["input", "timeZone", "ttl"]), takesForeignForms: true, content: .anyView, Operations.start)
  }

  /// Returns the route of a style sheet or a script.
  package static func asset(
    _ path: String, _ type: String, _ bytes: @autoclosure @escaping @Sendable () -> [UInt8]
  ) -> Route {
    file(path, type) { _ in .response(StaticFile(bytes(), type: "\(type); charset=utf-8").response) }
  }

  /// Returns the route of a file that is the same for all clients.
  fileprivate static func file(_ path: String, _ type: String, _ operation: @escaping Operation) -> Route {
    Route(.get, path, permissions: [], isRateLimited: false, content: .mediaType(type), operation)
  }
}

/// The namespace of the operations in the route table. The files of the folder Operations extend it.
enum Operations {}
