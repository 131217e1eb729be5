import Foundation
import MicroHTTP
import Testing

@Suite(.blocking) struct `Stopping` {
  @Test func `answers suspended connections when the grace is over`() throws {
    let gate = Gate()
    let server = try TestServer(handler: gate)
    let clients = try (0..<6).map { _ in try server.client() }
    for client in clients { client.send(request("GET /a")) }
    gate.waitUntilEntered(6)
    server.server.stop(grace: .milliseconds(100))
    for client in clients {
      let response = try client.response()
      #expect(response.status == 503)
      #expect(response.body == "draining")
      #expect(client.isClosedByServer)
    }
    gate.open()
    pause(milliseconds: 20)
  }

  @Test(arguments: [false, true]) func `finishes what is in flight`(waits: Bool) throws {
    let server = try TestServer(waits: waits)
    // Where the handler blocks, one behind another on the same polling thread has not begun, and is refused.
    let clients = try (0..<(waits ? 4 : 1)).map { _ in try server.client() }
    for client in clients { client.send(request("GET /sleep/200")) }
    pause(milliseconds: 50)
    let clock = ContinuousClock()
    let time = clock.measure { server.server.stop(grace: .seconds(5)) }
    for client in clients { #expect(try client.response().status == 200) }
    #expect(time < .seconds(2))
  }

  @Test(arguments: [false, true]) func `answers every request that was sent before`(halfClosed: Bool) throws {
    for _ in 0..<3 {
      let server = try TestServer()
      let clients = try (0..<100).map { _ in try server.client() }
      for client in clients {
        client.send(request("GET /first"))
        #expect(try client.response().status == 200)
      }
      for client in clients {
        client.send(request("GET /second"))
        if halfClosed { client.finishSending() }
      }
      server.server.stop(grace: .seconds(5))
      for client in clients { #expect(try client.response().status == 200) }
    }
  }

  @Test func `answers those that had connected before and were not accepted`() throws {
    for _ in 0..<10 {
      let server = try TestServer()
      let clients = try (0..<30).map { _ in try server.client() }
      for client in clients { client.send(request("GET /first")) }
      server.server.stop(grace: .seconds(5))
      for client in clients { #expect(try client.response().status == 200) }
    }
  }

  @Test func `stays within its grace with a client that is stuck in a body`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
    pause(milliseconds: 50)
    let time = ContinuousClock().measure { server.server.stop(grace: .milliseconds(300)) }
    #expect(time < .milliseconds(1000))
    #expect(client.isClosedByServer)
  }

  @Test func `answers one more request on open connections and refuses new ones`() throws {
    let gate = Gate()
    let server = try TestServer(handler: gate)
    let busy = try server.client()
    busy.send(request("GET /busy"))
    gate.waitUntilEntered(1)
    let idle = try server.client()
    let posting = try server.client()
    idle.send(request("HEAD /"))  // in flight as well, so that the connection is known to be accepted
    gate.waitUntilEntered(2)
    let stopping = Thread { server.server.stop(grace: .seconds(5)) }
    stopping.start()
    #expect(eventually { (try? RawClient(port: server.server.port)) == nil })
    posting.send(request("POST /last", body: "a body"))
    gate.waitUntilEntered(3)
    gate.open()
    let last = try posting.response()
    #expect(last.body == "late /last")
    #expect(last.closes)
    #expect(posting.isClosedByServer)
    #expect(try busy.response().body == "late /busy")
    #expect(try idle.response(toHead: true).status == 200)
    #expect(eventually { stopping.isFinished })
  }

  @Test func `closes idle connections at once`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(request("GET /"))
    _ = try client.response()
    let time = ContinuousClock().measure { server.server.stop(grace: .seconds(5)) }
    #expect(time < .seconds(1))
    #expect(client.isClosedByServer)
  }

  @Test func `waits for clients between two requests where it lingers`() throws {
    let server = try TestServer { $0.lingerTime = .seconds(2) }
    let clients = try (0..<2).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /first"))
      #expect(try client.response().status == 200)
    }
    let stopping = Thread { server.server.stop(grace: .seconds(5)) }
    stopping.start()
    #expect(eventually { (try? RawClient(port: server.server.port)) == nil })
    pause(milliseconds: 200)
    #expect(!stopping.isFinished)
    for client in clients {
      client.send(request("GET /last"))
      let last = try client.response()
      #expect(last.status == 200)
      #expect(last.closes)
    }
    #expect(eventually { stopping.isFinished })
  }

  @Test func `cuts a client that does not finish its request`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
    pause(milliseconds: 50)
    server.server.stop(grace: .milliseconds(50))
    #expect(client.isClosedByServer)
  }

  @Test func `twice, or before the start, does nothing`() throws {
    let server = try TestServer()
    server.server.stop(grace: .zero)
    server.server.stop(grace: .zero)
    let unstarted = Server(configuration: .init(), handler: EchoHandler())
    unstarted.stop(grace: .zero)
    #expect(throws: ServerError.alreadyStarted) { try unstarted.start() }
  }

  @Test(arguments: [false, true]) func `under load never ends the process`(waits: Bool) throws {
    for _ in 0..<5 {
      let server = try TestServer(waits: waits)
      let clients = (0..<8).map { _ in
        Thread {
          guard let client = try? server.client() else { return }
          while client.send(request("POST /", body: "x")), (try? client.response()) != nil {}
        }
      }
      for client in clients { client.start() }
      pause(milliseconds: 50)
      server.server.stop(grace: .milliseconds(20))
      #expect(eventually { clients.allSatisfy(\.isFinished) })
    }
  }
}

func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }
