public import Foundation
public import HTTPTransport
public import Values

/// A service that hosts sessions.
///
///     let session = try await UsherService(URL(string: "https://usher.example")!).start("shop")
///     try await session.act("buy", ["product": 1])
///     print(await session.view.screen.title)
///
/// Everything that it sends may arrive twice without happening twice, so what gets no answer is sent again.
public final class UsherService: Sendable {
  public let base: URL
  let transport: any Transport
  private let token: String?
  private let retries: Int

  /// Seconds that are waited before a request is sent again, whatever the service says.
  private static let longestPause = 10
  /// Bytes of an answer, more than any view has.
  private static let answerLimit = 64 << 20

  /// - Parameters:
  ///   - base: where the service is, without a path.
  ///   - token: says who makes the requests, where the service asks for that (RFC 6750).
  ///   - transport: sends the requests.
  ///   - retries: how often a request is sent again where the answer is lost or the service is busy; at least 0.
  public init(_ base: URL, token: String? = nil, transport: any Transport = SystemTransport.shared, retries: Int = 4) {
    self.base = base
    self.token = token
    self.transport = transport
    self.retries = retries
  }

  /// Begins a session of an app.
  ///
  /// - Parameters:
  ///   - link: a deep link to open at once.
  ///   - locale: a language tag (BCP 47).
  ///   - timeToLive: seconds.
  /// - Throws: a ``UsherError``, here as everywhere; or a `CancellationError`.
  public func start(
    _ app: String, input: Value = .emptyObject, link: String? = nil, locale: String? = nil, timeToLive: Int? = nil
  ) async throws -> UsherSession {
    var members: [(String, Value)] = [("app", Value(app)), ("input", input)]
    if let link { members.append(("link", Value(link))) }
    if let locale { members.append(("locale", Value(locale))) }
    if let timeToLive { members.append(("ttl", Value(timeToLive))) }
    let answer = try await send("POST", "/v1/sessions", .object(members), ["Idempotency-Key": UUID().uuidString])
    return UsherSession(self, try Self.view(answer))
  }

  /// A session that has begun before.
  ///
  /// - Parameter address: its path, `/v1/sessions/…`.
  /// - Throws: a ``UsherError``: `session-expired` where it is over, `unknown-session` where there is none.
  public func resume(_ address: String) async throws -> UsherSession {
    UsherSession(self, try Self.view(try await send("GET", address)))
  }

  /// A session that was begun on another device, which can only read it from now on.
  ///
  /// - Parameter link: the path of the link, `/v1/hand-overs/…`.
  /// - Throws: a ``UsherError``: `unknown-hand-over` where the link was used or has expired.
  public func takeOver(_ link: String) async throws -> UsherSession {
    let answer = try await send("POST", link, nil, ["Idempotency-Key": UUID().uuidString])
    return UsherSession(self, try Self.view(answer))
  }

  /// The apps that are hosted, by name and title.
  public func apps() async throws -> [(name: String, title: String)] {
    let list = try await send("GET", "/v1/apps")["apps"]?.elements
    return list.map { $0.compactMap { app in app["name"]?.text.map { ($0, app["title"]?.text ?? $0) } } } ?? []
  }

  static func view(_ answer: Value) throws -> View {
    do {
      return try answer.decode(View.self)
    } catch {
      throw UsherError.unreadable("The view cannot be read: \(error)")
    }
  }

  /// Sends a request, and sends it again where that may help.
  func send(
    _ method: String, _ path: String, _ body: Value? = nil, _ headers: [String: String] = [:]
  ) async throws -> Value {
    let request = try request(method, path, body, headers)
    var attempt = 0
    while true {
      var pause = Duration.milliseconds(200 << min(attempt, 4))
      do {
        let response = try await transport.send(request, limit: Self.answerLimit)
        let status = response.status
        if 200..<300 ~= status { return response.body.isEmpty ? .emptyObject : try Self.json(response.body) }
        try refuseRedirect(response.head)
        let told = response.head["Retry-After"].flatMap { Int($0) }
        // A proxy says 502 and 504 where the service is away for a moment, and in words of its own. Of what is over a limit only some
        // can be had later.
        guard [502, 503, 504].contains(status) || status == 429 && told != nil, attempt < retries else {
          throw UsherError.refused(Problem(status, (try? Self.json(response.body)) ?? .emptyObject))
        }
        if let told { pause = .seconds(min(max(told, 0), Self.longestPause)) }
      } catch let error as TransportError {
        guard error.isTransient, attempt < retries else { throw UsherError(error) }
      }
      attempt += 1
      try await Task.sleep(for: pause)
    }
  }

  func request(
    _ method: String, _ path: String, _ body: Value? = nil, _ headers: [String: String] = [:]
  ) throws -> HTTPRequest {
    // An address comes from elsewhere, and names a place on this service.
    guard path.hasPrefix("/"), !path.hasPrefix("//"), let url = URL(string: path, relativeTo: base)?.absoluteURL,
      (url.scheme, url.host(), url.port) == (base.scheme, base.host(), base.port)
    else { throw UsherError.unreadable("\(path) is no path.") }
    var request = HTTPRequest(method, url, headers: [("Accept", "application/json")])
    // Idempotency keys and revisions make a second one harmless.
    request.isIdempotent = true
    if let token { request.headers.append(("Authorization", "Bearer \(token)")) }
    if let body {
      var json = JSONWriter(capacity: 256)
      json.value(body)
      request.body = Array(json.finish())
      request.headers.append(("Content-Type", "application/json"))
    }
    for (name, value) in headers {
      request.headers.removeAll { $0.name == name }
      request.headers.append((name, value))
    }
    return request
  }

  /// - Throws: a ``UsherError`` at a redirect, which would carry the token to another address.
  func refuseRedirect(_ head: HTTPResponseHead) throws {
    guard 300..<400 ~= head.status else { return }
    let target = head["Location"].map { " to \($0)" } ?? ""
    throw UsherError.unreadable(
      "\(base.absoluteString) redirects\(target), which is not followed. Use the address of the service itself.")
  }

  static func json(_ bytes: [UInt8]) throws -> Value {
    do {
      return try JSONParser.parse(bytes, depth: Value.maximumDepth)
    } catch {
      throw UsherError.unreadable("The answer is not JSON: \(error)")
    }
  }
}
