import MicroHTTP
import Testing

@Suite(.blocking) struct `A slow handler` {
  @Test func `is answered for after its deadline, and its late answer is dropped`() throws {
    let gate = Gate()
    let server = try TestServer(handler: gate) { $0.handlerTimeout = .milliseconds(200) }
    let client = try server.client()
    client.send(request("GET /a"))
    let response = try client.response()
    #expect(response.status == 503)
    #expect(response.body == "timedOut")
    #expect(eventually { server.server.load.suspended == 0 })
    #expect(server.server.load.abandonedHandlers == 1)
    gate.open()
    #expect(eventually { server.server.load.abandonedHandlers == 0 })
    client.send(request("GET /b"))
    #expect(try client.response().body == "late /b")
  }

  @Test func `does not keep other clients waiting`() throws {
    let server = try TestServer(waits: true) { $0.threads = 1 }
    let slow = try server.client()
    slow.send(request("GET /sleep/3000"))
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try server.exchange(request("GET /")).status == 200)
    #expect(clock.now - start < .milliseconds(2900))
    #expect(try slow.response().status == 200)
  }

  @Test func `may answer a client that has left`() throws {
    let gate = Gate()
    let server = try TestServer(handler: gate)
    var client: RawClient? = try server.client()
    client?.send(request("GET /a"))
    gate.waitUntilEntered(1)
    client = nil
    gate.open()
    #expect(try server.exchange(request("GET /b")).body == "late /b")
  }
}
