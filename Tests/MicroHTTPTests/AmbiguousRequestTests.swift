import TestSupport
import Testing

@testable import MicroHTTP

/// Whether the library is release 1.0 or later, which refuses most of these requests itself.
let isLibraryStrict = HTTPLibrary.current.lineChecks == .library

/// Requests that libmicrohttpd 0.9.75 accepts, and that a proxy in front may read differently.
@Suite(.blocking) struct AmbiguousRequestTests {
  private func expectRefusal(_ status: Int, _ detail: String, of text: String) throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(text)
    if isLibraryStrict {
      // The library responds with its own page, or closes the connection.
      let response = try client.readToEnd()
      #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 4") || response.hasPrefix("HTTP/1.1 501"))
      #expect(response.split(separator: "HTTP/1.1 ").count <= 1)
      #expect(try server.exchange(request("GET /after")).status == 200)
      return
    }
    let response = try client.response()
    #expect(response.status == status)
    #expect(response.headers["x-refusal"] == "yes")
    #expect(response.closes)
    #expect(response.body.contains(detail))
    #expect(client.isClosedByServer)
    #expect(try server.exchange(request("GET /after")).status == 200)
  }

  @Test func `a request with Content-Length and Transfer-Encoding is refused with 400`() throws {
    for headers in [
      "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 3",
    ] {
      try expectRefusal(400, "more than one way", of: request("POST /", headers) + "0\r\n\r\n")
    }
  }

  @Test func `a request with a repeated Content-Length is refused with 400`() throws {
    try expectRefusal(
      400, "Content-Length is repeated", of: request("POST /", "Content-Length: 3", "Content-Length: 3") + "abc")
  }

  @Test func `the handler refuses a request with its target`() throws {
    let response = try TestServer().exchange(request("GET /a?b=c", "Host: other"))
    #expect(response.headers["x-target"] == "/a?b=c")
  }

  @Test(arguments: ["", "A: b\r\n", "A: b\r\n:\r\n", ":\r\n", "\0\0\r\n"])
  func `a request after a chunked body does not reach the handler`(trailers: String) throws {
    let chunked = request("POST /one", "Transfer-Encoding: chunked") + "2\r\nab\r\n0\r\n"
    let server = try TestServer()
    let client = try server.client()
    client.send(chunked + trailers + request("GET /two") + "\r\n")
    let responses = try client.readToEnd()
    #expect(responses.contains("GET /two") == false)
    #expect(try server.exchange(request("GET /after")).status == 200)
  }

  @Test func `a request with two Hosts is refused with 400`() throws {
    try expectRefusal(400, "Host is repeated", of: request("GET /", "Host: other"))
  }

  @Test(arguments: ["Transfer-Encoding : chunked", "Transfer-Encoding\t: chunked", "X Y: z", "X(Y): z", "\u{E9}: z"])
  func `a request with an invalid header name is refused with 400`(header: String) throws {
    try expectRefusal(400, "header name", of: request("POST /", header))
  }

  @Test func `a request with whitespace before the first header is refused with 400`() throws {
    try expectRefusal(400, "header name", of: "GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n")
  }

  @Test(arguments: ["gzip", "identity", "gzip, chunked", "chunked, chunked", "xchunked"])
  func `a request with a transfer coding other than chunked is refused with 501`(coding: String) throws {
    try expectRefusal(501, "unsupportedTransferEncoding", of: request("POST /", "Transfer-Encoding: \(coding)"))
  }

  @Test(arguments: ["chunked ", "chunked\t", " \tChunked \t"])
  func `a blank after the transfer coding is refused with 501, or stripped by the library`(coding: String)
    throws
  {
    let text = request("POST /", "Transfer-Encoding: \(coding)") + "2\r\nab\r\n0\r\n\r\n"
    if isLibraryStrict {
      #expect(try TestServer().exchange(text).body == "POST / - ab")
    } else {
      try expectRefusal(501, "unsupportedTransferEncoding", of: text)
    }
  }

  @Test func `a request with a repeated Transfer-Encoding is refused with 400`() throws {
    let twice = "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"
    try expectRefusal(400, "more than one way", of: request("POST /", twice) + "0\r\n\r\n")
  }

  @Test func `a request with Transfer-Encoding in HTTP 1 0 is refused with 400`() throws {
    try expectRefusal(
      400, "Transfer-Encoding", of: "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
  }

  @Test(arguments: ["X-Tag: a\r\n folded", "X-Tag: a\r\n\tfolded", "X-Tag: a\r\n Host: b"])
  func `a request with a folded header line is refused with 400`(lines: String) throws {
    try expectRefusal(400, "", of: request("GET /", lines, "X-Next: b"))
    try expectRefusal(400, "", of: request("GET /", lines))
  }

  @Test func `a request with a NUL byte is refused with 400`() throws {
    try expectRefusal(400, "", of: request("GET /a\0b"))
    try expectRefusal(400, "", of: request("GET /", "X-Tag: a\0b", "X-Next: c"))
    try expectRefusal(400, "hidden", of: request("GET /", "X-Tag: a\0b"))
  }

  /// The NUL byte and the next one are as long as the missing CR LF.
  @Test func `a request with a NUL byte in a line that ends in a bare LF is refused with 400`() throws {
    try expectRefusal(400, "hidden", of: "GET / HTTP/1.1\r\nHost: a\r\nX-Tag: a\0b\n\n")
    try expectRefusal(400, "hidden", of: "GET / HTTP/1.1\r\nHost: a\0b\nX-Tag: a\r\n\r\n")
  }

  @Test func `a request with a bare LF is refused with 400`() throws {
    try expectRefusal(400, "", of: "GET / HTTP/1.1\nHost: a\n\n")
    // The library replaces the colon by a zero, like a CR.
    try expectRefusal(400, "hidden", of: "GET / HTTP/1.1\r\nHost: a\n: \n")
    try expectRefusal(400, "", of: "GET / HTTP/1.1\r\nHost: a\nX-Tag: b\r\n\r\n")
    try expectRefusal(400, "", of: "GET / HTTP/1.1\r\nHost: a\r\n\n")
  }

  @Test(arguments: ["\r", "\u{1}", "\u{7F}"]) func `a request with a control character in a value is refused with 400`(
    character: String
  ) throws {
    try expectRefusal(400, "control character", of: request("GET /", "X-Tag: a\(character)b"))
  }

  @Test(arguments: ["path", "ftp://a/b", "*", "/caf\u{E9}", "http:///a"])
  func `a request with a target that is not a path is refused with 400`(target: String) throws {
    try expectRefusal(400, "target", of: request("GET \(target)"))
  }

  @Test func `a request with an invalid method is refused with 400`() throws {
    try expectRefusal(400, "method", of: request("G(E)T /"))
    try expectRefusal(400, "method", of: request("GET\0X /"))
  }

  @Test(arguments: [("GET  /", "method"), ("GET \t/", "not a path"), ("GET\0 /", "method")])
  func `a request with more than one blank after the method is refused with 400`(line: String, detail: String) throws {
    try expectRefusal(400, detail, of: request(line))
  }
}

/// The releases of libmicrohttpd, and the part that checks the lines of a request.
@Suite struct HTTPLibraryTests {
  @Test(arguments: [
    ("0.9.75", HTTPLibrary.LineChecks.service), ("0.9.76", .service), ("0.9.77", .missing), ("0.9.74", .missing),
    ("0.9.78", .missing), ("0.9.75-1", .missing), ("", .missing), ("1", .library), ("1.0.0", .library),
    ("1.0.1", .library),
    ("1.12", .library), ("2.0.0", .library),
  ])
  func `a release has its own line checks`(version: String, checks: HTTPLibrary.LineChecks) {
    let library = HTTPLibrary(version: version)
    #expect(library.lineChecks == checks)
    #expect(library.description.contains("libmicrohttpd \(version)"))
    #expect(library.description.contains("Use release 1.0") == (checks == .missing))
  }

  @Test func `the release of this machine has line checks`() {
    #expect(HTTPLibrary.current.lineChecks != .missing)
  }
}
