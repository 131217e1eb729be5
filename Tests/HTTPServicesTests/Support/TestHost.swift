import Foundation
import HTTPServices
import MicroHTTP
import Navigation
import Observability
import Synchronization
import TestSupport
import Testing
import Values

/// The HTTP service `shop` of a host, as its effects get it.
struct TestHost {
  let metrics = PrometheusRegistry()
  let directory: HTTPServiceDirectory
  let messages = Messages()

  init(_ address: String, tokenFile: String? = nil, _ adjust: (inout HTTPServiceSettings) -> Void = { _ in }) throws {
    var settings = HTTPServiceSettings()
    settings.addresses = [.init("shop", address)]
    settings.tokenFiles = tokenFile.map { [.init("shop", $0)] } ?? []
    settings.connectTimeout = .seconds(60)
    settings.usesEnvironmentProxies = false
    adjust(&settings)
    directory = try HTTPServiceDirectory(
      settings, for: [], userAgent: "usher/test", metrics: metrics, log: { [messages] in messages.append($0) })
  }

  var endpoint: HTTPServiceEndpoint { directory.endpoints["shop"]! }

  func shop(_ key: String = "key", minimumPause: Duration = .milliseconds(1)) -> HTTPService {
    HTTPService(endpoint, idempotencyKey: key, minimumPause: minimumPause)
  }

  /// The number of requests with an outcome.
  func count(_ outcome: String) -> Int {
    let line = metrics.text().split(separator: "\n").first {
      $0.hasPrefix("usher_service_requests_total{service=\"shop\",outcome=\"\(outcome)\"} ")
    }
    return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }

  final class Messages: Sendable {
    private let messages = Mutex<[String]>([])
    var all: [String] { messages.withLock { $0 } }
    func append(_ message: String) { messages.withLock { $0.append(message) } }
  }
}

extension ScriptedServer {
  var address: String { url.absoluteString }
}

extension ScriptedConnection {
  /// Reads a request without a body, and answers it.
  func answer(_ status: Int, _ body: String = "{}", headers: String = "") throws {
    try head()
    try write("HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
  }
}

/// A backend that describes each request in its response.
final class EchoBackend: Sendable {
  private let server: Server

  init() throws {
    var configuration = Server.Configuration()
    configuration.threads = 1
    server = Server(configuration: configuration, handler: EchoHandler())
    try server.start()
  }

  deinit { server.stop(grace: .zero) }

  var address: String { "http://127.0.0.1:\(server.port)" }

  private struct EchoHandler: Handler {
    func respond(to request: Request) async -> Response {
      let body = request.body.isEmpty ? Value.null : (try? JSONParser.parse(request.body)) ?? .null
      let echo = Value.object([
        ("method", Value(request.method.name)), ("target", Value(request.target)), ("body", body),
        ("type", request.header("Content-Type").map { Value($0) } ?? .null),
      ])
      return Response(status: 200, headers: [("Content-Type", "application/json")], body: echo.json)
    }

    func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status, body: []) }
  }
}

/// The request that an ``EchoBackend`` received.
struct Echo: Decodable, Equatable {
  var method: String
  var target: String
  var body: Value?
  var type: String?
}
