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

@testable import Console
@testable import HTTPAPI

/// A service for one test that requires tokens. Each of its servers has its own socket, and each set of permissions its
/// own token.
final class GuardedService: NSObject, URLSessionTaskDelegate, Sendable {
  /// The servers of a host.
  enum Part: String, CaseIterable {
    case service, admin, console

    var routes: [Route] {
      switch self {
      case .service: API.routes
      case .admin: API.adminRoutes
      case .console: Console.routes
      }
    }
  }

  private let handlers: [Part: any Handler]
  /// The servers that the test has used. Each starts on first use, because it has several threads.
  private let servers = Mutex<[Part: Server]>([:])
  private let tokens: [Permissions: String]

  /// - Parameter anonymous: the permissions of a request without a token.
  init(
    anonymous: Permissions? = nil, logger: Logger? = nil, _ adjust: (inout API.Configuration) -> Void = { _ in }
  ) throws {
    var tokens: [Permissions: String] = [:]
    var lines: [String] = []
    for number in UInt8(0)...Permissions.all.rawValue {
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

  /// Returns the address of a server, which starts on first use.
  func address(_ part: Part = .service) -> URL {
    let port = servers.withLock { servers -> UInt16 in
      if let server = servers[part] { return server.port }
      guard let handler = handlers[part] else { return 0 }
      var configuration = Server.Configuration()
      configuration.threads = 2
      let server = Server(configuration: configuration, handler: handler)
      do { try server.start() } catch { Issue.record("\(error)") }
      servers[part] = server
      return server.port
    }
    return URL(string: "http://127.0.0.1:\(port)")!
  }

  /// Returns the token of a principal with these permissions and no others.
  func token(_ permissions: Permissions) -> String { tokens[permissions] ?? "" }

  func bearer(_ permissions: Permissions) -> [String: String] { ["Authorization": "Bearer \(token(permissions))"] }

  func send(
    _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:], to part: Part = .service
  ) async throws -> Answer {
    var request = URLRequest(url: URL(string: address(part).absoluteString + target)!, timeoutInterval: 10)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request, delegate: self)
    return Answer(response as! HTTPURLResponse, data)
  }

  /// Sends a request without a socket, for requests that Foundation cannot send and for responses that it would retry:
  /// it repeats a request without end while the response challenges it for Basic.
  func ask(
    _ method: Method, _ target: String, _ body: String = "", headers: [(String, String)] = [], of part: Part = .service
  ) async -> Answer {
    let request = Request(method: method, target: target, headers: headers, body: Array(body.utf8))
    return Answer(await handlers[part]?.respond(to: request) ?? Response(status: 500))
  }

  /// Returns a redirect as the response.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
