import ExampleApps
import Foundation
import FoundationNetworking
import HTTPAPI
import MicroHTTP
import Navigation
import Sessions
import Stores
import Synchronization

/// A service with the example apps for one test, reached in process or over a real socket. In process every session is packed
/// after each step, as a durable store would do.
final class TestService: Sendable {
  enum Transport: CaseIterable { case inProcess, socket }

  let clock = TestClock()
  let api: API
  private let server: Server?

  init(
    _ transport: Transport = .socket, sessionLimit: Int = 1000, depth: Int = 256, inFlightLimit: Int = 100,
    host: String = "127.0.0.1", apps: [App] = ExampleApps.all, _ adjust: (inout API.Configuration) -> Void = { _ in }
  ) throws {
    let apps = try apps.map { try AppDefinition($0, limits: .init(depth: depth)) }
    let clock = clock
    let sessions = SessionService(
      apps: apps, store: MemoryStore(sessionLimit: sessionLimit, unpackedLimit: transport == .inProcess ? 0 : 4096),
      clock: TimeSource { clock.now })
    var configuration = API.Configuration()
    configuration.version = "test"
    adjust(&configuration)
    api = API(sessions: sessions, configuration)
    switch transport {
    case .inProcess: server = nil
    case .socket:
      var configuration = Server.Configuration()
      configuration.host = host
      configuration.threads = 2
      configuration.inFlightLimit = inFlightLimit
      server = Server(configuration: configuration, handler: api)
      try server?.start()
    }
  }

  /// Where it can be reached over a socket.
  var address: URL { URL(string: "http://127.0.0.1:\(server?.port ?? 0)")! }

  deinit { server?.stop(grace: .seconds(2)) }

  func send(
    _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    var headers = headers
    if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    guard server != nil else {
      let list = headers.map { ($0.key, $0.value) }
      let request = Request(method: Method(method), target: target, headers: list, body: Array((body ?? "").utf8))
      return Answer(await api.respond(to: request))
    }
    var request = URLRequest(url: URL(string: address.absoluteString + target)!, timeoutInterval: 10)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await Self.session.data(for: request)
    return Answer(response as! HTTPURLResponse, data)
  }

  // One for all tests: it keeps connections open, as a client would.
  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  /// Creates a session and follows it.
  func start(_ app: String, _ members: String = "") async throws -> Visitor {
    let answer = try await send("POST", "/v1/sessions", "{\"app\":\"\(app)\"\(members)}")
    return try Visitor(self, answer)
  }
}

/// A time that only a test moves.
final class TestClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_795_176_000_000)

  var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

  func advance(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
}
