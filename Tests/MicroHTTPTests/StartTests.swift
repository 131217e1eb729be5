import MicroHTTP
import Testing

@Suite(.blocking) struct `Starting` {
  private func configuration(_ adjust: (inout Server.Configuration) -> Void) -> Server.Configuration {
    var configuration = Server.Configuration()
    adjust(&configuration)
    return configuration
  }

  @Test func `on a port in use is an error`() throws {
    let first = try TestServer()
    let second = Server(configuration: configuration { $0.port = first.server.port }, handler: EchoHandler())
    let error = ServerError.addressInUse(host: "127.0.0.1", port: first.server.port)
    #expect(throws: error) { try second.start() }
    #expect(error.description == "Port \(first.server.port) of 127.0.0.1 is already in use.")
  }

  @Test func `on a host that is none is an error`() throws {
    let server = Server(configuration: configuration { $0.host = "999.1.1.1" }, handler: EchoHandler())
    #expect { try server.start() } throws: { error in
      if case ServerError.badHost("999.1.1.1", _) = error { true } else { false }
    }
  }

  @Test func `on an address of another machine is an error`() throws {
    let server = Server(configuration: configuration { $0.host = "192.0.2.1" }, handler: EchoHandler())
    #expect { try server.start() } throws: { error in
      if case ServerError.cannotBind("192.0.2.1", _, _) = error { true } else { false }
    }
  }

  @Test func `twice is an error`() throws {
    let server = try TestServer()
    #expect(throws: ServerError.alreadyStarted) { try server.server.start() }
  }

  @Test(arguments: [1, 2, 3]) func `with any number of polling threads works`(threads: Int) throws {
    let server = try TestServer { $0.threads = threads }
    #expect(server.server.port != 0)
    #expect(try server.exchange(request("GET /")).status == 200)
    #expect(server.log == [])
  }

  @Test func `on all IPv6 addresses serves IPv4 as well`() throws {
    let server: TestServer
    do { server = try TestServer { $0.host = "::" } } catch ServerError.cannotBind { return }  // no IPv6 here
    #expect(try server.exchange(request("GET /")).status == 200)
  }

  @Test func `a server that nobody keeps stops`() throws {
    var server: Server? = Server(configuration: .init(), handler: EchoHandler())
    try server?.start()
    let port = try #require(server?.port)
    server = nil
    #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
  }
}
