import MicroHTTP
import TestSupport
import Testing

/// Clients that exceed a timeout.
@Suite(.blocking) struct SlowClientTests {
  private func server(_ adjust: (inout Server.Configuration) -> Void = { _ in }) throws -> TestServer {
    try TestServer {
      $0.headTimeout = .milliseconds(300)
      $0.bodyTimeout = .milliseconds(300)
      $0.sendTimeout = .milliseconds(300)
      adjust(&$0)
    }
  }

  /// Sends a byte every 20 ms. Returns whether the server closes the connection meanwhile.
  private func isDisconnected(_ client: RawClient, whileTrickling text: String) -> Bool {
    for byte in text.utf8 {
      pause(milliseconds: 20)
      guard client.send([byte]) else { return true }
    }
    return false
  }

  @Test func `a client that trickles its head is disconnected`() throws {
    let client = try server().client()
    #expect(isDisconnected(client, whileTrickling: request("GET /", "X: " + String(repeating: "x", count: 300))))
  }

  @Test func `a client that trickles its body is disconnected`() throws {
    let client = try server().client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
    #expect(isDisconnected(client, whileTrickling: String(repeating: "x", count: 300)))
  }

  @Test func `a client that sends nothing is disconnected`() throws {
    #expect(try server().client().isClosedByServer)
  }

  @Test func `a client that sends nothing after a request is disconnected`() throws {
    let client = try server { $0.idleTimeout = .milliseconds(300) }.client()
    client.send(request("GET /"))
    _ = try client.response()
    #expect(client.isClosedByServer)
  }

  @Test func `a client that trickles a later head is disconnected`() throws {
    let client = try server().client()
    client.send(request("GET /"))
    _ = try client.response()
    client.send("GET / HTTP/1.1\r\n")
    #expect(isDisconnected(client, whileTrickling: String(repeating: "x", count: 300)))
  }

  @Test func `a client that does not read a large response is disconnected`() throws {
    let client = try server().client(receiveBuffer: 4096)
    client.send(request("GET /large/8000000"))
    pause(milliseconds: 1000)
    #expect(try client.readToEnd().utf8.count < 8_000_000)
  }

  @Test func `a client that reads a large response in time receives all of it`() throws {
    let response = try server().exchange(request("GET /large/2000000"))
    #expect(response.body.utf8.count == 2_000_000)
  }

  @Test func `a client that is in time with each request stays connected`() throws {
    let client = try server().client()
    for _ in 0..<10 {
      client.send(request("POST /", body: "abc"))
      #expect(try client.response().status == 200)
      pause(milliseconds: 100)
    }
  }
}

/// Handlers that exceed their timeout, or outlive their client.
@Suite(.blocking) struct SlowHandlerTests {
  @Test(arguments: [Suspension.task, .callback])
  func `a request is refused after the timeout of its handler, and the late response is dropped`(
    suspension: Suspension
  ) throws {
    let gate = GatedHandler(suspension)
    let server = try TestServer(handler: gate) { $0.handlerTimeout = .milliseconds(200) }
    let client = try server.client()
    client.send(request("GET /a"))
    let response = try client.response()
    #expect(response.status == 503)
    #expect(response.body == "timedOut")
    #expect(blockUntil { server.load.suspended == 0 })
    #expect(server.load.abandonedHandlers == 1)
    gate.open()
    #expect(blockUntil { server.load.abandonedHandlers == 0 })
    client.send(request("GET /b"))
    #expect(try client.response().body == "late /b")
  }

  @Test func `a slow handler does not delay other clients`() throws {
    let server = try TestServer(.task) { $0.threads = 1 }
    let slow = try server.client()
    slow.send(request("GET /sleep/3000"))
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try server.exchange(request("GET /")).status == 200)
    #expect(clock.now - start < .milliseconds(2900))
    #expect(try slow.response().status == 200)
  }

  @Test func `a handler may respond after its client has disconnected`() throws {
    let gate = GatedHandler()
    let server = try TestServer(handler: gate)
    var client: RawClient? = try server.client()
    client?.send(request("GET /a"))
    gate.waitUntilStarted(1)
    client = nil
    gate.open()
    #expect(try server.exchange(request("GET /b")).body == "late /b")
  }
}
