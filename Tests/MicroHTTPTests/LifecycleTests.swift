import Foundation
import MicroHTTP
import TestSupport
import Testing

/// The start of a server.
@Suite(.blocking) struct ServerStartTests {
  private func configuration(_ adjust: (inout Server.Configuration) -> Void) -> Server.Configuration {
    var configuration = Server.Configuration()
    adjust(&configuration)
    return configuration
  }

  @Test(arguments: ["--port", "--admin-port"])
  func `a port in use is an error that names the setting to change`(setting: String) throws {
    let first = try TestServer()
    let second = Server(
      configuration: configuration {
        $0.port = first.server.port
        $0.portSetting = setting
      }, handler: EchoHandler())
    let error = ServerError.addressInUse(port: first.server.port, setting: setting)
    #expect(throws: error) { try second.start() }
    #expect(error.description == "Port \(first.server.port) is already in use. Choose another one with \(setting).")
  }

  @Test func `an unknown host is an error`() throws {
    let server = Server(configuration: configuration { $0.host = "999.1.1.1" }, handler: EchoHandler())
    #expect { try server.start() } throws: { error in
      if case ServerError.badHost("999.1.1.1", _, "--bind") = error { true } else { false }
    }
  }

  @Test func `an address of another machine is an error`() throws {
    let server = Server(configuration: configuration { $0.host = "192.0.2.1" }, handler: EchoHandler())
    #expect { try server.start() } throws: { error in
      if case ServerError.cannotBind("192.0.2.1", _, _, "--bind or --port") = error { true } else { false }
    }
  }

  @Test func `a second start is an error`() throws {
    let server = try TestServer()
    #expect(throws: ServerError.alreadyStarted) { try server.server.start() }
  }

  @Test(arguments: [1, 2, 3]) func `a server works with any number of polling threads`(threads: Int) throws {
    let server = try TestServer { $0.threads = threads }
    #expect(server.server.port != 0)
    #expect(try server.exchange(request("GET /")).status == 200)
    #expect(server.log == [])
  }

  @Test func `a server on all IPv6 addresses serves IPv4, too`() throws {
    let server: TestServer
    // Some machines have no IPv6.
    do { server = try TestServer { $0.host = "::" } } catch ServerError.cannotBind { return }
    #expect(try server.exchange(request("GET /")).status == 200)
  }
}

/// The stop of a server, with and without a grace period.
@Suite(.blocking) struct ServerStopTests {
  @Test(arguments: [Suspension.task, .callback]) func `suspended requests are refused after the grace period`(
    suspension: Suspension
  ) throws {
    let gate = GatedHandler(suspension)
    let server = try TestServer(handler: gate)
    let clients = try (0..<6).map { _ in try server.client() }
    for client in clients { client.send(request("GET /a")) }
    gate.waitUntilStarted(6)
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

  @Test(arguments: Suspension.allCases) func `in-flight requests are finished`(suspension: Suspension) throws {
    let server = try TestServer(suspension)
    // A blocking handler delays further requests on its polling thread. The server refuses them, because they start
    // too late.
    let clients = try (0..<(suspension == .none ? 1 : 4)).map { _ in try server.client() }
    for client in clients { client.send(request("GET /sleep/200")) }
    pause(milliseconds: 50)
    let clock = ContinuousClock()
    let time = clock.measure { server.server.stop(grace: .seconds(120)) }
    for client in clients { #expect(try client.response().status == 200) }
    #expect(time < .seconds(60))
  }

  @Test(arguments: [false, true]) func `every request that was sent before the stop is served`(halfClosed: Bool) throws
  {
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
      server.server.stop(grace: .seconds(300))
      for client in clients { #expect(try client.response().status == 200) }
    }
  }

  @Test func `clients in the queue of the system are served`() throws {
    for _ in 0..<10 {
      let server = try TestServer()
      let clients = try (0..<30).map { _ in try server.client() }
      for client in clients { client.send(request("GET /first")) }
      server.server.stop(grace: .seconds(300))
      for client in clients { #expect(try client.response().status == 200) }
    }
  }

  @Test func `a client that does not finish its body does not extend the grace period`() throws {
    let server = try TestServer { $0.bodyTimeout = .seconds(600) }
    let client = try server.client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
    pause(milliseconds: 50)
    let time = ContinuousClock().measure { server.server.stop(grace: .milliseconds(300)) }
    #expect(time < .seconds(60))
    #expect(client.isClosedByServer)
  }

  @Test func `a stopping server serves one more request on open connections, and refuses new ones`() throws {
    let gate = GatedHandler()
    let server = try TestServer(handler: gate)
    let busy = try server.client()
    busy.send(request("GET /busy"))
    gate.waitUntilStarted(1)
    let idle = try server.client()
    let posting = try server.client()
    idle.send(request("HEAD /"))  // In flight as well, which proves that the connection was accepted.
    gate.waitUntilStarted(2)
    // The stop ends with the last response. A slow machine takes longer than a usual grace period to send the requests.
    let stopping = Thread { server.server.stop(grace: .seconds(300)) }
    stopping.start()
    #expect(blockUntil { (try? RawClient(port: server.server.port)) == nil })
    posting.send(request("POST /last", body: "a body"))
    gate.waitUntilStarted(3)
    gate.open()
    let last = try posting.response()
    #expect(last.body == "late /last")
    #expect(last.closes)
    #expect(posting.isClosedByServer)
    #expect(try busy.response().body == "late /busy")
    #expect(try idle.response(toHead: true).status == 200)
    #expect(blockUntil { stopping.isFinished })
  }

  @Test func `idle connections are closed at once`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(request("GET /"))
    _ = try client.response()
    let time = ContinuousClock().measure { server.server.stop(grace: .seconds(120)) }
    #expect(time < .seconds(60))
    #expect(client.isClosedByServer)
  }

  @Test func `a stopping server waits for clients between two requests during the linger time`() throws {
    let server = try TestServer { $0.lingerTime = .seconds(300) }
    let clients = try (0..<2).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /first"))
      #expect(try client.response().status == 200)
    }
    // The last response ends the stop. A slow machine takes longer than a usual linger time to send the requests.
    let stopping = Thread { server.server.stop(grace: .seconds(300)) }
    stopping.start()
    #expect(blockUntil { (try? RawClient(port: server.server.port)) == nil })
    pause(milliseconds: 200)
    #expect(!stopping.isFinished)
    for client in clients {
      client.send(request("GET /last"))
      let last = try client.response()
      #expect(last.status == 200)
      #expect(last.closes)
    }
    #expect(blockUntil { stopping.isFinished })
  }

  @Test func `a client that does not finish its request is disconnected`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
    pause(milliseconds: 50)
    server.server.stop(grace: .milliseconds(50))
    #expect(client.isClosedByServer)
  }

  @Test func `a second stop, or one before the start, has no effect`() throws {
    let server = try TestServer()
    server.server.stop(grace: .zero)
    server.server.stop(grace: .zero)
    let unstarted = Server(configuration: .init(), handler: EchoHandler())
    unstarted.stop(grace: .zero)
    #expect(throws: ServerError.alreadyStarted) { try unstarted.start() }
  }

  @Test func `a server stops when its last reference is gone`() throws {
    var server: Server? = Server(configuration: .init(), handler: EchoHandler())
    try server?.start()
    let port = try #require(server?.port)
    server = nil
    #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
  }

  @Test(arguments: Suspension.allCases) func `a stop under load does not end the process`(suspension: Suspension) throws
  {
    for _ in 0..<5 {
      let server = try TestServer(suspension)
      let clients = (0..<8).map { _ in
        Thread {
          guard let client = try? server.client() else { return }
          while client.send(request("POST /", body: "x")), (try? client.response()) != nil {}
        }
      }
      for client in clients { client.start() }
      pause(milliseconds: 50)
      server.server.stop(grace: .milliseconds(20))
      #expect(blockUntil { clients.allSatisfy(\.isFinished) })
    }
  }
}
