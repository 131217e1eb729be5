import MicroHTTP
import Testing

@Suite struct `An overloaded server` {
  @Test func `closes connections over the limit and serves those below it`() throws {
    let server = try TestServer {
      $0.threads = 1
      $0.connectionLimit = 3
    }
    let clients = try (0..<3).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    #expect(try server.client().isClosedByServer)
    #expect(try clients.map { $0.send(request("GET /")) ? try $0.response().status : 0 } == [200, 200, 200])
  }

  @Test func `goes on after many more connections than it takes`() throws {
    let server = try TestServer { $0.connectionLimit = 60 }
    for _ in 0..<3 {
      let clients = try (0..<300).map { _ in try server.client() }
      #expect(clients.count == 300)
    }
    #expect(eventually { (try? server.exchange(request("GET /"))).map { $0.status == 200 } ?? false })
    let clock = ContinuousClock()
    let start = clock.now
    server.server.stop(grace: .seconds(2))
    #expect(clock.now - start < .seconds(5))
  }

  @Test func `refuses what is over the limit of requests in flight`() throws {
    let gate = Gate()
    let server = try TestServer(handler: gate) { $0.inFlightLimit = 2 }
    let clients = try (0..<2).map { _ in try server.client() }
    for client in clients { client.send(request("GET /admitted")) }
    gate.waitUntilEntered(2)
    for line in ["GET /", "POST /"] {
      let refused = try server.exchange(request(line, body: line == "GET /" ? "" : "a body"))
      #expect(refused.status == 503)
      #expect(refused.body == "overloaded")
    }
    gate.open()
    for client in clients { #expect(try client.response().status == 200) }
    #expect(eventually { (try? server.exchange(request("GET /"))).map { $0.status == 200 } ?? false })
  }
}
