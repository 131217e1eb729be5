internal import MicroHTTP
internal import Values

/// The foreign origins whose pages may use the service from a browser (Fetch Standard, section 3.2, "CORS protocol").
///
/// Credentials that a browser adds by itself are never allowed: Usher sets no cookies, and a page sends its token
/// itself.
public struct AllowedOrigins: Sendable, Equatable {
  /// The allowed origins; nil for all.
  private let origins: Set<String>?
  /// The origins as given, in their order.
  public let texts: [String]

  /// Creates a list of origins such as `https://app.example`, or of `*` alone for all origins. Returns nil for other
  /// texts.
  public init?(_ texts: [String]) {
    let origins = texts.compactMap { Origin($0)?.description }
    guard texts == ["*"] || origins.count == texts.count else { return nil }
    self.init(texts, origins: texts == ["*"] ? nil : Set(origins))
  }

  private init(_ texts: [String], origins: Set<String>?) { (self.texts, self.origins) = (texts, origins) }

  public static let none = AllowedOrigins([], origins: [])

  /// Whether no foreign origin is allowed.
  fileprivate var isEmpty: Bool { origins?.isEmpty == true }

  /// Returns whether pages of this origin are allowed. The origin `null`, of a sandboxed page or a file, is not.
  func allows(_ text: String) -> Bool { origins?.contains(text) ?? (Origin(text)?.description == text) }
}

extension Call {
  /// Tells browsers which responses the pages of other origins may read and, in a preflight, which requests they may
  /// send.
  func shareWithOrigins(_ response: inout Response) {
    guard !api.configuration.allowedOrigins.isEmpty else { return }
    // On every response: a cache must not serve the response for one origin to another.
    response.headers.append(("Vary", "Origin"))
    guard let origin = request.header("Origin"), api.configuration.allowedOrigins.allows(origin) else { return }
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
  /// The request headers beside those that any page may send without a preflight.
  private static let allowedHeaders = """
    Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate
    """
  /// The seconds for which a browser may keep the result of a preflight.
  private static let maxAge = "3600"
}

/// The origin of a page or a service: a scheme, a host, and a port unless it is the scheme's default (RFC 6454, section
/// 4).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  let scheme: String
  /// The host, in brackets if it is an IPv6 address, and the port.
  let authority: String

  /// Parses an origin as browsers serialise it (RFC 6454, section 6.2), in letters of either case:
  /// `https://app.example`, `http://[::1]:3000`. Returns nil for `null`, for a host alone, and for a text with a path,
  /// even a single slash.
  public init?(_ text: String) {
    guard let separator = text.firstRange(of: "://") else { return nil }
    self.init(scheme: text[..<separator.lowerBound], authority: text[separator.upperBound...])
  }

  init?(scheme: some StringProtocol, authority: some StringProtocol) {
    // Some letters of other scripts become ASCII in lower case.
    guard authority.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let scheme = scheme.lowercased()
    guard let first = scheme.utf8.first, first.isASCIILetter, scheme.utf8.allSatisfy(Self.isSchemeByte) else {
      return nil
    }
    let authority = authority.lowercased()
    let end = authority.utf8.lastIndex(of: UInt8(ascii: "]")).map { authority.index(after: $0) } ?? authority.startIndex
    let colon = authority[end...].firstIndex(of: ":")
    let host = authority[..<(colon ?? authority.endIndex)]
    guard Self.isHost(host) else { return nil }
    self.scheme = scheme
    guard let colon else {
      self.authority = String(host)
      return
    }
    guard let port = UInt16(digits: authority[authority.index(after: colon)...]) else { return nil }
    let isStandard = scheme == "http" && port == 80 || scheme == "https" && port == 443
    self.authority = isStandard ? String(host) : "\(host):\(port)"
  }

  public var description: String { "\(scheme)://\(authority)" }

  /// Returns whether the origin has this host, such as the value of a `Host` header.
  func isAt(_ host: String) -> Bool { Origin(scheme: scheme, authority: host) == self }

  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      let address = host.dropFirst().dropLast()
      return address.contains(":") && IPAddress(address) != nil
    }
    return (1...255).contains(host.utf8.count) && host.utf8.allSatisfy(isHostByte)
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || "0123456789+-.".utf8.contains(byte)
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || "0123456789-._~".utf8.contains(byte)
  }
}
