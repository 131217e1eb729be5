import Foundation
import HTTPServices
import Navigation
import TestSupport
import Testing
import Values

/// The outcomes of responses.
@Suite(.limitedConcurrency) struct ServiceResponseTests {
  private let servers = Servers()

  private struct Quote: Codable, Equatable {
    var price: Int
  }

  /// Returns the error of a request that gets this response.
  private func error(
    _ status: Int, _ body: String = "{}", headers: String = "", minimumPause: Duration = .milliseconds(1)
  ) async throws -> any Error {
    let server = try servers.start { try $0.answer(status, body, headers: headers) }
    let host = try TestHost(server.address)
    let error = try #require(
      await failure { try await host.shop(minimumPause: minimumPause).get("/") as Quote })
    let reason = (error as? EffectFailure ?? (error as? Retry)?.failure)?.reason
    #expect(host.count(reason?.rawValue ?? "") == 1)
    #expect(host.endpoint.count == 0)
    return error
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `another attempt may succeed after a temporary status`(_ status: Int) async throws {
    let retry = try #require(try await error(status, #"{"why": 1}"#) as? Retry)
    #expect(retry.failure.reason == .status && retry.failure.status == status)
    #expect(retry.failure.body == ["why": 1])
    #expect(retry.pause == nil)
    #expect(retry.failure.mayHaveHappened == ![425, 429].contains(status))
    #expect(
      retry.failure.detail == "The HTTP service shop responded to a GET request with the status \(status).")
  }

  @Test(arguments: [422, 503])
  func `a status counts although its body does not arrive`(_ status: Int) async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 \(status) Status\r\nContent-Length: 100\r\n\r\n{\"a\"")
      connection.waitForClose()
    }
    let host = try TestHost(server.address)
    let start = ContinuousClock.now
    let error = await failure { try await host.shop().get("/") as Quote }
    let found = error as? EffectFailure ?? (error as? Retry)?.failure
    #expect(found?.reason == .status && found?.status == status && found?.body == nil)
    #expect((error is Retry) == (status == 503))
    #expect(start.duration(to: .now) < .seconds(30))
    #expect(host.endpoint.count == 0)
  }

  @Test(arguments: [300, 301, 304, 400, 401, 402, 404, 409, 422, 499, 501, 505, 599])
  func `any other status is final`(_ status: Int) async throws {
    let failure = try #require(try await error(status, "") as? EffectFailure)
    #expect(failure.reason == .status && failure.status == status && failure.body == nil)
    #expect(failure.mayHaveHappened == ((status < 400 || status >= 500) || status == 409))
  }

  @Test(arguments: [
    ("3", Duration.seconds(3)), ("0", .seconds(1)), ("86400", .seconds(3600)),
    ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(3600)),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(1)), ("-1", nil), ("1.5", nil), ("soon", nil), ("", nil),
    ("99999999999999999999", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 99 Nov 1994 99:99:99 GMT", nil),
  ])
  func `Retry-After prolongs the pause of the policy, up to an hour`(_ text: String, _ pause: Duration?) async throws {
    for status in [429, 503] {
      let error = try await error(status, headers: "Retry-After: \(text)\r\n", minimumPause: .seconds(1))
      let retry = try #require(error as? Retry)
      #expect(retry.pause == pause)
      #expect(retry.failure.mayHaveHappened == (status == 503 && pause == nil))
    }
  }

  @Test func `the body of a failure is kept up to 4 KiB of JSON`() async throws {
    let fitting = "\"" + String(repeating: "x", count: 4094) + "\""
    #expect((try await error(400, fitting) as? EffectFailure)?.body?.text?.utf8.count == 4094)
    #expect((try await error(400, fitting + " ") as? EffectFailure)?.body == nil)
    let page = try await error(502, "<html>") as? Retry
    #expect(page != nil && page?.failure.body == nil)
  }

  @Test(arguments: [
    "", "{", "<html>", "{}", #"{"price": "x"}"#, "null", "[]", "{\"price\": 1}x", "\u{FEFF}{\"price\": 1}",
    String(repeating: "[", count: 100_000), String(repeating: "{\"price\":", count: 50_000),
  ])
  func `a body that is not an output is a final failure`(_ body: String) async throws {
    let failure = try #require(try await error(200, body) as? EffectFailure)
    #expect(failure.reason == .decoding && failure.mayHaveHappened && failure.status == 200)
  }

  @Test func `a response without a body is not an output`() async throws {
    let server = try servers.start { try $0.answer(204, "") }
    let error = await failure { try await TestHost(server.address).shop().post("/") as Quote }
    let expected = "The HTTP service shop responded to a POST request with the status 204 and no body."
    #expect((error as? EffectFailure)?.detail == expected)
  }

  @Test func `any status of 2xx is a success`() async throws {
    for status in [200, 201, 202, 299] {
      let server = try servers.start { try $0.answer(status, #"{"price": 5, "more": [1, 2]}"#) }
      #expect(try await TestHost(server.address).shop().get("/") as Quote == Quote(price: 5))
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is final, and no other host is contacted`(_ status: Int) async throws {
    let other = try servers.start { try $0.answer(200, #"{"price": 1}"#) }
    let failure = try await error(status, headers: "Location: \(other.address)/\r\n") as? EffectFailure
    #expect(failure?.status == status && failure?.detail.hasSuffix("Redirects are not followed.") == true)
    #expect(other.accepted == 0)
  }

  @Test(arguments: ["Content-Length: 10737418240\r\n\r\n", "\r\n", "Transfer-Encoding: chunked\r\n\r\n"])
  func `a body beyond the limit ends the transfer`(_ head: String) async throws {
    let isChunked = head.hasPrefix("Transfer")
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\n" + head)
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 65536)
      // The sockets and the transport buffer a part of the 10 GiB. A write fails once the connection is closed.
      for count in 0..<163_840 {
        if count == 2048 { Issue.record("The transfer goes on after 128 MiB.") }
        if isChunked { try connection.write("10000\r\n") }
        try connection.write(piece)
        if isChunked { try connection.write("\r\n") }
      }
    }
    let host = try TestHost(server.address)
    let error = await failure { try await host.shop().get("/") as Quote } as? EffectFailure
    #expect(error?.reason == .decoding && error?.mayHaveHappened == true)
    #expect(error?.detail.contains("larger than 1048576 bytes") == true)
    #expect(await eventually { server.open == 0 })
    #expect(host.count("decoding") == 1 && host.endpoint.count == 0)
  }

  @Test func `a body of exactly the limit is accepted`() async throws {
    let body = "\"" + String(repeating: "x", count: (1 << 20) - 2) + "\""
    let server = try servers.start { connection in while true { try connection.answer(200, body) } }
    #expect(try await (TestHost(server.address).shop().get("/") as String).utf8.count == (1 << 20) - 2)
    let smaller = try TestHost(server.address) { $0.responseLimit = (1 << 20) - 1 }
    #expect((await failure { try await smaller.shop().get("/") as String } as? EffectFailure)?.reason == .decoding)
  }
}
