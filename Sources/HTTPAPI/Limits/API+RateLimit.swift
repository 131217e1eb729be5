internal import Access
internal import MicroHTTP

extension API {
  /// Who makes a request of this route. On a route with a limit it counts once: against its principal, or against its address where
  /// it names none. A token that is not taken counts against the address on every route.
  ///
  /// - Parameter verdict: what the limit says, where the request has counted.
  func authenticate(
    _ request: Request, for route: Route, counting verdict: inout RateLimiter.Verdict?
  ) async throws(Problem) -> Principal {
    guard let rateLimiter else { return try await authenticate(request, for: route) }
    do throws(Problem) {
      let principal = try await authenticate(request, for: route)
      if route.isRateLimited {
        verdict = rateLimiter.take(LimitedClient(principal, at: trustedProxies.client(of: request)))
      }
      return principal
    } catch {
      verdict = rateLimiter.take(LimitedClient(trustedProxies.client(of: request)))
      try verdict?.requireGrant()
      throw error
    }
  }
}

extension RateLimiter.Verdict {
  func requireGrant() throws(Problem) {
    guard !isGranted else { return }
    let rate = Int(exactly: limit.rate).map { "\($0)" } ?? "\(limit.rate)"
    throw Problem(.rateLimited, "A client may make \(rate) requests a second, and \(limit.burst) at once.")
      .adding(header: "Retry-After", "\(seconds)")
  }
}
