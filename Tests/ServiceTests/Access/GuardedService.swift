import Access
import ExampleApps
import Foundation
import FoundationNetworking
import Logging
import MicroHTTP
import Navigation
import Sessions
import Stores
import Synchronization
import Testing

@testable import HTTPAPI

/// A service for one test that asks who makes a request: its faces, each on a socket of its own, and tokens for them.
final class GuardedService: NSObject, URLSessionTaskDelegate, Sendable {
  typealias Face = HTTPAPI.Face

  private let handlers: [Face: any Handler]
  /// Those that were asked for: each has several threads.
  private let servers = Mutex<[Face: Server]>([:])
  private let tokens: [Permissions: String]

  /// - Parameter anonymous: what may be done without a token.
  init(
    anonymous: Permissions? = nil, logger: Logger? = nil, _ adjust: (inout API.Configuration) -> Void = { _ in }
  ) throws {
    var tokens: [Permissions: String] = [:]
    var lines: [String] = []
    for number in UInt8(0)...7 {
      let permissions = Permissions(rawValue: number)
      guard let name = TokenName("p\(number)"), !permissions.isEmpty else { continue }
      let token = NewToken(name: name, permissions: permissions)
      tokens[permissions] = token.text
      lines.append(token.line)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "usher-tokens-\(UUID())")
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    var settings = AccessSettings()
    settings.method = .tokens(file: file.path)
    settings.anonymous = anonymous
    var configuration = API.Configuration()
    if let logger { configuration.logger = logger }
    configuration.logsRequests = true
    adjust(&configuration)
    configuration.authenticator = try Authenticator(settings, logger: configuration.logger)
    let apps = try ExampleApps.all.map { try AppDefinition($0) }
    let sessions = SessionService(
      apps: apps, store: MeteredStore(MemoryStore(), metrics: configuration.metrics), metrics: configuration.metrics)
    handlers = [
      .service: API(sessions: sessions, configuration), .admin: API.admin(sessions: sessions, configuration),
      .console: Console(sessions: sessions, host: "127.0.0.1", configuration),
    ]
    self.tokens = tokens
  }

  deinit { for server in servers.withLock({ $0 }).values { server.stop(grace: .seconds(2)) } }

  /// Where a face can be reached.
  func address(_ face: Face = .service) -> URL {
    let port = servers.withLock { servers -> UInt16 in
      if let server = servers[face] { return server.port }
      guard let handler = handlers[face] else { return 0 }
      var configuration = Server.Configuration()
      configuration.threads = 2
      let server = Server(configuration: configuration, handler: handler)
      do { try server.start() } catch { Issue.record("\(error)") }
      servers[face] = server
      return server.port
    }
    return URL(string: "http://127.0.0.1:\(port)")!
  }

  /// The token of somebody who may do this and nothing else.
  func token(_ permissions: Permissions) -> String { tokens[permissions] ?? "" }

  func bearer(_ permissions: Permissions) -> [String: String] { ["Authorization": "Bearer \(token(permissions))"] }

  func send(
    _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:], to face: Face = .service
  ) async throws -> Answer {
    var request = URLRequest(url: URL(string: address(face).absoluteString + target)!, timeoutInterval: 10)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request, delegate: self)
    return Answer(response as! HTTPURLResponse, data)
  }

  /// The same without a socket, for what Foundation does not send, and for an answer that it would ask for again and again: it knows no
  /// end of challenges for Basic.
  func ask(
    _ method: Method, _ target: String, _ body: String = "", headers: [(String, String)] = [], of face: Face = .service
  ) async -> Answer {
    let request = Request(method: method, target: target, headers: headers, body: Array(body.utf8))
    return Answer(await handlers[face]?.respond(to: request) ?? Response(status: 500))
  }

  /// What leads elsewhere is an answer here.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
