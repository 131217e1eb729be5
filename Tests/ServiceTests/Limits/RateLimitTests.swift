import HTTPAPI
import MicroHTTP
import Testing

@testable import HTTPAPI

/// Rate limits over HTTP.
@Suite(.limitedConcurrency) struct RateLimitTests {
  /// Requests per second: so slow that no request is earned during a test.
  private static let slow = 0.001

  private func service(burst: Int = 3, host: String = "127.0.0.1") throws -> TestService {
    try TestService(host: host) {
      $0.rateLimit = RateLimit(rate: Self.slow, burst: burst)
      $0.trustedProxies = TrustedProxies(["127.0.0.1", "10.0.0.0/8"].compactMap { AddressRange($0) })
      $0.allowedOrigins = AllowedOrigins(["https://app.example"]) ?? .none
    }
  }

  @Test func `headers state the remaining requests, and a rejection states the time to wait`() async throws {
    let service = try service()
    for left in ["2", "1", "0"] {
      let answer = try await service.send("GET", "/v1/apps")
      #expect(answer.status == 200 && answer.header("RateLimit-Policy") == "\"default\";q=3;w=3000")
      #expect(answer.header("RateLimit")?.hasPrefix("\"default\";r=\(left);t=") == true)
    }
    for _ in 0..<5 {
      let refused = try await service.send("GET", "/v1/apps", headers: ["Origin": "https://app.example"])
      #expect(refused.status == 429 && refused.problem == "rate-limited")
      let wait = try #require(refused.header("Retry-After").flatMap { Int($0) })
      #expect((1...1000).contains(wait) && refused.header("RateLimit") == "\"default\";r=0;t=\(wait)")
      #expect(refused.json["detail"].string == "A client may make 0.001 requests per second, and 3 at once.")
      #expect(refused.header("Access-Control-Allow-Origin") == "https://app.example")
    }
    let page = try await service.send("GET", "/", headers: ["Accept": "text/html"])
    #expect(page.status == 429 && page.header("Content-Type")?.hasPrefix("text/html") == true)
  }

  @Test func `all routes count except health checks, metrics and static files`() async throws {
    let service = try service(burst: 1000)
    let unlimited: Set<String> = [
      "/livez", "/readyz", "/metrics", "/usher.css", "/page.js", "/usher.js", "/openapi.yaml", "/openapi.json",
    ]
    for route in API.routes {
      let path = route.path.replacing("{slug}", with: "not-found").replacing(/\{[a-z]+\}/, with: "x")
      let answer = try await service.send(route.method.name, path)
      #expect((answer.header("RateLimit") == nil) == unlimited.contains(path), "\(path)")
      #expect((answer.header("RateLimit-Policy") == nil) == unlimited.contains(path), "\(path)")
    }
    #expect(try await service.send("OPTIONS", "/v1/sessions").header("RateLimit") == nil)
  }

  @Test func `health checks succeed for a client over the limit`() async throws {
    let service = try service(burst: 1)
    for _ in 0..<3 { _ = try await service.send("GET", "/v1/apps") }
    for path in ["/livez", "/readyz", "/metrics", "/usher.js"] {
      #expect(try await service.send("GET", path).status == 200, "\(path)")
    }
    #expect(
      try await service.send("GET", "/metrics").text.contains("usher_rejections_total{kind=\"rate-limited\"} 2\n"))
  }

  @Test func `concurrent clients have separate limits`() async throws {
    let service = try service(burst: 20)
    let granted = try await withThrowingTaskGroup(of: (String, Int).self) { group in
      for client in ["203.0.113.1", "203.0.113.2"] {
        for _ in 0..<30 {
          group.addTask {
            (client, try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": client]).status)
          }
        }
      }
      return try await group.reduce(into: [String: [Int: Int]]()) { $0[$1.0, default: [:]][$1.1, default: 0] += 1 }
    }
    for client in ["203.0.113.1", "203.0.113.2"] { #expect(granted[client] == [200: 20, 429: 10]) }
  }

  @Test func `a forged X-Forwarded-For does not evade the limit`() async throws {
    // A proxy appends the address that it sees to the addresses that its client has invented.
    let service = try service(burst: 5)
    let statuses = try await (0..<8).asyncMap { turn in
      let list = "198.51.100.\(turn), 203.0.113.9"
      return try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": list]).status
    }
    #expect(statuses == [200, 200, 200, 200, 200, 429, 429, 429])
    let direct = try TestService { $0.rateLimit = RateLimit(rate: Self.slow, burst: 1) }
    #expect(try await direct.send("GET", "/v1/apps", headers: ["X-Forwarded-For": "203.0.113.1"]).status == 200)
    #expect(try await direct.send("GET", "/v1/apps", headers: ["X-Forwarded-For": "203.0.113.2"]).status == 429)
  }

  @Test func `addresses of one IPv6 /64 network share a limit`() async throws {
    let service = try service(burst: 1)
    for (address, status) in [
      ("2001:db8:0:1::1", 200), ("2001:db8:0:1:ffff::2", 429), ("[2001:db8:0:2::1]:4711", 200), ("192.0.2.1:4711", 200),
      ("::ffff:192.0.2.1", 429), ("192.0.2.2", 200),
    ] {
      let answer = try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": address])
      #expect(answer.status == status, "\(address)")
    }
  }

  @Test func `IPv4 addresses are recognized on a dual-stack socket`() async throws {
    // A dual-stack socket sees IPv4 addresses mapped into IPv6.
    let service = try service(burst: 1, host: "::")
    #expect(try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": "203.0.113.1"]).status == 200)
    #expect(try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": "203.0.113.1"]).status == 429)
    #expect(try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": "203.0.113.2"]).status == 200)
  }

  @Test func `many addresses are limited at once`() async throws {
    let service = try service(burst: 1)
    for turn in 0..<300 {
      let headers = ["X-Forwarded-For": "10.0.\(turn / 250).\(turn % 250), 203.0.\(turn / 250).\(turn % 250)"]
      #expect(try await service.send("GET", "/problems/not-found", headers: headers).status == 200)
    }
    #expect(try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": "203.0.0.0"]).status == 429)
  }

  @Test func `an event stream counts once`() async throws {
    let service = try service(burst: 5)
    let created = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#)
    let path = try #require(created.header("Location"))
    let head = try RawExchange.head(service, ["GET \(path)/events HTTP/1.1", "Host: x"])
    #expect(head.first == "HTTP/1.1 200 OK" && head.contains { $0.hasPrefix("RateLimit: \"default\";r=3;") })
    #expect(try await service.send("GET", path).header("RateLimit")?.hasPrefix("\"default\";r=2;") == true)
  }

  @Test func `there is no limit by default`() async throws {
    let service = try TestService()
    for _ in 0..<50 {
      let answer = try await service.send("GET", "/v1/apps")
      #expect(answer.status == 200 && answer.header("RateLimit") == nil && answer.header("RateLimit-Policy") == nil)
    }
  }
}

extension Sequence {
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var results: [T] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
