import MicroHTTP
import Synchronization
import TestSupport
import Testing

/// Clients that disconnect, or close their sending side, at every stage of a request.
@Suite(.blocking) struct DisconnectionTests {
  /// Starts a server whose timeouts are longer than these tests.
  private func server(_ suspension: Suspension = .none) throws -> TestServer {
    try TestServer(suspension) { $0.bodyTimeout = .seconds(600) }
  }

  @Test(arguments: [
    "", "GET / HTTP/1.1\r\nHos", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc",
    request("GET /") + "GET /",
  ]) func `a client that closes its side before the end of its request is disconnected`(text: String) throws {
    let client = try server().client()
    client.send(text)
    client.finishSending()
    #expect(client.isClosedByServer)
  }

  @Test func `a client that closes its side after a request is disconnected`() throws {
    let client = try server().client()
    client.send(request("GET /"))
    #expect(try client.response().status == 200)
    client.finishSending()
    #expect(client.isClosedByServer)
  }

  @Test(arguments: Suspension.allCases)
  func `a client that closes its side receives the response to a complete request`(
    suspension: Suspension
  ) throws {
    let server = try server(suspension)
    for target in ["/a", "/sleep/1500", "/large/1000000"] {
      let client = try server.client()
      client.send(request("GET \(target)"))
      client.finishSending()
      #expect(try client.response().status == 200)
      #expect(client.isClosedByServer)
    }
  }

  @Test func `a client that closes its side receives a slow refusal`() throws {
    let server = try TestServer(handler: SlowlyRefusingHandler())
    let client = try server.client()
    client.send(request("GET relative"))
    client.finishSending()
    #expect(try client.response().status == 400)
    #expect(client.isClosedByServer)
  }

  @Test func `a client that closes its side receives the responses to pipelined requests`() throws {
    let server = try server()
    let client = try server.client()
    let requests = String(repeating: request("GET /sleep/30"), count: 50)
    client.send(requests)
    client.finishSending()
    for _ in 0..<50 { #expect(try client.response().status == 200) }
    #expect(client.isClosedByServer)
  }

  @Test func `disconnected clients do not delay the stop of the server`() throws {
    let server = try server()
    for _ in 0..<20 {
      try server.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
    }
    pause(milliseconds: 50)
    let time = ContinuousClock().measure { server.server.stop(grace: .seconds(120)) }
    #expect(time < .seconds(60))
  }

  /// Starts a server with one thread, and a connection that is idle for longer than all others. The library checks that
  /// connection in every round. It reads the other ones as it resumes them, and notices their disconnection before it
  /// asks for a response.
  private func suspendingServer(
    handler: any Handler, _ adjust: (inout Server.Configuration) -> Void = { _ in }
  ) throws -> (server: TestServer, idle: RawClient) {
    let server = try TestServer(handler: handler) {
      $0.threads = 1
      // Only the end of the connection can end a suspended request.
      $0.handlerTimeout = .seconds(600)
      adjust(&$0)
    }
    let idle = try server.client()
    #expect(blockUntil { server.load.connections == 1 })
    return (server, idle)
  }

  @Test func `the handler finishes after its client has disconnected`() throws {
    let gate = GatedHandler()
    let (server, idle) = try suspendingServer(handler: gate) { $0.abandonedLimit = 59 }
    for round in 1...3 {
      try disconnectClients(of: server, 20) { gate.waitUntilStarted(20 * round) }
      #expect(blockUntil { server.load.connections == 1 })
    }
    // The handlers still run. The server counts them as abandoned, and no request as suspended.
    #expect(blockUntil { server.load.abandonedHandlers == 60 })
    #expect(server.load.suspended == 0)
    #expect(server.load.requests == 0)
    // Disconnected clients occupy no more of the service than the others.
    idle.send(request("GET /"))
    #expect(try idle.response().status == 503)
    gate.open()
    #expect(blockUntil { gate.finishedCount == 60 })
    #expect(blockUntil { server.load.abandonedHandlers == 0 })
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
  }

  @Test func `a handler that is called back after its client has disconnected finishes`() throws {
    let gate = GatedHandler(.callback)
    let (server, idle) = try suspendingServer(handler: gate)
    try disconnectClients(of: server, 20) { gate.waitUntilStarted(20) }
    gate.open()
    #expect(blockUntil { server.load.connections == 1 && gate.finishedCount == 20 })
    #expect(blockUntil { server.load.abandonedHandlers == 0 })
    #expect(server.load.suspended == 0)
    #expect(server.load.requests == 0)
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
  }

  @Test func `a request that waits for its client ends when the client disconnects`() throws {
    let (server, idle) = try suspendingServer(handler: WaitingHandler())
    try disconnectClients(of: server, 20, target: "/wait") {
      #expect(blockUntil { server.load.suspended == 20 })
    }
    #expect(blockUntil { server.load.connections == 1 && server.load.suspended == 0 })
    #expect(blockUntil { server.load.abandonedHandlers == 0 })
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
  }

  @Test func `a request that works while it waits for its client ends with it`() throws {
    let (server, idle) = try suspendingServer(handler: WaitingHandler())
    for _ in 0..<5 {
      try disconnectClients(of: server, 20, target: "/poll") {
        #expect(blockUntil { server.load.connections == 21 })
      }
      try #require(blockUntil { server.load.connections == 1 && server.load.abandonedHandlers == 0 })
    }
    withExtendedLifetime(idle) {}
  }

  @Test func `requests with many parts that wait for their client end with it`() throws {
    let (server, idle) = try suspendingServer(handler: WaitingHandler(parts: 100)) {
      $0.sendTimeout = .milliseconds(40)  // The watchdog runs every 5 ms.
    }
    for _ in 0..<20 {
      try disconnectClients(of: server, 20, target: "/wait") {
        #expect(blockUntil { server.load.suspended == 20 })
      }
      try #require(blockUntil { server.load.connections == 1 && server.load.abandonedHandlers == 0 })
    }
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
  }

  @Test func `a stream for a disconnected client ends`() throws {
    let handler = LateStreamHandler()
    let (server, idle) = try suspendingServer(handler: handler)
    try disconnectClients(of: server, 20) { handler.gate.waitUntilStarted(20) }
    handler.gate.open()
    #expect(blockUntil { handler.streams.count == 20 })
    #expect(blockUntil { handler.streams.allSatisfy { !$0.write([1]) } })
    withExtendedLifetime(idle) {}
  }

  @Test func `requests of disconnected clients cause no load shedding`() throws {
    let handler = DelayHandler()
    let (server, idle) = try suspendingServer(handler: handler) {
      $0.handlerTimeout = .milliseconds(200)
      $0.loadSheddingThreshold = 4
    }
    for round in 1...6 {
      try disconnectClients(of: server, 30, target: "/100") {
        #expect(blockUntil { handler.begunCount == 30 * round })
      }
      for _ in 0..<60 {
        idle.send(request("GET /0"))
        #expect(try idle.response().status == 200)
        pause(milliseconds: 5)
      }
    }
  }

  /// Opens connections with a request each, and closes them after the condition.
  private func disconnectClients(
    of server: TestServer, _ count: Int, target: String = "/", after condition: () -> Void
  ) throws {
    let clients = try (0..<count).map { _ in try server.client() }
    for client in clients { client.send(request("GET \(target)")) }
    condition()
    withExtendedLifetime(clients) {}
  }
}

/// A handler whose refusals take longer than two rounds of the watchdog.
private struct SlowlyRefusingHandler: Handler {
  func respond(to request: Request) async -> Response { Response(status: 200) }

  func refuse(_ refusal: Refusal, of request: Request) -> Response {
    pause(milliseconds: 1500)
    return Response(status: refusal.status)
  }
}

/// A handler that waits as long as its client: for `/wait` in child tasks, and for `/poll` in steps of a millisecond.
private struct WaitingHandler: Handler {
  var parts = 1

  func reply(to request: Request) -> Reply {
    switch request.target {
    case "/wait":
      return .waiting {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<parts { group.addTask { try? await Task.sleep(for: .seconds(600)) } }
        }
        return Response(status: 200)
      }
    case "/poll":
      return .waiting {
        while (try? await Task.sleep(for: .milliseconds(1))) != nil {}
        return Response(status: 200)
      }
    default: return .response(Response(status: 200))
    }
  }

  func respond(to request: Request) async -> Response { await reply(to: request).response }
}

/// A handler that responds with a stream once its gate is open.
private final class LateStreamHandler: Handler {
  let gate = GatedHandler()
  private let created = Mutex<[ResponseStream]>([])

  var streams: [ResponseStream] { created.withLock { $0 } }

  func respond(to request: Request) async -> Response {
    _ = await gate.respond(to: request)
    let stream = ResponseStream()
    created.withLock { $0.append(stream) }
    return Response(status: 200, headers: [], stream: stream)
  }
}
