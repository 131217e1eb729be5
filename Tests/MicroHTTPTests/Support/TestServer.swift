import Glibc
import MicroHTTP
import Synchronization

/// A server on its own port, which stops at the end of the test.
final class TestServer: Sendable {
  let server: Server
  private let messages: Messages

  init(
    handler: any Handler,
    _ adjust: (inout Server.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Server.Configuration()
    configuration.threads = 2
    // On a busy machine the clients of a test that is about something else idle for longer than the defaults allow.
    (configuration.headTimeout, configuration.idleTimeout) = (.seconds(600), .seconds(600))
    adjust(&configuration)
    let messages = Messages()
    self.messages = messages
    server = Server(configuration: configuration, handler: handler) { messages.append($0) }
    try server.start()
  }

  convenience init(
    _ suspension: Suspension = .none, _ adjust: (inout Server.Configuration) -> Void = { _ in }
  ) throws {
    try self.init(handler: EchoHandler(suspension: suspension), adjust)
  }

  deinit { server.stop(grace: .zero) }

  var load: Server.Load { server.load }

  /// The messages that the server has logged.
  var log: [String] { messages.all }

  var port: UInt16 { server.port }

  func client(receiveBuffer: Int32? = nil) throws -> RawClient {
    try RawClient(port: server.port, server: self, receiveBuffer: receiveBuffer)
  }

  /// Sends one request on its own connection, and returns the response.
  func exchange(_ request: String) throws -> RawResponse {
    let client = try client()
    client.send(request)
    return try client.response()
  }

  private final class Messages: Sendable {
    private let messages = Mutex<[String]>([])
    var all: [String] { messages.withLock { $0 } }
    func append(_ message: String) { messages.withLock { $0.append(message) } }
  }
}

/// Returns the text of a request with `Host`, the given headers, and the length of its body.
func request(_ line: String, _ headers: String..., body: String = "") -> String {
  let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
  return (["\(line) HTTP/1.1", "Host: localhost"] + headers + length).joined(separator: "\r\n") + "\r\n\r\n" + body
}

func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }
