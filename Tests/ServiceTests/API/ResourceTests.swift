import TestSupport
import Testing

/// The resources besides a session's actions.
@Suite(.limitedConcurrency) struct ResourceTests {
  typealias Transport = TestService.Transport

  @Test(arguments: Transport.allCases)
  func `the entry point names the service and its links`(t: Transport) async throws {
    let answer = try await TestService(t).send("GET", "/")
    #expect(answer.json["name"].string == "usher")
    #expect(answer.json["version"].string == "test")
    #expect(answer.json["links", "apps"].string == "/v1/apps")
  }

  @Test(arguments: Transport.allCases) func `the apps are listed, and each is described`(t: Transport) async throws {
    let service = try TestService(t)
    let list = try await service.send("GET", "/v1/apps").json["apps"]
    #expect(list.strings("name") == ["pages", "shop", "tabs", "bank", "checkout", "gallery"])
    let bank = try await service.send("GET", "/v1/apps/bank").json
    #expect(bank["links"].strings("pattern") == ["/accounts/{accountId}", "/inbox/{messageId}", "/transfer"])
    #expect(bank["coordinators"].strings("name") == ["bank", "accounts", "inbox", "transfer", "sign-in"])
    let amount = JSON.first(of: bank["screens"], named: "transfer-amount")["actions"][0]["input"]
    #expect(amount["properties", "amount", "exclusiveMinimum"].int == 0)
    #expect(amount["required"] == JSON(["amount"]))
    let signal = try await service.send("GET", "/v1/apps/checkout").json["signals"][0]
    #expect(signal["name"].string == "payment-settled" && signal["sender"].isNull)
    #expect(signal["href"].string == "/v1/apps/checkout/signals/payment-settled")
    #expect(signal["input", "properties", "payment", "type"].string == "string")
  }

  @Test(arguments: Transport.allCases) func `the history lists the steps, oldest first`(t: Transport) async throws {
    let service = try TestService(t)
    let visitor = try await service.start("bank").post("/tabs/inbox").act("read", #"{"messageId":"m1"}"#).back()
    try await visitor.post("/open", #"{"link":"/transfer"}"#).post("/dismiss")
    let entries = try await service.send("GET", visitor.path + "/history").json["entries"]
    #expect(entries.strings("action") == ["create", "tab", "read", "back", "open", "dismiss"])
    #expect(entries.strings("screen") == ["accounts", "inbox", "message", "inbox", "sign-in", "inbox"])
    #expect(entries.array.compactMap { $0["revision"].int } == [1, 2, 3, 4, 5, 6])
    #expect(entries[2]["input"] == JSON(["messageId": "m1"]))
    let page = try await service.send("GET", visitor.path + "/history?after=2&limit=2").json["entries"]
    #expect(page.array.compactMap { $0["revision"].int } == [3, 4])
  }

  @Test func `the history keeps the last 64 entries`() async throws {
    let service = try TestService(.inProcess)
    let visitor = try await service.start("pages")
    for _ in 0..<100 { try await visitor.act("next").act("first") }
    let entries = try await service.send("GET", visitor.path + "/history").json["entries"].array
    #expect(entries.count == 64)
    #expect(entries.last?["revision"].int == 201)
  }

  @Test(arguments: Transport.allCases) func `a rejected action changes nothing`(t: Transport) async throws {
    let service = try TestService(t)
    let visitor = try await service.start("shop")
    let before = try await service.send("GET", visitor.path).bytes
    _ = try await visitor.attempt("/actions/buy", #"{"product":9}"#)
    _ = try await visitor.attempt("/back")
    #expect(try await service.send("GET", visitor.path).bytes == before)
    #expect(try await service.send("GET", visitor.path + "/history").json["entries"].array.count == 1)
  }

  @Test(arguments: Transport.allCases) func `HEAD answers like GET without a body`(t: Transport) async throws {
    let service = try TestService(t)
    let visitor = try await service.start("shop")
    let answer = try await service.send("HEAD", visitor.path)
    #expect(answer.status == 200)
    #expect(answer.header("ETag") == "\"1\"")
    if t == .socket { #expect(answer.bytes.isEmpty) }
  }

  @Test(arguments: Transport.allCases) func `OPTIONS answers 204 with Allow`(t: Transport) async throws {
    let answer = try await TestService(t).send("OPTIONS", "/v1/sessions/x")
    #expect(answer.status == 204)
    #expect(answer.header("Allow") == "GET, HEAD, DELETE, OPTIONS")
  }

  @Test(arguments: Transport.allCases) func `a running service is alive and ready`(t: Transport) async throws {
    let service = try TestService(t)
    #expect(try await service.send("GET", "/livez").status == 200)
    #expect(try await service.send("GET", "/readyz").status == 200)
  }

  @Test(arguments: Transport.allCases)
  func `the client's request ID is returned, and a missing one is generated`(t: Transport) async throws {
    let service = try TestService(t)
    #expect(try await service.send("GET", "/", headers: ["X-Request-Id": "abc-1"]).header("X-Request-Id") == "abc-1")
    let generated = try await service.send("GET", "/").header("X-Request-Id")
    #expect(generated?.isEmpty == false)
  }

  @Test func `every problem type links to its explanation`() async throws {
    let service = try TestService(.inProcess)
    let type = try await service.send("GET", "/nope").json["type"].string
    let answer = try await service.send("GET", try #require(type))
    #expect(answer.status == 200)
    #expect(answer.json["status"].int == 404)
  }

  @Test func `a view shows the expiry of the requested time to live`() async throws {
    let view = try await TestService(.inProcess).start("shop", #","ttl":3600"#).view
    #expect(view["session", "createdAt"].string == "2026-11-20T12:00:00Z")
    #expect(view["session", "expiresAt"].string == "2026-11-20T13:00:00Z")
  }
}
