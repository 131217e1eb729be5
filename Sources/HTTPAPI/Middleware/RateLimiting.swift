internal import Access
internal import MicroHTTP

/// The number of requests that a client may make.
public struct RateLimit: Sendable, Equatable {
  /// Requests per second, greater than 0.
  public let rate: Double
  /// The maximum number of requests at once, at least 1.
  public let burst: Int

  /// - Parameter burst: nil for the requests of five seconds, and at least 10, because a page or a client makes several requests when
  ///   it starts.
  public init(rate: Double, burst: Int? = nil) {
    self.rate = rate
    self.burst = burst ?? max(10, Int(min(5 * rate, 1e9).rounded(.up)))
  }
}

/// Limits the requests of each client.
///
/// A call counts against its principal, or against its address if it is anonymous. An invalid credential counts against the address on
/// every route, also on those without a limit.
final class RateLimiting: RequestMiddleware, ResponseMiddleware {
  private let limiter: RateLimiter
  private let trustedProxies: TrustedProxies

  init(_ limit: RateLimit, trustedProxies: TrustedProxies) {
    limiter = RateLimiter(limit)
    self.trustedProxies = trustedProxies
  }

  func receive(_ call: inout Call) async throws(Problem) {
    guard let route = call.route else { return }
    let client: LimitedClient
    if let principal = call.principal {
      guard route.isRateLimited else { return }
      client = LimitedClient(principal, at: trustedProxies.client(of: call.request))
    } else {
      client = LimitedClient(trustedProxies.client(of: call.request))
    }
    let verdict = limiter.take(client)
    call.rateLimitVerdict = verdict
    guard !verdict.isGranted else { return }
    let limit = verdict.limit
    let rate = Int(exactly: limit.rate).map { "\($0)" } ?? "\(limit.rate)"
    throw Problem(.rateLimited, "A client may make \(rate) requests per second, and \(limit.burst) at once.")
      .adding(header: "Retry-After", "\(verdict.seconds)")
  }

  /// Adds `RateLimit-Policy` and `RateLimit` (IETF draft draft-ietf-httpapi-ratelimit-headers), structured fields of RFC 9651 with one
  /// item each.
  func complete(_ response: inout Response, of call: borrowing Call) {
    guard let verdict = call.rateLimitVerdict else { return }
    response.headers += [
      ("RateLimit-Policy", limiter.policy),
      ("RateLimit", "\"default\";r=\(verdict.remaining);t=\(verdict.seconds)"),
    ]
  }
}

extension RateLimiter.Verdict {
  /// Whole seconds to wait, at least 1.
  var seconds: Int64 { max(1, (wait + 999_999_999) / 1_000_000_000) }
}
