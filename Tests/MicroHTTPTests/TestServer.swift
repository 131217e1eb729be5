import MicroHTTP
import Synchronization

/// A server on a port of its own, stopped when the test is over.
final class TestServer: Sendable {
  let server: Server
  private let lines: Lines

  init(
    handler: any Handler,
    _ adjust: (inout Server.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Server.Configuration()
    configuration.threads = 2
    adjust(&configuration)
    let lines = Lines()
    self.lines = lines
    server = Server(configuration: configuration, handler: handler) { lines.append($0) }
    try server.start()
  }

  /// - Parameter waits: whether the answers come from another thread, later.
  convenience init(waits: Bool = false, _ adjust: (inout Server.Configuration) -> Void = { _ in }) throws {
    try self.init(handler: EchoHandler(waits: waits), adjust)
  }

  deinit { server.stop(grace: .zero) }

  var log: [String] { lines.all }

  func client(receiveBuffer: Int32? = nil) throws -> RawClient {
    try RawClient(port: server.port, server: self, receiveBuffer: receiveBuffer)
  }

  /// Sends one request on a connection of its own.
  func exchange(_ request: String) throws -> RawResponse {
    let client = try client()
    client.send(request)
    return try client.response()
  }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
  }
}

/// A request with the headers that it needs.
func request(_ line: String, _ headers: String..., body: String = "") -> String {
  let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
  return (["\(line) HTTP/1.1", "Host: localhost"] + headers + length).joined(separator: "\r\n") + "\r\n\r\n" + body
}
