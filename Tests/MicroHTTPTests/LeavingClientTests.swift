import MicroHTTP
import Synchronization
import Testing

@Suite(.blocking) struct `A client that leaves` {
  /// No deadline but the one that is looked at ends anything here in time.
  private func server(waits: Bool = false) throws -> TestServer {
    try TestServer(waits: waits) {
      $0.idleTimeout = .seconds(60)
      $0.headTimeout = .seconds(60)
      $0.bodyTimeout = .seconds(60)
    }
  }

  @Test(arguments: [
    "", "GET / HTTP/1.1\r\nHos", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc",
    request("GET /") + "GET /",
  ]) func `before its request is whole is let go`(text: String) throws {
    let client = try server().client()
    client.send(text)
    client.finishSending()
    #expect(client.isClosedByServer)
  }

  @Test func `after a request is let go`() throws {
    let client = try server().client()
    client.send(request("GET /"))
    #expect(try client.response().status == 200)
    client.finishSending()
    #expect(client.isClosedByServer)
  }

  @Test(arguments: [false, true]) func `and still reads gets the answer to a whole request`(waits: Bool) throws {
    let server = try server(waits: waits)
    for target in ["/a", "/sleep/1500", "/large/1000000"] {
      let client = try server.client()
      client.send(request("GET \(target)"))
      client.finishSending()
      #expect(try client.response().status == 200)
      #expect(client.isClosedByServer)
    }
  }

  @Test func `and still reads gets the refusal of a whole request, however long it takes`() throws {
    let server = try TestServer(handler: SlowRefusals())
    let client = try server.client()
    client.send(request("GET relative"))
    client.finishSending()
    #expect(try client.response().status == 400)
    #expect(client.isClosedByServer)
  }

  @Test func `and still reads gets the answers to many requests at once`() throws {
    let server = try server()
    let client = try server.client()
    let requests = String(repeating: request("GET /sleep/30"), count: 50)
    client.send(requests)
    client.finishSending()
    for _ in 0..<50 { #expect(try client.response().status == 200) }
    #expect(client.isClosedByServer)
  }

  @Test func `does not keep the server from stopping`() throws {
    let server = try server()
    for _ in 0..<20 {
      try server.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
    }
    pause(milliseconds: 50)
    let time = ContinuousClock().measure { server.server.stop(grace: .seconds(30)) }
    #expect(time < .seconds(10))
  }

  /// With one thread, and a connection that has been idle for longer than all others: that one the library looks at in every round, and
  /// of the others it reads when they are resumed, and so finds their clients gone without asking for an answer.
  private func suspendingServer(
    handler: any Handler, _ adjust: (inout Server.Configuration) -> Void = { _ in }
  ) throws -> (server: TestServer, idle: RawClient) {
    let server = try TestServer(handler: handler) {
      $0.threads = 1
      $0.idleTimeout = .seconds(600)
      // Only the end of the connection can end what waits.
      $0.handlerTimeout = .seconds(600)
      adjust(&$0)
    }
    let idle = try server.client()
    #expect(eventually { server.server.load.connections == 1 })
    return (server, idle)
  }

  @Test func `while its request is suspended lets the handler end`() throws {
    let gate = Gate()
    let (server, idle) = try suspendingServer(handler: gate)
    for round in 1...3 {
      try leave(server, 20) { gate.waitUntilEntered(20 * round) }
      #expect(eventually { server.server.load.connections == 1 })
    }
    // The handlers wait still; the server counts them, and none as one that a client waits for.
    #expect(eventually { server.server.load.abandonedHandlers == 60 })
    #expect(server.server.load.suspended == 0)
    #expect(server.server.load.requests == 0)
    gate.open()
    #expect(eventually { gate.ended == 60 })
    #expect(eventually { server.server.load.abandonedHandlers == 0 })
    idle.send(request("GET /"))
    #expect(try idle.response().status == 200)
  }

  @Test func `while its request is suspended gets no stream`() throws {
    let streams = LateStreams()
    let (server, idle) = try suspendingServer(handler: streams)
    try leave(server, 20) { streams.gate.waitUntilEntered(20) }
    streams.gate.open()
    #expect(eventually { streams.all.count == 20 })
    #expect(eventually { streams.all.allSatisfy { !$0.write([1]) } })
    withExtendedLifetime(idle) {}
  }

  @Test func `while its request is suspended gets nobody else refused`() throws {
    let (server, idle) = try suspendingServer(handler: WaitingHandler()) {
      $0.handlerTimeout = .milliseconds(200)
      $0.overloadFloor = 4
    }
    for _ in 0..<6 {
      try leave(server, 30, target: "/100") {
        #expect(eventually { server.server.load.requests == 30 })
      }
      for _ in 0..<60 {
        idle.send(request("GET /0"))
        #expect(try idle.response().status == 200)
        pause(milliseconds: 5)
      }
    }
  }

  /// Closes as many connections as said, each with a request under way.
  private func leave(_ server: TestServer, _ count: Int, target: String = "/", when isTime: () -> Void) throws {
    let clients = try (0..<count).map { _ in try server.client() }
    for client in clients { client.send(request("GET \(target)")) }
    isTime()
    withExtendedLifetime(clients) {}
  }
}

/// Takes longer for a refusal than the watchdog takes to look twice at a connection.
private struct SlowRefusals: Handler {
  func respond(to request: Request) async -> Response { Response(status: 200) }

  func refuse(_ refusal: Refusal, of request: Request) -> Response {
    pause(milliseconds: 1500)
    return Response(status: refusal.status)
  }
}

/// Answers with streams, once the gate is open.
private final class LateStreams: Handler {
  let gate = Gate()
  private let made = Mutex<[ResponseStream]>([])

  var all: [ResponseStream] { made.withLock { $0 } }

  func respond(to request: Request) async -> Response {
    _ = await gate.respond(to: request)
    let stream = ResponseStream()
    made.withLock { $0.append(stream) }
    return Response(status: 200, headers: [], stream: stream)
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }
}
