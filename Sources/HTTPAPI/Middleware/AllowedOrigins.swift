internal import MicroHTTP

/// The foreign origins whose pages may use the service from a browser (Fetch Standard, section 3.2, "CORS protocol").
///
/// Credentials that a browser adds by itself are never allowed: there are no cookies, and the page itself sends a token.
public struct AllowedOrigins: Sendable, Equatable {
  /// The allowed origins; nil for all.
  private let origins: Set<String>?
  /// The origins as given, in their order.
  public let texts: [String]

  /// Creates a list of origins such as `https://app.example`, or of `*` alone for all origins. Returns nil for other texts.
  public init?(_ texts: [String]) {
    self.texts = texts
    if texts == ["*"] {
      origins = nil
      return
    }
    var origins: Set<String> = []
    for text in texts {
      guard let origin = Origin(text) else { return nil }
      origins.insert(origin.description)
    }
    self.origins = origins
  }

  private init() {
    texts = []
    origins = []
  }

  public static let none = AllowedOrigins()

  /// Whether no foreign origin is allowed.
  fileprivate var isEmpty: Bool { origins?.isEmpty == true }

  /// Whether pages of this origin are allowed. The origin `null`, of a sandboxed page or a file, is not.
  func allows(_ text: String) -> Bool { origins?.contains(text) ?? (Origin(text)?.description == text) }
}

/// Tells browsers which responses the pages of other origins may read and, in a preflight, which requests they may send.
final class CrossOriginSharing: ResponseMiddleware {
  private let allowedOrigins: AllowedOrigins

  init(_ allowedOrigins: AllowedOrigins) { self.allowedOrigins = allowedOrigins }

  func complete(_ response: inout Response, of call: borrowing Call) {
    guard !allowedOrigins.isEmpty else { return }
    // On every response: a cache must not serve the response for one origin to another.
    response.headers.append(("Vary", "Origin"))
    let request = call.request
    guard let origin = request.header("Origin"), allowedOrigins.allows(origin) else { return }
    response.headers.append(("Access-Control-Allow-Origin", origin))
    guard request.method == .options, request.header("Access-Control-Request-Method") != nil else {
      response.headers.append(("Access-Control-Expose-Headers", Self.exposedHeaders))
      return
    }
    guard let methods = response.headers.first(where: { $0.name.isSame(as: "Allow") })?.value else { return }
    response.headers += [
      ("Access-Control-Allow-Methods", methods), ("Access-Control-Allow-Headers", Self.allowedHeaders),
      ("Access-Control-Max-Age", Self.maxAge),
    ]
  }

  private static let exposedHeaders = """
    ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, WWW-Authenticate, X-Request-Id
    """
  /// The request headers beside those that every page may send.
  private static let allowedHeaders = """
    Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate
    """
  /// The seconds for which a browser may keep the result of a preflight.
  private static let maxAge = "3600"
}
