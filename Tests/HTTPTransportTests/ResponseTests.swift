import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing

/// The parsing of responses.
@Suite struct ResponseTests {
  private let servers = Servers()
  private let transport = CurlTransport.make()

  /// A server that answers every request with the same bytes. It closes the connection after the first one by default.
  private func server(_ response: String, closes: Bool = true) throws -> ScriptedServer {
    try servers.start { connection in
      repeat {
        try connection.head()
        try connection.write(response)
      } while !closes
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\n\r\nhello",
    "HTTP/1.0 200 OK\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
  ])
  func `a body is read with every kind of framing`(_ response: String) async throws {
    let server = try server(response)
    let response = try await transport.send(.make(server))
    #expect(response.status == 200 && response.text == "hello")
    #expect(response.head["X"] == nil && response.head["Trailer"] == nil)
  }

  @Test func `headers keep their order, and are found in any case`() async throws {
    let server = try server(
      "HTTP/1.1 404 Not: Found\r\nX-A:  one \r\nset-cookie: a=b\r\nSet-Cookie: c=d\r\nFolded: x\r\n  y\r\n"
        + "Empty:\r\nContent-Length: 0\r\n\r\n"
    )
    let head = try await transport.send(.make(server)).head
    #expect(head.status == 404)
    #expect(head.headers.map(\.name) == ["X-A", "set-cookie", "Set-Cookie", "Folded", "Empty", "Content-Length"])
    #expect(head.headers.map(\.value) == ["one", "a=b", "c=d", "x y", "", "0"])
    #expect(head["x-a"] == "one" && head["SET-COOKIE"] == "a=b" && head["none"] == nil)
  }

  @Test func `no cookie is sent back`() async throws {
    let server = try server("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n", closes: false)
    for _ in 1...2 { _ = try await transport.send(.make(server)) }
    #expect(server.heads.count == 2 && server.heads.allSatisfy { !$0.contains("Cookie") })
  }

  @Test(arguments: [("GET", 204), ("GET", 304), ("HEAD", 200)])
  func `a response without a body leaves the connection ready`(_ method: String, _ status: Int) async throws {
    // The length is that of the body that a GET would return.
    let length = status == 204 ? "" : "Content-Length: 99\r\n"
    let server = try server("HTTP/1.1 \(status) Fine\r\n\(length)\r\n", closes: false)
    for _ in 1...3 {
      let response = try await transport.send(.make(server, method: method))
      #expect(response.status == status && response.body.isEmpty)
    }
    #expect(server.accepted == 1 && server.heads.count == 3)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is returned like any other response`(_ status: Int) async throws {
    let other = try server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    for location in [
      other.url.absoluteString, "http://localhost:\(other.port)/", "//localhost:\(other.port)/", "/other",
    ] {
      let server = try server("HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 2\r\n\r\nok")
      var request = HTTPRequest.make(server)
      request.headers = [("Authorization", "Bearer secret")]
      let response = try await transport.send(request)
      #expect(response.status == status && response.head["location"] == location && response.text == "ok")
      #expect(server.heads.count == 1)
    }
    #expect(other.accepted == 0)
  }

  /// A response that is cut at every byte.
  static let whole = "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"

  @Test(arguments: 0..<whole.utf8.count - 2, [false, true])
  func `a connection that ends within the response is an error`(_ size: Int, _ isReset: Bool) async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write(Array(Self.whole.utf8.prefix(size)))
      if isReset { connection.reset() }
    }
    let error = await failure { try await transport.send(.make(server)) }
    switch error as? TransportError {
    case .connectionLost, .invalidResponse: break
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test func `a body shorter than its length is read, and ends with an error`() async throws {
    let server = try server("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
    let stream = try await transport.open(.make(server))
    #expect(stream.head.status == 200)
    var body: [UInt8] = []
    let error = await failure { for try await bytes in stream { body += bytes } }
    #expect(String(decoding: body, as: UTF8.self) == "hello")
    guard case .connectionLost? = error as? TransportError else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/9 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello",
    "HTTP/1.1 101 Switching\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "<html>hello</html>",
  ])
  func `bytes that are not a response are an error`(_ bytes: String) async throws {
    let server = try server(bytes)
    switch await failure({ try await transport.send(.make(server)) }) as? TransportError {
    case .invalidResponse, .connectionLost: break
    case let error: Issue.record("\(String(describing: error))")
    }
  }

  @Test(arguments: [
    "X: \(String(repeating: "y", count: 70_000))\r\n", String(repeating: "X: y\r\n", count: 20_000),
  ])
  func `more headers than 64 KiB are an error`(_ headers: String) async throws {
    let server = try server("HTTP/1.1 200 OK\r\n\(headers)Content-Length: 0\r\n\r\n")
    let error = await failure { try await transport.send(.make(server)) } as? TransportError
    guard case .invalidResponse(let text) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.contains("65536 bytes"))
  }

  @Test func `endless interim responses and endless trailers are errors`() async throws {
    let interim = try servers.start { connection in
      try connection.head()
      while true { try connection.write("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n") }
    }
    let trailers = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
      while true { try connection.write("X: \(String(repeating: "y", count: 1000))\r\n") }
    }
    for server in [interim, trailers] {
      let error = await failure { try await transport.send(.make(server)) } as? TransportError
      guard case .invalidResponse = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func `a body of exactly the limit is read, and a larger one is an error`() async throws {
    let server = try server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    #expect(try await transport.send(.make(server), limit: 5).text == "hello")
    let error = await failure { try await transport.send(.make(server), limit: 4) }
    #expect(error as? TransportError == .responseTooLarge(limit: 4))
  }

  @Test func `an endless body is cancelled at the limit`() async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\n\r\n")
      while true { try connection.write([UInt8](repeating: 120, count: 10_000)) }
    }
    let error = await failure { try await transport.send(.make(server), limit: 1 << 20) }
    #expect(error as? TransportError == .responseTooLarge(limit: 1 << 20))
    #expect(await eventually { server.open == 0 })
  }

  @Test func `a slow reader slows the server down, and receives everything`() async throws {
    let size = 64 << 20
    let taken = Mutex(0)
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      let count = connection.writeUntilFull(atMost: size)
      taken.withLock { $0 = count }
      try connection.write([UInt8](repeating: 120, count: size - count))
    }
    let stream = try await transport.open(.make(server, total: nil))
    #expect(await eventually { taken.withLock { $0 } > 0 })
    // The socket buffers of the system hold a few megabytes.
    #expect(taken.withLock { $0 } < size / 2)
    var read = 0
    for try await bytes in stream {
      #expect(bytes.count <= 512 << 10)
      read += bytes.count
    }
    #expect(read == size)
  }

  @Test func `a transfer that is paused for its reader does not time out as idle`() async throws {
    let size = 1 << 20
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      try connection.write([UInt8](repeating: 120, count: size))
      connection.waitForClose()
    }
    let stream = try await transport.open(.make(server, idle: .seconds(5)))
    try await Task.sleep(for: .seconds(6))
    var read = 0
    for try await bytes in stream { read += bytes.count }
    #expect(read == size)
  }

  @Test func `the response to an upload that the server does not read completely is received`() async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      // Closing a socket with unread bytes would send a reset, which may overtake the response.
      connection.waitForClose()
    }
    var request = HTTPRequest.make(server, method: "POST")
    request.body = [UInt8](repeating: 1, count: 20 << 20)
    #expect(try await transport.send(request).status == 413)
  }
}
