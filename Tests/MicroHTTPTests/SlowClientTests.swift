import MicroHTTP
import Testing

@Suite(.blocking) struct `A slow client` {
  private func server(_ adjust: (inout Server.Configuration) -> Void = { _ in }) throws -> TestServer {
    try TestServer {
      $0.headTimeout = .milliseconds(300)
      $0.bodyTimeout = .milliseconds(300)
      $0.sendTimeout = .milliseconds(300)
      adjust(&$0)
    }
  }

  /// Sends a byte every 20 ms; the time after which the server had enough, or nil.
  private func trickle(_ text: String, to client: RawClient) -> Duration? {
    let clock = ContinuousClock()
    let start = clock.now
    for byte in text.utf8 {
      pause(milliseconds: 20)
      guard client.send([byte]) else { return clock.now - start }
    }
    return nil
  }

  @Test func `that trickles its head is cut`() throws {
    let client = try server().client()
    let time = try #require(trickle(request("GET /", "X: " + String(repeating: "x", count: 300)), to: client))
    #expect(time < .seconds(3))
  }

  @Test func `that trickles its body is cut`() throws {
    let client = try server().client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
    let time = try #require(trickle(String(repeating: "x", count: 300), to: client))
    #expect(time < .seconds(3))
  }

  @Test func `that says nothing is cut`() throws {
    #expect(try server().client().isClosedByServer)
  }

  @Test func `that says nothing after a request is cut`() throws {
    let client = try server { $0.idleTimeout = .milliseconds(300) }.client()
    client.send(request("GET /"))
    _ = try client.response()
    #expect(client.isClosedByServer)
  }

  @Test func `that trickles a later head is cut`() throws {
    let client = try server().client()
    client.send(request("GET /"))
    _ = try client.response()
    client.send("GET / HTTP/1.1\r\n")
    #expect(trickle(String(repeating: "x", count: 300), to: client) != nil)
  }

  @Test func `that does not read a large response is cut`() throws {
    let client = try server().client(receiveBuffer: 4096)
    client.send(request("GET /large/8000000"))
    pause(milliseconds: 1000)
    #expect(try client.readToEnd().utf8.count < 8_000_000)
  }

  @Test func `that reads a large response in time gets all of it`() throws {
    let response = try server().exchange(request("GET /large/2000000"))
    #expect(response.body.utf8.count == 2_000_000)
  }

  @Test func `that is quick is never cut`() throws {
    let client = try server().client()
    for _ in 0..<10 {
      client.send(request("POST /", body: "abc"))
      #expect(try client.response().status == 200)
      pause(milliseconds: 100)
    }
  }
}
