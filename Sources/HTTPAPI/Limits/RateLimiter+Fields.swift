internal import MicroHTTP

/// What answers say of the limit: `RateLimit-Policy` and `RateLimit` (IETF draft draft-ietf-httpapi-ratelimit-headers), structured
/// fields of RFC 9651 with one item each.
extension RateLimiter {
  func add(_ verdict: Verdict, to response: inout Response) {
    response.headers += [
      ("RateLimit-Policy", policy), ("RateLimit", "\"default\";r=\(verdict.remaining);t=\(verdict.seconds)"),
    ]
  }
}

extension RateLimiter.Verdict {
  /// Whole seconds to wait, at least 1.
  var seconds: Int64 { max(1, (wait + 999_999_999) / 1_000_000_000) }
}
