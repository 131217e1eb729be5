import CoreMetrics
import ExampleApps
import Foundation
import FoundationNetworking
import HTTPAPI
import Logging
import MicroHTTP
import Navigation
import Observability
import Sessions
import Stores
import Synchronization
import Testing
import Values

@testable import UsherHost

/// A service with the example apps for one test, reached in process or over a real socket. In process every session is
/// packed after each step, as a durable store would do.
final class TestService: Sendable {
  enum Transport: CaseIterable { case inProcess, socket }

  let clock = TestClock()
  let api: API
  let sessions: SessionService
  private let server: Server?
  /// Performs the effects and due events of the apps.
  private let runner: Task<Void, Never>

  init(
    _ transport: Transport = .socket, sessionLimit: Int = 1000, depth: Int = 256, inFlightLimit: Int = 100,
    host: String = "127.0.0.1", apps: [App] = ExampleApps.all, _ adjust: (inout API.Configuration) -> Void = { _ in }
  ) throws {
    let apps = try apps.map { try AppDefinition($0, limits: .init(depth: depth)) }
    let clock = clock
    var configuration = API.Configuration()
    var work = WorkRunner.Settings()
    work.interval = .milliseconds(5)
    configuration.version = "test"
    adjust(&configuration)
    let sessions = SessionService(
      apps: apps, store: MemoryStore(sessionLimit: sessionLimit, unpackedLimit: transport == .inProcess ? 0 : 4096),
      clock: TimeSource { clock.now }, metrics: configuration.metrics)
    self.sessions = sessions
    let logger = configuration.logger
    let runner = WorkRunner(sessions, work, metrics: configuration.metrics, report: { $0.write(to: logger) }) {
      logger.warning("\($0)")
    }
    self.runner = Task { await runner.run() }
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

  /// The address of the server.
  var address: URL { URL(string: "http://127.0.0.1:\(server?.port ?? 0)")! }

  deinit {
    runner.cancel()
    server?.stop(grace: .seconds(2))
  }

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

  // Shared by all tests. It keeps connections open, as a client would.
  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  /// Creates a session, and returns a client of it.
  func start(_ app: String, _ members: String = "") async throws -> Visitor {
    let answer = try await send("POST", "/v1/sessions", "{\"app\":\"\(app)\"\(members)}")
    return try Visitor(self, answer)
  }
}

/// A clock that only the test advances.
final class TestClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_795_176_000_000)

  var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

  func advance(seconds: Int64) { advance(milliseconds: seconds * 1000) }

  func advance(milliseconds time: Int64) { milliseconds.withLock { $0 += time } }
}

/// A client of one session, with the last view that it received.
final class Visitor {
  let service: TestService
  private(set) var last: Answer

  init(_ service: TestService, _ created: Answer) throws {
    self.service = service
    last = created
    try #require(created.status == 201, "\(created.json)")
  }

  var view: JSON { last.json }
  var path: String { view["links", "self"].string ?? "" }
  var screen: String? { view["screen", "name"].string }
  var data: JSON { view["screen", "data"] }
  var revision: Int? { view["session", "revision"].int }
  var stack: [String] { view["navigation", "stack"].strings("name") }
  var navigation: JSON { view["navigation"] }

  func action(_ name: String) -> JSON { JSON.first(of: view["actions"], named: name) }
  func tab(_ name: String) -> JSON { JSON.first(of: navigation["tabs", "items"], named: name) }

  /// Sends a request that must succeed, and keeps the view of the response.
  @discardableResult
  func post(_ part: String, _ body: String? = nil) async throws -> Visitor {
    let answer = try await service.send("POST", path + part, body)
    try #require(answer.status == 200, "\(part): \(answer.json)")
    last = answer
    return self
  }

  @discardableResult
  func act(_ action: String, _ input: String? = nil) async throws -> Visitor {
    try await post("/actions/\(action)", input)
  }

  @discardableResult
  func back() async throws -> Visitor { try await post("/back") }

  /// Sends a request that may fail, and returns the response. The view stays as it is.
  func attempt(_ part: String, _ body: String? = nil) async throws -> Answer {
    try await service.send("POST", path + part, body)
  }

  /// Returns the coordinator tree in one line, such as `first > second`, with siblings in brackets.
  func tree() async throws -> String {
    line(try await service.send("GET", path + "/tree").json["root"])
  }

  /// Returns the IDs of the coordinators by their names.
  func nodes() async throws -> [String: Int] {
    var ids: [String: Int] = [:]
    func collect(_ node: JSON) {
      ids[node["name"].string ?? ""] = node["id"].int
      node["children"].array.forEach(collect)
    }
    collect(try await service.send("GET", path + "/tree").json["root"])
    return ids
  }

  private func line(_ node: JSON) -> String {
    let children = node["children"].array.map(line)
    let name = node["name"].string ?? "?"
    return switch children.count {
    case 0: name
    case 1: "\(name) > \(children[0])"
    default: "\(name) > [\(children.joined(separator: ", "))]"
    }
  }
}

extension JSON {
  static func first(of list: JSON, named name: String) -> JSON {
    list.array.first { $0["name"].string == name } ?? JSON(nil)
  }
}

/// A log that a test can read.
final class TestLog: Sendable {
  private let content = Mutex("")

  var logger: Logger {
    Logger(label: "test") { _ in
      JSONLogHandler(level: .info) { line in self.content.withLock { $0 += String(decoding: line, as: UTF8.self) } }
    }
  }

  var text: String { content.withLock { $0 } }

  /// The lines, oldest first.
  var lines: [JSON] {
    text.split(separator: "\n").map { JSON(try? JSONSerialization.jsonObject(with: Data($0.utf8))) }
  }
}
