internal import MicroHTTP

/// The origins whose pages may use the service from a browser although they are not its own (Fetch Standard, section 3.2, "CORS
/// protocol"). Credentials that a browser adds by itself are never allowed: there are no cookies, and a token is sent by the page.
public struct AllowedOrigins: Sendable, Equatable {
  /// Nil for all.
  private let origins: Set<String>?
  /// In the order in which they were given.
  public let texts: [String]

  /// Origins such as `https://app.example`, or `*` alone for all of them. Nil where there is anything else.
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

  /// Whether an answer depends on where the request comes from at all.
  private var isEmpty: Bool { origins?.isEmpty == true }

  /// Adds what tells a browser whether the page that asked may read the answer; to that of a preflight, which is one to `OPTIONS`,
  /// what the page may send as well.
  func mark(_ response: inout Response, to request: Request) {
    guard !isEmpty else { return }
    // On every answer: a cache must not hand that for one origin to another.
    response.headers.append(("Vary", "Origin"))
    guard let origin = request.header("Origin"), allows(origin) else { return }
    response.headers.append(("Access-Control-Allow-Origin", origin))
    guard request.method == .options, request.header("Access-Control-Request-Method") != nil else {
      response.headers.append(("Access-Control-Expose-Headers", Self.exposed))
      return
    }
    guard let methods = response.headers.first(where: { $0.name.isSame(as: "Allow") })?.value else { return }
    response.headers += [
      ("Access-Control-Allow-Methods", methods), ("Access-Control-Allow-Headers", Self.sent),
      ("Access-Control-Max-Age", Self.seconds),
    ]
  }

  /// `null`, which is what a page in a sandbox and one of a file says it is of, is no origin.
  func allows(_ text: String) -> Bool { origins?.contains(text) ?? (Origin(text)?.description == text) }

  private static let exposed = """
    ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, WWW-Authenticate, X-Request-Id
    """
  /// Beside those that every page may send.
  private static let sent = """
    Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate
    """
  /// For which a browser need not ask again.
  private static let seconds = "3600"
}
