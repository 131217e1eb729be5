import Glibc
import MicroHTTP
import Synchronization
import TestSupport
import Testing

/// Responses whose bodies are written piece by piece.
@Suite(.blocking) struct ResponseStreamTests {
  @Test func `each write is sent at once, until the stream ends`() throws {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler)
    let client = try server.client()
    client.send(request("GET /"))
    // The head arrives before the first write.
    let head = try client.response()
    #expect(head.status == 200 && head.headers["transfer-encoding"] == "chunked")
    let stream = handler.wait(1)[0]
    let long = String(repeating: "x", count: 100_000)
    for text in ["one", "two", long] {
      #expect(stream.write(Array(text.utf8)))
      #expect(try client.chunks(text.utf8.count) == text)
    }
    stream.end()
    #expect(!stream.write([1]))
    #expect(try client.chunks(0) == "")
    // The connection stays open.
    client.send(request("GET /next"))
    #expect(try client.response().status == 200)
  }

  @Test func `many threads can write at once`() async throws {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler) { $0.inFlightLimit = 3 }
    // Streams are not in-flight requests.
    let clients = try (0..<20).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    let all = handler.wait(20)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<250 { for stream in all { _ = stream.write(Array("0123456789".utf8)) } } }
      }
    }
    for client in clients {
      #expect(try client.chunks(10_000) == String(repeating: "0123456789", count: 1000))
    }
  }

  @Test func `a stream ends when its client disconnects`() throws {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler) { $0.handlerTimeout = .milliseconds(100) }
    var client: RawClient? = try server.client()
    client?.send(request("GET /"))
    #expect(try client?.response().status == 200)
    let stream = handler.wait(1)[0]
    client = nil
    #expect(blockUntil { !stream.write([1]) })
    // The log must not contain the target, which may be a secret.
    #expect(server.log == [])
  }

  /// The library by itself checks only the connection that has been idle for longest, hence the idle client.
  @Test func `the connection of a stream is closed when its client disconnects`() throws {
    let server = try TestServer(handler: StreamHandler()) { $0.threads = 1 }
    let idle = try server.client()
    #expect(blockUntil { server.load.connections == 1 })
    var clients = try (0..<20).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    #expect(server.load.connections == 21)
    clients = []
    #expect(blockUntil { server.load.connections == 1 })
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
  }

  @Test func `a stream has no timeout while all bytes are sent`() throws {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler) {
      $0.handlerTimeout = .milliseconds(100)
      $0.sendTimeout = .milliseconds(100)
      $0.headTimeout = .milliseconds(100)
      $0.idleTimeout = .seconds(1)
    }
    let client = try server.client()
    client.send(request("GET /"))
    #expect(try client.response().status == 200)
    let stream = handler.wait(1)[0]
    #expect(!blockUntil(within: .milliseconds(2500)) { !stream.write([]) })
    #expect(stream.write(Array("late".utf8)))
    #expect(try client.chunks(4) == "late")
  }

  @Test func `a client that is too far behind is disconnected, and no other`() throws {
    let handler = StreamHandler(capacity: 1 << 20)
    let server = try TestServer(handler: handler)
    let idle = try server.client(receiveBuffer: 4096)
    let eager = try server.client()
    for client in [idle, eager] {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    let both = handler.wait(2)
    let piece = [UInt8](repeating: 120, count: 100_000)
    var sent = 0
    while sent < 1000, both[0].write(piece) {
      sent += 1
      #expect(both[1].write(piece))
      #expect(try eager.chunks(piece.count).utf8.count == piece.count)
    }
    #expect(sent < 1000)
    #expect(idle.isClosedByServer)
  }

  @Test func `the buffer of the system for a client that does not read is bounded, and freed on disconnection`() throws
  {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler)
    let idle = try server.client(receiveBuffer: 4096)
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
    let stream = handler.wait(1)[0]
    var maximum = 0
    // The pace lets the system fill its buffer before the stream exceeds its capacity.
    while stream.write([UInt8](repeating: 120, count: 10_000)) {
      maximum = max(maximum, KernelSocket(from: server.server.port, to: idle.port)?.unacknowledged ?? 0)
      usleep(1000)
    }
    #expect(maximum > 0 && maximum <= 256 * 1024)
    // The client keeps its side open, as a malicious one would.
    #expect(blockUntil { KernelSocket(from: server.server.port, to: idle.port)?.isOrphaned != true })
    #expect(blockUntil { server.load.connections == 0 })
  }

  @Test func `the buffer of the system is freed if the library disconnects the client first`() throws {
    let handler = StreamHandler(capacity: 64 << 20)
    let server = try TestServer(handler: handler) { $0.idleTimeout = .seconds(1) }
    try expectDisconnectionOfIdleClient(of: server, handler)
  }

  /// Sends a client more than it reads, and expects the stream to end and the system to free its buffer.
  private func expectDisconnectionOfIdleClient(of server: TestServer, _ handler: StreamHandler) throws {
    let idle = try server.client(receiveBuffer: 4096)
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
    let stream = handler.wait(1)[0]
    #expect(stream.write([UInt8](repeating: 120, count: 20_000_000)))
    #expect(blockUntil { !stream.write([]) })
    #expect(blockUntil { KernelSocket(from: server.server.port, to: idle.port)?.isOrphaned != true })
  }

  @Test func `a stream ends after the head of a response to HEAD`() throws {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler)
    let client = try server.client()
    client.send(request("HEAD /"))
    let head = try client.response(toHead: true)
    #expect(head.status == 200 && head.headers["content-type"] == "text/plain")
    #expect(head.headers["content-length"] == nil)
    #expect(try client.readToEnd() == "")
    #expect(!handler.wait(1)[0].write([1]))
    #expect(blockUntil { server.load.streams == 0 })
  }

  @Test func `a client that takes no bytes within the send timeout is disconnected`() throws {
    let handler = StreamHandler(capacity: 64 << 20)
    let server = try TestServer(handler: handler) { $0.sendTimeout = .milliseconds(300) }
    try expectDisconnectionOfIdleClient(of: server, handler)
  }

  @Test func `a client that takes no bytes of the buffer of the system within the send timeout is disconnected`() throws
  {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler) { $0.sendTimeout = .milliseconds(300) }
    let idle = try server.client(receiveBuffer: 4096)
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
    let stream = handler.wait(1)[0]
    #expect(stream.write([UInt8](repeating: 120, count: 40_000)))
    #expect(blockUntil { server.load.streams == 0 && server.load.connections == 0 })
    #expect(!stream.write([]))
  }

  @Test func `a stream over the limit is refused`() throws {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler) { $0.streamLimit = 2 }
    let clients = try (0..<3).map { _ in try server.client() }
    let statuses = try clients.map { client in
      client.send(request("GET /"))
      return try client.response().status
    }
    #expect(statuses == [200, 200, 503])
    // The end of a stream makes room for another one.
    handler.wait(3)[0].end()
    #expect(try clients[0].chunks(0) == "")
    // The client may see the end before the library has released the response.
    #expect(blockUntil { server.load.streams == 1 })
    let next = try server.client()
    next.send(request("GET /"))
    #expect(try next.response().status == 200)
  }

  @Test func `a stream ends when the server stops`() throws {
    let handler = StreamHandler()
    let server = try TestServer(handler: handler)
    let clients = try (0..<50).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    let clock = ContinuousClock()
    let start = clock.now
    server.server.stop(grace: .seconds(120))
    #expect(clock.now - start < .seconds(60))
    for client in clients { #expect(try client.readToEnd() == "0\r\n\r\n") }
    for stream in handler.wait(50) { #expect(!stream.write([1])) }
  }
}

/// A handler that responds to every request with a stream. It answers without waiting, so that a busy machine delays no
/// response beyond the short timeouts of these tests.
private final class StreamHandler: Handler {
  private let streams = Mutex<[ResponseStream]>([])
  private let capacity: Int

  init(capacity: Int = 1 << 20) { self.capacity = capacity }

  func reply(to request: Request) -> Reply {
    let stream = ResponseStream(capacity: capacity)
    streams.withLock { $0.append(stream) }
    return .response(Response(status: 200, headers: [("Content-Type", "text/plain")], stream: stream))
  }

  func respond(to request: Request) async -> Response { await reply(to: request).response }

  /// Waits for this many streams, and returns all.
  func wait(_ count: Int) -> [ResponseStream] {
    blockUntil { streams.withLock { $0.count } >= count }
    return streams.withLock { $0 }
  }
}
