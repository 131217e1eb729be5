public import Foundation
// An import of UsherClient is enough for a client program.
@_exported public import HTTPTransport
@_exported public import Views

/// A service that hosts sessions.
///
///     let session = try await UsherService(URL(string: "https://usher.example")!).start("shop")
///     try await session.act("buy", ["product": 1])
///     print(await session.view.screen.title)
///
/// Every request is safe to repeat. The client therefore repeats a request whose response is lost.
public final class UsherService: Sendable {
  public let base: URL
  let transport: any Transport
  private let token: String?
  private let retries: Int

  /// The maximum delay in seconds before a retry, even if `Retry-After` asks for more.
  private static let maximumDelay = 10
  /// The maximum size of a response in bytes, which is larger than any view.
  private static let responseLimit = 64 << 20

  /// Creates a client of a service. It sends no request yet.
  ///
  /// - Parameters:
  ///   - base: the URL of the service, without a path.
  ///   - token: the bearer token of the principal (RFC 6750), if the service requires authentication.
  ///   - retries: the maximum number of retries after a lost response, or while the service is overloaded; at least 0.
  public init(_ base: URL, token: String? = nil, transport: any Transport = SystemTransport.shared, retries: Int = 4) {
    self.base = base
    self.token = token
    self.transport = transport
    self.retries = retries
  }

  /// Creates a session of an app.
  ///
  /// - Parameters:
  ///   - link: a deep link to open first.
  ///   - locale: a language tag (BCP 47).
  ///   - timeZone: the time zone of the user, such as `Europe/Berlin`; nil for that of the app.
  ///   - timeToLive: the lifetime of the session in seconds.
  /// - Throws: a ``UsherError`` or a `CancellationError`, as all functions of the client do.
  public func start(
    _ app: String, input: JSONValue = [:], link: String? = nil, locale: String? = nil, timeZone: String? = nil,
    timeToLive: Int? = nil
  ) async throws -> UsherSession {
    var members = [JSONValue.Member("app", .string(app)), JSONValue.Member("input", input)]
    if let link { members.append(JSONValue.Member("link", .string(link))) }
    if let locale { members.append(JSONValue.Member("locale", .string(locale))) }
    if let timeZone { members.append(JSONValue.Member("timeZone", .string(timeZone))) }
    if let timeToLive { members.append(JSONValue.Member("ttl", .integer(Int64(timeToLive)))) }
    let headers = ["Idempotency-Key": UUID().uuidString]
    return UsherSession(self, try await view("POST", "/v1/sessions", .object(members), headers))
  }

  /// Resumes an existing session.
  ///
  /// - Parameter address: the path of the session, `/v1/sessions/…`.
  /// - Throws: a ``UsherError``: `session-expired` or `unknown-session` if the session no longer exists or never did.
  public func resume(_ address: String) async throws -> UsherSession {
    UsherSession(self, try await view("GET", address))
  }

  /// Takes over a session from another device, which can only read the session afterwards.
  ///
  /// - Parameter link: the path of the link, `/v1/hand-overs/…`.
  /// - Throws: a ``UsherError``: `unknown-hand-over` if the link was used or has expired.
  public func takeOver(_ link: String) async throws -> UsherSession {
    UsherSession(self, try await view("POST", link, nil, ["Idempotency-Key": UUID().uuidString]))
  }

  /// Returns the names and titles of the hosted apps.
  ///
  /// - Parameter locale: a language tag (BCP 47), for the titles; nil for the language of each app.
  public func apps(locale: String? = nil) async throws -> [(name: String, title: String)] {
    let headers = locale.map { ["Accept-Language": $0] } ?? [:]
    let apps = try await send("GET", "/v1/apps", nil, headers)["apps"]?.elements ?? []
    return apps.compactMap { app in app["name"]?.string.map { ($0, app["title"]?.string ?? $0) } }
  }
}

// MARK: - Requests

extension UsherService {
  /// Sends a request, and retries it after an error that may be transient.
  func send(
    _ method: String, _ path: String, _ body: JSONValue? = nil, _ headers: [String: String] = [:]
  ) async throws -> JSONValue {
    let request = try request(method, path, body, headers)
    var attempt = 0
    while true {
      var delay = Duration.milliseconds(200 << min(attempt, 4))
      do {
        let response = try await transport.send(request, limit: Self.responseLimit)
        let status = response.status
        if 200..<300 ~= status { return response.body.isEmpty ? [:] : try Self.json(response.body) }
        try refuseRedirect(response.head)
        let retryAfter = response.head["Retry-After"].flatMap { Int($0) }
        // A proxy answers 502 or 504, with a body of its own, while the service is unavailable. A 429 without
        // Retry-After is permanent: it stands for a limit such as the number of sessions.
        guard [502, 503, 504].contains(status) || status == 429 && retryAfter != nil, attempt < retries else {
          throw UsherError.refused(Problem(status, (try? Self.json(response.body)) ?? [:]))
        }
        if let retryAfter { delay = .seconds(min(max(retryAfter, 0), Self.maximumDelay)) }
      } catch let error as TransportError {
        guard error.isTransient, attempt < retries else { throw UsherError(error) }
      }
      attempt += 1
      try await Task.sleep(for: delay)
    }
  }

  func request(
    _ method: String, _ path: String, _ body: JSONValue? = nil, _ headers: [String: String] = [:]
  ) throws -> HTTPRequest {
    // Addresses come from outside. Only a path on this service may get the token.
    guard path.hasPrefix("/"), !path.hasPrefix("//"), let url = URL(string: path, relativeTo: base)?.absoluteURL,
      (url.scheme, url.host(), url.port) == (base.scheme, base.host(), base.port)
    else { throw UsherError.unreadable("The address \(path) is not a path on \(base.absoluteString).") }
    var request = HTTPRequest(method, url, headers: [("Accept", "application/json")])
    // The service recognises a repeated request by its idempotency key or its revision.
    request.isIdempotent = true
    if let token { request.headers.append(("Authorization", "Bearer \(token)")) }
    if let body {
      request.body = Array(body.description.utf8)
      request.headers.append(("Content-Type", "application/json"))
    }
    for (name, value) in headers {
      request.headers.removeAll { $0.name == name }
      request.headers.append((name, value))
    }
    return request
  }

  /// Throws a ``UsherError`` for a redirect, because following it would send the token to another address.
  func refuseRedirect(_ head: HTTPResponseHead) throws {
    guard 300..<400 ~= head.status else { return }
    let target = head["Location"].map { " to \($0)" } ?? ""
    throw UsherError.unreadable(
      "\(base.absoluteString) redirects\(target), and the client follows no redirects. Use the service's own address.")
  }

  /// Sends a request, and reads the view in the response.
  func view(
    _ method: String, _ path: String, _ body: JSONValue? = nil, _ headers: [String: String] = [:]
  ) async throws -> SessionView {
    try Self.view(try await send(method, path, body, headers))
  }

  static func view(_ json: JSONValue) throws -> SessionView {
    do {
      return try SessionView(json)
    } catch {
      throw UsherError.unreadable("The response is not a view that this client can read: \(error)")
    }
  }

  static func json(_ bytes: [UInt8]) throws -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw UsherError.unreadable("The response is not JSON. \(error)")
    }
  }
}
