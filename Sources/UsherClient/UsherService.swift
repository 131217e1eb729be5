public import Foundation
public import Values

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A service that hosts sessions.
///
///     let session = try await UsherService(URL(string: "https://usher.example")!).start("shop")
///     try await session.act("buy", ["product": 1])
///     print(await session.view.screen.title)
///
/// Everything that it sends may arrive twice without happening twice, so what gets no answer is sent again.
public final class UsherService: Sendable {
  public let base: URL
  let urlSession: URLSession
  private let token: String?
  private let retries: Int

  /// Seconds that are waited before a request is sent again, whatever the service says.
  private static let longestPause = 10

  /// - Parameters:
  ///   - base: where the service is, without a path.
  ///   - token: says who makes the requests, where the service asks for that (RFC 6750).
  ///   - urlSession: what requests are sent with; events are read with another one of the same configuration.
  ///   - retries: how often a request is sent again where the answer is lost or the service is busy; at least 0.
  public init(_ base: URL, token: String? = nil, urlSession: URLSession = .shared, retries: Int = 4) {
    self.base = base
    self.token = token
    self.urlSession = urlSession
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
        let (data, response) = try await urlSession.data(for: request)
        let http = response as? HTTPURLResponse
        let status = http?.statusCode ?? 0
        if 200..<300 ~= status { return data.isEmpty ? .emptyObject : try Self.json(data) }
        let told = http?.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        // A proxy says 502 and 504 where the service is away for a moment, and in words of its own. Of what is over a limit only some
        // can be had later.
        guard [502, 503, 504].contains(status) || status == 429 && told != nil, attempt < retries else {
          throw UsherError.refused(Problem(status, (try? Self.json(data)) ?? .emptyObject))
        }
        if let told { pause = .seconds(min(max(told, 0), Self.longestPause)) }
      } catch let error as URLError {
        if error.code == .cancelled { throw CancellationError() }
        guard attempt < retries else { throw UsherError.unreachable(error.localizedDescription) }
      }
      attempt += 1
      try await Task.sleep(for: pause)
    }
  }

  func request(
    _ method: String, _ path: String, _ body: Value? = nil, _ headers: [String: String] = [:]
  ) throws -> URLRequest {
    // An address comes from elsewhere, and names a place on this service.
    guard path.hasPrefix("/"), !path.hasPrefix("//"), let url = URL(string: path, relativeTo: base) else {
      throw UsherError.unreadable("\(path) is no path.")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let body {
      var json = JSONWriter(capacity: 256)
      json.value(body)
      request.httpBody = Data(json.finish())
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  static func json(_ data: Data) throws -> Value {
    do {
      return try JSONParser.parse(Array(data), depth: Value.maximumDepth)
    } catch {
      throw UsherError.unreadable("The answer is not JSON: \(error)")
    }
  }
}
