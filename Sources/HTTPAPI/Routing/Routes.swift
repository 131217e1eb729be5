internal import Access
internal import MicroHTTP

/// The table of routes; all of the API is here (design: api, "Resources").
extension API {
  static let routes: [Route] = [
    Route(.post, "/v1/sessions/{id}/actions/{action}", Operations.act),
    Route(.get, "/v1/sessions/{id}", Operations.view),
    Route(.post, "/v1/sessions", requires: .create, Operations.create),
    Route(.delete, "/v1/sessions/{id}", Operations.delete),
    Route(.post, "/v1/sessions/{id}/back", Operations.back),
    Route(.post, "/v1/sessions/{id}/dismiss", Operations.dismiss),
    Route(.post, "/v1/sessions/{id}/tabs/{tab}", Operations.selectTab),
    Route(.post, "/v1/sessions/{id}/open", Operations.open),
    Route(.get, "/v1/sessions/{id}/tree", Operations.tree),
    Route(.get, "/v1/sessions/{id}/history", Operations.history),
    Route(.get, "/v1/sessions/{id}/events", Operations.events),
    Route(.post, "/v1/sessions/{id}/hand-over", Operations.offer),
    Route(.get, "/v1/sessions/{id}/hand-over", Operations.ownOffer),
    Route(.get, "/v1/hand-overs/{code}", Operations.offered),
    Route(.post, "/v1/hand-overs/{code}", Operations.takeOver),
    Route(.get, "/v1/apps", requires: [], Operations.apps),
    Route(.get, "/v1/apps/{app}", requires: [], Operations.app),
    Route(.get, "/", requires: [], Operations.entryPoint),
    Route(.get, "/usher.css", requires: [], isRateLimited: false, Operations.styles),
    Route(.get, "/page.js", requires: [], isRateLimited: false, Operations.pageScript),
    Route(.get, "/usher.js", requires: [], isRateLimited: false, Operations.client),
    Route(.get, "/openapi.yaml", requires: [], isRateLimited: false, Operations.openAPIYAML),
    Route(.get, "/openapi.json", requires: [], isRateLimited: false, Operations.openAPIJSON),
    Route(.get, "/problems/{slug}", requires: [], Operations.problem),
    Route(.get, "/livez", requires: [], isRateLimited: false, Operations.alive),
    Route(.get, "/readyz", requires: [], isRateLimited: false, Operations.ready),
    Route(.get, "/metrics", requires: .operate, isRateLimited: false, Operations.metrics),
  ]

  /// What is served where the operator's machines have a port of their own.
  static let adminRoutes: [Route] = [
    Route(.get, "/metrics", requires: .operate, isRateLimited: false, Operations.metrics),
    Route(.get, "/livez", requires: [], isRateLimited: false, Operations.alive),
    Route(.get, "/readyz", requires: [], isRateLimited: false, Operations.ready),
    Route(.get, "/problems/{slug}", requires: [], Operations.problem),
  ]
}

/// The operations, one a file.
enum Operations {}
