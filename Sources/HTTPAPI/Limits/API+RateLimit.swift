internal import Access
internal import MicroHTTP

extension API {
  /// Who makes a request of this route, which counts once: against its principal, or against its address where it names none or is
  /// not let in, so that it costs to guess.
  ///
  /// - Parameter verdict: what the limit says, where the route has one.
  func authenticate(
    _ request: Request, for route: Route, counting verdict: inout RateLimiter.Verdict?
  ) async throws(Problem) -> Principal {
    guard let rateLimiter, route.isRateLimited else { return try await authenticate(request, for: route) }
    do throws(Problem) {
      let principal = try await authenticate(request, for: route)
      verdict = rateLimiter.take(RateLimitedClient(principal, at: trustedProxies.client(of: request)))
      return principal
    } catch {
      verdict = rateLimiter.take(RateLimitedClient(trustedProxies.client(of: request)))
      try verdict?.requireGrant()
      throw error
    }
  }
}

extension RateLimiter.Verdict {
  func requireGrant() throws(Problem) {
    guard !isGranted else { return }
    let rate = limit.rate == limit.rate.rounded() ? "\(Int(min(limit.rate, 1e15)))" : "\(limit.rate)"
    throw Problem(.rateLimited, "A client may make \(rate) requests a second, and \(limit.burst) at once.")
      .adding(header: "Retry-After", "\(seconds)")
  }
}

extension Route {
  /// What machines ask again and again and what is the same for everybody is not limited.
  static let unlimited: Set<String> = [
    "/livez", "/readyz", "/metrics", "/usher.css", "/page.js", "/usher.js", "/openapi.yaml", "/openapi.json",
  ]
}
