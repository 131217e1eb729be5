import MicroHTTP
import Testing

@Suite(.blocking) struct `A body limit` {
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

  @Test func `the server accepts a body at the limit`() throws {
    #expect(try server().exchange(request("POST /", body: String(repeating: "x", count: 1000))).status == 200)
    #expect(try server().exchange(chunked(1000) + "0\r\n\r\n").status == 200)
  }

  @Test func `the server reads and discards an announced body over the limit, and responds with 413`() throws {
    let client = try server().client()
    client.send(request("POST /", body: String(repeating: "x", count: 90_000)))
    let response = try client.response()
    #expect(response.status == 413)
    #expect(response.body == "bodyTooLarge(limit: 1000)")
    #expect(response.closes)
    #expect(client.isClosedByServer)
  }

  @Test func `the server refuses an announced body over the discard limit before the client sends it`() throws {
    let client = try server().client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999\r\n\r\n")
    #expect(try client.response().status == 413)
    #expect(client.isClosedByServer)
  }

  @Test func `the server refuses a client that waits for 100 Continue before it sends the body`() throws {
    let client = try server().client()
    client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n")
    #expect(try client.response().status == 413)
  }

  @Test func `the server refuses a chunked body over the limit with 413 after its end`() throws {
    let client = try server().client()
    client.send(chunked(50_000) + "0\r\n\r\n")
    #expect(try client.response().status == 413)
    #expect(client.isClosedByServer)
  }

  @Test func `the server refuses a chunked body over the discard limit with 413 before its end`() throws {
    let client = try server().client()
    client.send(chunked(200_000))
    let response = try client.response()
    #expect(response.status == 413)
    #expect(response.body == "bodyTooLarge(limit: 1000)")
    #expect(response.closes)
    #expect(client.isClosedByServer)
  }
}
