import Foundation
import HTTPTransport
import TestSupport
import Testing

/// The requests as a server receives them.
@Suite struct RequestTests {
  private let servers = Servers()
  private let transport = CurlTransport.make()

  @Test func `a request has its method, path, query and headers, and no further headers but Host`() async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    var request = HTTPRequest.make(server, "/a%2Fb/%2E%2E/c?d=e%20f")
    request.headers = [("X-One", "1"), ("Empty", ""), ("X-Two", "zwei – drei")]
    #expect(try await transport.send(request).text == "ok")
    #expect(
      server.heads == [
        "GET /a%2Fb/%2E%2E/c?d=e%20f HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX-One: 1\r\nEmpty:\r\nX-Two: zwei – drei"
      ])
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"])
  func `a body of several megabytes arrives unchanged`(_ method: String) async throws {
    let piece = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let body = [[UInt8]](repeating: piece, count: 3000).flatMap { $0 }
    let server = try servers.start { connection in
      try connection.head()
      let received = try connection.read(3_000_000)
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(received.count)\r\n\r\n")
      try connection.write(received)
    }
    var request = HTTPRequest.make(server, method: method)
    request.body = body
    #expect(try await transport.send(request).body == body)
    #expect(
      server.heads == ["\(method) / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 3000000"])
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `a method with a body declares an empty one`(_ method: String) async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 204 None\r\n\r\n")
    }
    #expect(try await transport.send(.make(server, method: method)).status == 204)
    #expect(server.heads == ["\(method) / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 0"])
  }

  @Test(arguments: [
    "ftp://127.0.0.1/", "file:///etc/passwd", "http:///path", "//127.0.0.1/", "mailto:a@b.c", "http://user@127.0.0.1/",
    "http://user:word@127.0.0.1/", "http://:word@127.0.0.1/",
  ])
  func `only URLs with http or https and without credentials are accepted`(_ url: String) async throws {
    let url = try #require(URL(string: url))
    let error = await failure { try await transport.send(HTTPRequest("GET", url)) } as? TransportError
    guard case .invalidRequest(let text) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!text.contains("word") || text.contains("a password"))
    #expect(!text.contains("user@") && !text.contains("word@"))
  }

  @Test(arguments: [
    ("A\r\nB", "c"), ("A", "b\r\nC: d"), ("A", "b\nC: d"), ("A", "b\0c"), ("", "a"), ("A B", "c"), ("A:", "b"),
    ("Content-Length", "3"), ("transfer-encoding", "chunked"),
  ])
  func `a header cannot end another one or the request`(_ name: String, _ value: String) async throws {
    let server = try servers.start { try $0.head() }
    var request = HTTPRequest.make(server)
    request.headers = [(name, value)]
    let error = await failure { [request] in try await transport.send(request) } as? TransportError
    guard case .invalidRequest = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.accepted == 0)
  }

  @Test(arguments: ["", "GET /", "GET\r\nA: b", "Gét"])
  func `a method must be a token`(_ method: String) async throws {
    let server = try servers.start { try $0.head() }
    let error = await failure { try await transport.send(.make(server, method: method)) } as? TransportError
    guard case .invalidRequest = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.accepted == 0)
  }

  @Test func `the error of a refused connection names the server without the path`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/v1/sessions/secret"))
    let error = await failure { try await transport.send(HTTPRequest("GET", url)) } as? TransportError
    guard case .cannotConnect(let text) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.hasPrefix("http://127.0.0.1:1 cannot be reached: ") && !text.contains("secret"))
  }

  @Test func `a server on IPv6 is reached`() async throws {
    let server = try servers.start(isIPv6: true) { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    #expect(try await transport.send(.make(server)).text == "ok")
    #expect(server.heads == ["GET / HTTP/1.1\r\nHost: [::1]:\(server.port)"])
  }
}
