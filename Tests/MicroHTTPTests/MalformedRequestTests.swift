import MicroHTTP
import TestSupport
import Testing

/// Requests that libmicrohttpd itself refuses or drops. None of them may reach the handler, hang, or end the process.
@Suite(.blocking) struct MalformedRequestTests {
  private static let texts: [String] = [
    "\u{16}\u{3}\u{1}garbage\r\n\r\n",
    "\0\0\0\0\r\n\r\n",
    "GET\r\n\r\n",
    "GET /\r\n\r\n",
    "GET  /a  HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    request("GET /", "no colon"),
    request("GET /", "X\0Y: z"),
    request("POST /", "Content-Length: -1"),
    request("POST /", "Content-Length: +1"),
    request("POST /", "Content-Length: 0x10"),
    request("POST /", "Content-Length: 1, 1"),
    request("POST /", "Content-Length: "),
    request("POST /", "Content-Length: 99999999999999999999999"),
    request("GET /", "X-Huge: " + String(repeating: "h", count: 100_000)),
    request("GET /" + String(repeating: "t", count: 100_000)),
    request("GET /", String(repeating: "X: y\r\n", count: 20_000) + "X: y"),
    request("POST /", "Transfer-Encoding: chunked") + "zz\r\nabc\r\n0\r\n\r\n",
    request("POST /", "Transfer-Encoding: chunked") + "-1\r\nabc\r\n0\r\n\r\n",
    request("POST /", "Transfer-Encoding: chunked") + "ffffffffffffffffff\r\nabc\r\n0\r\n\r\n",
    request("POST /", "Transfer-Encoding: chunked") + "1\r\nabc\r\n0\r\n\r\n",
  ]

  private func server() throws -> TestServer {
    try TestServer {
      $0.headTimeout = .milliseconds(300)
      $0.bodyTimeout = .milliseconds(300)
    }
  }

  @Test(arguments: texts.indices) func `a malformed request is refused or dropped within the timeout`(index: Int) throws
  {
    let server = try server()
    let client = try server.client()
    client.send(Self.texts[index])
    let response = try client.readToEnd()
    #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 4") || response.hasPrefix("HTTP/1.1 5"))
    #expect(try server.exchange(request("GET /after")).status == 200)
  }

  @Test(arguments: [
    request("POST /", "Transfer-Encoding: chunked") + "ff\r\nabc",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc",
    "GET / HTTP/1.1\r\nHos",
    "",
  ]) func `an incomplete request is dropped once the client closes its side`(text: String) throws {
    let server = try server()
    let client = try server.client()
    client.send(text)
    client.finishSending()
    #expect(try client.readToEnd().contains("200 OK") == false)
    #expect(try server.exchange(request("GET /after")).status == 200)
  }

  @Test func `random changes of a request do not end the server`() throws {
    let server = try TestServer {
      $0.idleTimeout = .milliseconds(50)
      $0.headTimeout = .milliseconds(50)
      $0.bodyTimeout = .milliseconds(50)
    }
    var generator = SystemRandomNumberGenerator()
    let seed = Array(
      request("POST /a", "X-Tag: b", "Transfer-Encoding: chunked").utf8 + Array("3\r\nabc\r\n0\r\n\r\n".utf8))
    for _ in 0..<200 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      let client = try server.client()
      client.send(bytes)
      client.finishSending()
      _ = try client.readToEnd()
    }
    #expect(try server.exchange(request("GET /after")).status == 200)
  }
}
