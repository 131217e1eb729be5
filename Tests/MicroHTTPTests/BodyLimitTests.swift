import MicroHTTP
import TestSupport
import Testing

/// The limits of the size of a body.
@Suite(.blocking) struct BodyLimitTests {
  private func server() throws -> TestServer {
    try TestServer {
      $0.bodyLimit = 1000
      $0.discardLimit = 100_000
    }
  }

  private func chunked(_ count: Int) -> String {
    let chunk = "64\r\n" + String(repeating: "x", count: 100) + "\r\n"
    return request("POST /", "Transfer-Encoding: chunked") + String(repeating: chunk, count: count / 100)
  }

  @Test func `a body at the limit is accepted`() throws {
    #expect(try server().exchange(request("POST /", body: String(repeating: "x", count: 1000))).status == 200)
    #expect(try server().exchange(chunked(1000) + "0\r\n\r\n").status == 200)
  }

  @Test func `an announced body over the limit is discarded, and refused with 413`() throws {
    let client = try server().client()
    client.send(request("POST /", body: String(repeating: "x", count: 90_000)))
    let response = try client.response()
    #expect(response.status == 413)
    #expect(response.body == "bodyTooLarge(limit: 1000)")
    #expect(response.closes)
    #expect(client.isClosedByServer)
  }

  @Test func `an announced body over the discard limit is refused before the client sends it`() throws {
    let client = try server().client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999\r\n\r\n")
    #expect(try client.response().status == 413)
    #expect(client.isClosedByServer)
  }

  @Test func `a body over the limit is refused while the client waits for 100 Continue`() throws {
    let client = try server().client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n")
    #expect(try client.response().status == 413)
  }

  @Test func `a chunked body over the limit is refused with 413 after its end`() throws {
    let client = try server().client()
    client.send(chunked(50_000) + "0\r\n\r\n")
    #expect(try client.response().status == 413)
    #expect(client.isClosedByServer)
  }

  @Test func `a chunked body over the discard limit is refused with 413 before its end`() throws {
    let client = try server().client()
    client.send(chunked(200_000))
    let response = try client.response()
    #expect(response.status == 413)
    #expect(response.body == "bodyTooLarge(limit: 1000)")
    #expect(response.closes)
    #expect(client.isClosedByServer)
  }
}
