import Foundation
@testable import HTTPServices
import Navigation
import TestSupport
import Testing
import Values

/// The requests of an HTTP service as its backend receives them.
@Suite(.limitedConcurrency) struct ServiceRequestTests {
  private let servers = Servers()

  private struct Order: Codable {
    var product: String
    var count: Int
  }

  @Test func `each verb sends its method, path, query and body, and decodes the response`() async throws {
    let backend = try EchoBackend()
    let shop = try TestHost(backend.address + "/api/").shop()
    let order = Order(product: "tea", count: 2)
    let body = try Value(encoding: order)
    let id = 17
    let get: Echo = try await shop.get("/orders/\(id)", query: ["page": 2, "tag": "a b&c", "none": nil as String?])
    #expect(get == Echo(method: "GET", target: "/api/orders/17?page=2&tag=a%20b%26c", body: nil))
    let post: Echo = try await shop.post("/orders", order)
    #expect(post == Echo(method: "POST", target: "/api/orders", body: body, type: "application/json"))
    let put: Echo = try await shop.put("/orders/\(id)", order)
    #expect(put == Echo(method: "PUT", target: "/api/orders/17", body: body, type: "application/json"))
    let patch: Echo = try await shop.patch("/orders/\(id)", ["count": 3], query: ["dry": true])
    #expect(
      patch
        == Echo(method: "PATCH", target: "/api/orders/17?dry=true", body: ["count": 3], type: "application/json"))
    let delete: Echo = try await shop.delete("/orders/\(id)")
    #expect(delete == Echo(method: "DELETE", target: "/api/orders/17"))
    let empty: Echo = try await shop.post("/orders/\(id)/cancel")
    #expect(empty == Echo(method: "POST", target: "/api/orders/17/cancel"))
  }

  @Test func `each verb has a variant without an output`() async throws {
    let server = try servers.start { connection in while true { try connection.answer(204, "") } }
    let host = try TestHost(server.address)
    let shop = host.shop()
    try await shop.get("/a")
    try await shop.post("/a")
    try await shop.put("/a")
    try await shop.patch("/a")
    try await shop.delete("/a")
    let _: Nothing = try await shop.delete("/a")
    #expect(
      server.heads.map { $0.split(separator: " ")[0] } == ["GET", "POST", "PUT", "PATCH", "DELETE", "DELETE"])
    // The connection is reused.
    #expect(server.accepted == 1)
    #expect(host.count("done") == 6)
  }

  @Test func `a request continues the trace of its effect`() {
    let trace = "0af7651916cd43dd8448eb211c80319c"
    let headers = ["", " vendor=01"].flatMap { state in
      (0..<10).map { _ in TraceContext.header(continuing: "\(trace)-00\(state)", of: "key") }
    }
    #expect(Set(headers).count == 20)
    for header in headers {
      #expect(header.hasPrefix("00-\(trace)-") && header.wholeMatch(of: /[0-9a-f-]{37}[0-9a-f]{15}-00/) != nil)
    }
    #expect(TraceContext.state(of: "\(trace)-00 vendor=01") == "vendor=01")
    #expect(TraceContext.state(of: trace + "-00") == nil && TraceContext.state(of: nil) == nil)
  }

  @Test func `a request has its headers, and no others`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "usher-services-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "token")
    try "first-token\n".write(to: file, atomically: true, encoding: .utf8)
    let server = try servers.start { connection in while true { try connection.answer(200) } }
    let host = try TestHost(server.address, tokenFile: file.path)
    let key = Base64URL.encode((1...32).map { UInt8($0) })
    func lines() async throws -> [String] {
      try await host.shop(key).get("/")
      return server.heads.last!.components(separatedBy: "\r\n")
    }
    let first = try await lines()
    let trace = "traceparent: 00-0102030405060708090a0b0c0d0e0f10-"
    #expect(first.count == 7)
    #expect(first[0] == "GET / HTTP/1.1")
    #expect(
      Set(first.filter { !$0.hasPrefix("traceparent") }.dropFirst())
        == [
          "Host: 127.0.0.1:\(server.port)", "Accept: application/json", "User-Agent: usher/test",
          "Idempotency-Key: \(key)", "Authorization: Bearer first-token",
        ])
    let parent = try #require(first.first { $0.hasPrefix(trace) })
    #expect(parent.dropFirst(trace.count).wholeMatch(of: /[0-9a-f]{16}-01/) != nil)
    // Each request is a span of its own in the trace of the effect.
    try "second-token".write(to: file, atomically: true, encoding: .utf8)
    let second = try await lines()
    #expect(second.contains("Authorization: Bearer second-token"))
    #expect(second.contains { $0.hasPrefix(trace) } && !second.contains(parent))
    for invalid in ["", "two tokens", "new\nlines"] {
      try invalid.write(to: file, atomically: true, encoding: .utf8)
      for _ in 1...2 { #expect(try await lines().contains("Authorization: Bearer second-token")) }
    }
    #expect(host.messages.all.count == 2)
    #expect(host.messages.all[0].hasSuffix(" is empty. The previous token stays in effect."))
    try FileManager.default.removeItem(at: file)
    #expect(try await lines().contains("Authorization: Bearer second-token"))
    #expect(host.messages.all.count == 3)
  }

  @Test(arguments: [
    ("a/b", "a%2Fb"), ("a?b=c#d", "a%3Fb%3Dc%23d"), ("%2e%2E", "%252e%252E"), ("..a", "..a"), ("a b", "a%20b"),
    ("ä\u{0}\r\n", "%C3%A4%00%0D%0A"), ("@evil.example:80", "%40evil.example%3A80"), ("\\\\evil", "%5C%5Cevil"),
    (" ", "%20"), (";a=b", "%3Ba%3Db"), ("http://evil", "http%3A%2F%2Fevil"), ("a+b&c", "a%2Bb%26c"),
  ])
  func `a value stays in its segment`(_ value: String, _ encoded: String) async throws {
    let server = try servers.start { try $0.answer(200) }
    try await TestHost(server.address).shop().get("/orders/\(value)/items/\("x")", query: [value: value])
    let line = server.heads[0].prefix { $0 != "\r\n" }
    #expect(line == "GET /orders/\(encoded)/items/x?\(encoded)=\(encoded) HTTP/1.1")
  }

  @Test(arguments: ["..", ".", "", "../admin", "a/../../admin", "a\\..\\b", "/.."])
  func `a value that could change the structure is refused`(_ value: String) async throws {
    let server = try servers.start { try $0.answer(200) }
    let host = try TestHost(server.address)
    let error = await failure { try await host.shop().delete("/orders/\(value)") }
    let refused = try #require(error as? EffectFailure)
    #expect(refused.reason == .error && !refused.mayHaveHappened)
    #expect(server.accepted == 0 && host.count("error") == 1)
  }

  @Test(
    arguments: [
      "orders", "@evil.example/", ":80/", ".evil.example/", "/a?b=c", "/a#b", "/a b", "/../admin", "/a/./b",
      "/a/%2E%2e", "/%", "/%4", "/%zz", "/ä", "/a\r\nHost: evil", "/\\", "",
    ] as [ServicePath])
  func `a literal that is not an encoded path is refused`(_ path: ServicePath) async throws {
    let server = try servers.start { try $0.answer(200) }
    let host = try TestHost(server.address)
    let refused = await failure { try await host.shop().get(path) } as? EffectFailure
    #expect(refused?.reason == .error && refused?.mayHaveHappened == false)
    #expect(server.accepted == 0)
  }

  @Test func `values next to each other cannot form a segment of two dots`() async throws {
    let server = try servers.start { try $0.answer(200) }
    let refused = await failure { try await TestHost(server.address).shop().get("/a/\(".")\(".")/b") } as? EffectFailure
    #expect(refused?.reason == .error)
    #expect(server.accepted == 0)
  }

  @Test(
    arguments: [
      "/files/.\("./admin")", "/files/\(".")\("./admin")", "/files/\("a/.").", "/files/.\(".\\admin")",
      "/files/%2e\("./admin")", "/files/..%2fadmin", "/files/..%5Cadmin", "/files/\("a/b").json", "/files/x\("a\\b")",
      "/\("a/b")/x\("a/b")",
    ] as [ServicePath])
  func `a literal and values cannot compose a part of two dots, nor hold a slash`(_ path: ServicePath) async throws {
    let server = try servers.start { try $0.answer(200) }
    let refused = await failure { try await TestHost(server.address).shop().get(path) } as? EffectFailure
    #expect(refused?.reason == .error && refused?.mayHaveHappened == false)
    #expect(server.accepted == 0)
  }

  @Test func `a body that is not a value fails before it is sent`() async throws {
    let server = try servers.start { try $0.answer(200) }
    let host = try TestHost(server.address)
    let refused = await failure { try await host.shop().post("/", [Double.nan]) } as? EffectFailure
    #expect(refused?.reason == .error && refused?.mayHaveHappened == false)
    #expect(server.accepted == 0)
  }
}
