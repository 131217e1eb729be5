import Glibc
import MicroHTTP
import Synchronization
import Testing

@Suite(.blocking) struct `A stream` {
  @Test func `sends what is written as it is written, and ends`() throws {
    let streams = Streams()
    let server = try TestServer(handler: streams)
    let client = try server.client()
    client.send(request("GET /"))
    // The head is there before anything is written.
    let head = try client.response()
    #expect(head.status == 200 && head.headers["transfer-encoding"] == "chunked")
    let stream = streams.wait(1)[0]
    let long = String(repeating: "x", count: 100_000)
    for text in ["one", "two", long] {
      #expect(stream.write(Array(text.utf8)))
      #expect(try client.chunks(text.utf8.count) == text)
    }
    stream.end()
    #expect(!stream.write([1]))
    #expect(try client.chunks(0) == "")
    // The connection serves the next request.
    client.send(request("GET /next"))
    #expect(try client.response().status == 200)
  }

  @Test func `is written from many threads at once`() async throws {
    let streams = Streams()
    let server = try TestServer(handler: streams) { $0.inFlightLimit = 3 }
    // Streams are no requests under way.
    let clients = try (0..<20).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    let all = streams.wait(20)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<250 { for stream in all { _ = stream.write(Array("0123456789".utf8)) } } }
      }
    }
    for client in clients {
      #expect(try client.chunks(10_000) == String(repeating: "0123456789", count: 1000))
    }
  }

  @Test func `ends with its client`() throws {
    let streams = Streams()
    let server = try TestServer(handler: streams) { $0.handlerTimeout = .milliseconds(100) }
    var client: RawClient? = try server.client()
    client?.send(request("GET /"))
    #expect(try client?.response().status == 200)
    let stream = streams.wait(1)[0]
    client = nil
    #expect(eventually { !stream.write([1]) })
    // The target of a request may be a secret.
    #expect(server.log == [])
  }

  /// The library looks at the connection that has been idle for longest by itself, hence the one that stays.
  @Test func `whose client has left keeps no connection open`() throws {
    let server = try TestServer(handler: Streams()) {
      $0.threads = 1
      $0.idleTimeout = .seconds(600)
    }
    let idle = try server.client()
    #expect(eventually { server.server.load.connections == 1 })
    var clients = try (0..<20).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    #expect(server.server.load.connections == 21)
    clients = []
    #expect(eventually { server.server.load.connections == 1 })
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
  }

  @Test func `outlives every deadline while nothing is to be sent`() throws {
    let streams = Streams()
    let server = try TestServer(handler: streams) {
      $0.handlerTimeout = .milliseconds(100)
      $0.sendTimeout = .milliseconds(100)
      $0.headTimeout = .milliseconds(100)
      $0.idleTimeout = .seconds(1)
    }
    let client = try server.client()
    client.send(request("GET /"))
    #expect(try client.response().status == 200)
    let stream = streams.wait(1)[0]
    #expect(!eventually(within: .milliseconds(2500)) { !stream.write([]) })
    #expect(stream.write(Array("late".utf8)))
    #expect(try client.chunks(4) == "late")
  }

  @Test func `cuts off who is too far behind, and nobody else`() throws {
    let streams = Streams(capacity: 1 << 20)
    let server = try TestServer(handler: streams)
    let idle = try server.client(receiveBuffer: 4096)
    let eager = try server.client()
    for client in [idle, eager] {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    let both = streams.wait(2)
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

  @Test func `takes little of the system for a client that does not read, and nothing once it is cut off`() throws {
    let streams = Streams()
    let server = try TestServer(handler: streams)
    let idle = try server.client(receiveBuffer: 4096)
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
    let stream = streams.wait(1)[0]
    var most = 0
    // At a pace at which the system takes as much as it may before the stream gives up.
    while stream.write([UInt8](repeating: 120, count: 10_000)) {
      most = max(most, KernelSocket(from: server.server.port, to: idle.port)?.unacknowledged ?? 0)
      usleep(1000)
    }
    #expect(most > 0 && most <= 256 * 1024)
    // The client keeps its side open, as one that means harm would.
    #expect(eventually { KernelSocket(from: server.server.port, to: idle.port)?.isOrphaned != true })
    #expect(eventually { server.server.load.connections == 0 })
  }

  @Test func `leaves nothing in the system where the library gives up on a client first`() throws {
    let streams = Streams(capacity: 64 << 20)
    let server = try TestServer(handler: streams) { $0.idleTimeout = .seconds(1) }
    try expectDisconnectionOfIdleClient(of: server, streams)
  }

  /// Sends a client more than it reads, and expects that the stream ends and the system keeps nothing of it.
  private func expectDisconnectionOfIdleClient(of server: TestServer, _ streams: Streams) throws {
    let idle = try server.client(receiveBuffer: 4096)
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
    let stream = streams.wait(1)[0]
    #expect(stream.write([UInt8](repeating: 120, count: 20_000_000)))
    #expect(eventually { !stream.write([]) })
    #expect(eventually { KernelSocket(from: server.server.port, to: idle.port)?.isOrphaned != true })
  }

  @Test func `sends a HEAD request the head alone, and ends`() throws {
    let streams = Streams()
    let server = try TestServer(handler: streams)
    let client = try server.client()
    client.send(request("HEAD /"))
    let head = try client.response(toHead: true)
    #expect(head.status == 200 && head.headers["content-type"] == "text/plain")
    #expect(head.headers["content-length"] == nil)
    #expect(try client.readToEnd() == "")
    #expect(!streams.wait(1)[0].write([1]))
    #expect(eventually { server.server.load.streams == 0 })
  }

  @Test func `cuts off who takes nothing for too long`() throws {
    let streams = Streams(capacity: 64 << 20)
    let server = try TestServer(handler: streams) { $0.sendTimeout = .milliseconds(300) }
    try expectDisconnectionOfIdleClient(of: server, streams)
  }

  @Test func `cuts off who takes nothing of what the system has taken`() throws {
    let streams = Streams()
    let server = try TestServer(handler: streams) { $0.sendTimeout = .milliseconds(300) }
    let idle = try server.client(receiveBuffer: 4096)
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
    let stream = streams.wait(1)[0]
    #expect(stream.write([UInt8](repeating: 120, count: 40_000)))
    #expect(eventually { server.server.load.streams == 0 && server.server.load.connections == 0 })
    #expect(!stream.write([]))
  }

  @Test func `leaves room for others`() throws {
    let streams = Streams()
    let server = try TestServer(handler: streams) { $0.streamLimit = 2 }
    let clients = try (0..<3).map { _ in try server.client() }
    let statuses = try clients.map { client in
      client.send(request("GET /"))
      return try client.response().status
    }
    #expect(statuses == [200, 200, 503])
    // The place of one that has ended is free again.
    streams.wait(3)[0].end()
    #expect(try clients[0].chunks(0) == "")
    let next = try server.client()
    next.send(request("GET /"))
    #expect(try next.response().status == 200)
  }

  @Test func `ends when the server stops`() throws {
    let streams = Streams()
    let server = try TestServer(handler: streams)
    let clients = try (0..<50).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    let clock = ContinuousClock()
    let start = clock.now
    server.server.stop(grace: .seconds(10))
    #expect(clock.now - start < .seconds(5))
    for client in clients { #expect(try client.readToEnd() == "0\r\n\r\n") }
    for stream in streams.wait(50) { #expect(!stream.write([1])) }
  }
}

/// Answers every request with a stream, which the test gets.
private final class Streams: Handler {
  private let all = Mutex<[ResponseStream]>([])
  private let capacity: Int

  init(capacity: Int = 1 << 20) { self.capacity = capacity }

  func respond(to request: Request) async -> Response {
    let stream = ResponseStream(capacity: capacity)
    all.withLock { $0.append(stream) }
    return Response(status: 200, headers: [("Content-Type", "text/plain")], stream: stream)
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }

  func wait(_ count: Int) -> [ResponseStream] {
    eventually { all.withLock { $0.count } >= count }
    return all.withLock { $0 }
  }
}
