import MicroHTTP
import Testing

@Suite struct `An overloaded server` {
  @Test func `refuses what its queue cannot hold`() throws {
    let gate = Gate()
    let server = try TestServer(workers: 1, handler: gate) { $0.queueLimit = 2 }
    let first = try server.client()
    first.send(request("GET /first"))
    gate.waitUntilEntered(1)
    let clients = try (0..<10).map { _ in try server.client() }
    for client in clients { client.send(request("GET /more")) }
    pause(milliseconds: 300)
    gate.open()
    #expect(try first.response().body == "late /first")
    let responses = try clients.map { try $0.response() }
    #expect(responses.count { $0.status == 200 && $0.body == "late /more" } == 2)
    #expect(responses.count { $0.status == 503 && $0.body == "overloaded" } == 8)
  }

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

  @Test func `refuses what is over the limit of requests in flight`() throws {
    let gate = Gate()
    let server = try TestServer(workers: 2, handler: gate) { $0.inFlightLimit = 2 }
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
