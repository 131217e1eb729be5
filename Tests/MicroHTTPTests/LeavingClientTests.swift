import MicroHTTP
import Testing

@Suite struct `A client that leaves` {
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

  @Test func `does not keep the server from stopping`() throws {
    let server = try server()
    for _ in 0..<20 {
      try server.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
    }
    pause(milliseconds: 50)
    let time = ContinuousClock().measure { server.server.stop(grace: .seconds(30)) }
    #expect(time < .seconds(10))
  }
}
