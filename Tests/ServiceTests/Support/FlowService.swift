import Access
import Foundation
import FoundationNetworking
import HTTPAPI
import HTTPServices
import Logging
import MicroHTTP
import Navigation
import Observability
import Stores
import TestApps
import Testing

@testable import Sessions
@testable import UsherHost

/// A service with the flows of a temporary folder, reached over a socket.
final class FlowService: Sendable {
  let folder: URL
  let sessions: SessionService
  let watcher: FlowWatcher
  let log = TestLog()
  let configuration: API.Configuration
  private let server: Server
  private let runner: Task<Void, Never>
  private let watch: Task<Void, Never>?

  /// - Parameters:
  ///   - folder: the folder of the flows; a new one by default.
  ///   - interval: the time between two looks at the files; nil if the test looks at them.
  ///   - waiting: whether to wait until the flows are loaded.
  ///   - compile: the reader of the files; by default that of an errand.
  ///   - services: the addresses of the HTTP services that the flows call.
  ///   - authenticator: nil for a service without `--auth`.
  ///   - clock: the clock of sessions; nil for that of the machine.
  init(
    _ store: any SessionStore = MemoryStore(), folder: URL? = nil, apps: [App] = [], every interval: Duration? = nil,
    waiting: Bool = true, compile: @escaping DefinitionCompiler = Errand.compile,
    services: [HTTPServiceSettings.Entry] = [], authenticator: Authenticator? = nil, clock: TestClock? = nil
  ) async throws {
    let path = folder ?? FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    self.folder = path
    var configuration = API.Configuration()
    configuration.logger = log.logger
    if let authenticator { configuration.authenticator = authenticator }
    sessions = SessionService(
      apps: try apps.map { try AppDefinition($0) }, flows: FlowCompilation(compiler: compile), store: store,
      clock: clock.map { clock in TimeSource { clock.now } } ?? .system,
      metrics: configuration.metrics, log: { [log] in log.logger.warning("\($0)") })
    var hosting = FlowHosting(directories: [path.path], compile: compile)
    if let interval { hosting.interval = interval }
    let watcher = FlowWatcher(hosting, sessions, logger: log.logger)
    self.watcher = watcher
    self.configuration = configuration
    var serverConfiguration = Server.Configuration()
    serverConfiguration.threads = 2
    server = Server(configuration: serverConfiguration, handler: API(sessions: sessions, configuration))
    try server.start()
    var settings = HTTPServiceSettings()
    settings.addresses = services
    settings.usesEnvironmentProxies = false
    let directory = try HTTPServiceDirectory(
      settings, for: [], userAgent: "usher/test", metrics: configuration.metrics, log: { _ in })
    let runner = WorkRunner(sessions, resources: directory, metrics: configuration.metrics) { _ in }
    self.runner = Task { await runner.run() }
    let loading = try await watcher.begin()
    if waiting { await loading.value }
    watch = interval.map { _ in Task { await watcher.run() } }
  }

  deinit {
    runner.cancel()
    watch?.cancel()
    server.stop(grace: .seconds(2))
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes a file of a flow.
  func write(_ flow: String, _ lines: String..., to file: String = "flow.yaml") throws {
    let path = folder.appending(path: "\(flow)/\(file)")
    try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(lines.joined(separator: "\n").utf8).write(to: path)
  }

  func remove(_ path: String) throws { try FileManager.default.removeItem(at: folder.appending(path: path)) }

  var metrics: String { configuration.metrics.text() }

  /// Looks twice, so that a change is read.
  func lookTwice() async {
    await watcher.look()
    await watcher.look()
  }

  func send(
    _ method: String, _ target: String, _ body: String? = nil, type: String = "application/json",
    headers: [String: String] = [:]
  ) async throws -> Answer {
    var request = URLRequest(url: URL(string: "http://127.0.0.1:\(server.port)\(target)")!, timeoutInterval: 20)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    return Answer(response as! HTTPURLResponse, data)
  }

  /// Creates a session of a flow, and returns its path.
  func start(_ app: String, _ members: String = "") async throws -> String {
    let answer = try await send("POST", "/v1/sessions", "{\"app\":\"\(app)\"\(members)}")
    try #require(answer.status == 201, "\(answer.json)")
    return try #require(answer.json["links", "self"].string)
  }

  /// Performs an action, and returns the greeting and the number of steps that the screen has.
  func act(_ action: String, _ path: String) async throws -> String {
    let answer = try await send("POST", "\(path)/actions/\(action)", "{}")
    try #require(answer.status == 200, "\(answer.json)")
    let data = answer.json["screen", "data"]
    return "\(data["greeting"].string ?? "") \(data["steps"].int ?? 0)"
  }

  var apps: [String] {
    get async throws { try await send("GET", "/v1/apps").json["apps"].array.compactMap { $0["name"].string } }
  }
}
