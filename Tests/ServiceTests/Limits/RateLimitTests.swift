import Access
import MicroHTTP
import TestSupport
import Testing

@testable import HTTPAPI

/// Rate limits over HTTP.
@Suite(.limitedConcurrency) struct RateLimitTests {
  /// A rate in requests per second, so low that it permits no further request during a test.
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

/// Rate limits with authentication.
@Suite(.limitedConcurrency) struct PrincipalRateLimitTests {
  private let log = TestLog()

  private func service(burst: Int) throws -> GuardedService {
    try GuardedService(logger: log.logger) {
      // The rate is so low that it permits no further request during a test.
      $0.rateLimit = RateLimit(rate: 0.001, burst: burst)
      $0.allowedOrigins = AllowedOrigins(["https://app.example"]) ?? .none
    }
  }

  @Test func `each principal has its own limit, regardless of its address`() async throws {
    let service = try service(burst: 2)
    for permissions in [[.act], [.create, .act]] as [Permissions] {
      for (turn, status) in [404, 404, 429, 429].enumerated() {
        let answer = try await service.send("GET", "/v1/sessions/x", headers: service.bearer(permissions))
        #expect(answer.status == status && answer.header("RateLimit")?.contains(";r=\(max(0, 1 - turn));") == true)
      }
    }
    #expect(log.lines.last { $0["status"].int == 429 }?["principal"].string == "token:p3")
    // The address that they share has its own limit.
    #expect(try await service.send("GET", "/v1/apps").status == 200)
  }

  @Test func `a request without permission counts once`() async throws {
    let service = try service(burst: 2)
    for status in [403, 403, 429] {
      let answer = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: service.bearer(.act))
      #expect(answer.status == status && answer.header("RateLimit") != nil)
    }
  }

  @Test(arguments: [["Authorization": "Bearer usher_wrong"], ["Authorization": "Nonsense"], [:]])
  func `failed authentication counts against the address`(headers: [String: String]) async throws {
    let service = try service(burst: 2)
    for (turn, status) in [401, 401, 429, 429].enumerated() {
      let answer = try await service.send("GET", "/v1/sessions/x", headers: headers)
      #expect(answer.status == status && answer.header("RateLimit")?.contains(";r=\(max(0, 1 - turn));") == true)
      #expect((answer.header("Retry-After") != nil) == (status == 429))
      #expect((answer.header("WWW-Authenticate") != nil) == (status == 401))
    }
    // The address is limited, but not principals that authenticate from it.
    #expect(try await service.send("GET", "/v1/sessions/x", headers: service.bearer(.act)).status == 404)
    #expect(try await service.send("GET", "/v1/apps").status == 429)
  }

  @Test func `preflight requests are not limited, and pages can read that a token is wrong`() async throws {
    let service = try service(burst: 2)
    let origin = ["Origin": "https://app.example"]
    for _ in 0..<4 {
      let headers = origin.merging(["Access-Control-Request-Method": "GET"]) { $1 }
      let asked = try await service.send("OPTIONS", "/v1/sessions/x", headers: headers)
      #expect(asked.status == 204 && asked.header("Access-Control-Allow-Origin") == "https://app.example")
    }
    let refused = try await service.send("GET", "/v1/sessions/x", headers: origin)
    #expect(refused.status == 401 && refused.header("Access-Control-Allow-Origin") == "https://app.example")
    #expect(refused.header("Access-Control-Expose-Headers")?.contains("WWW-Authenticate") == true)
  }
}

/// The token buckets of a rate limiter.
@Suite struct RateLimiterTests {
  private let start = ContinuousClock.now
  private let ann = LimitedClient.principal("ann")

  @Test func `a burst is granted, and further requests at the rate`() {
    let limiter = RateLimiter(RateLimit(rate: 2, burst: 3))
    for remaining in [2, 1, 0] {
      let verdict = limiter.take(ann, at: start)
      #expect(verdict.isGranted && verdict.remaining == remaining)
    }
    let refused = limiter.take(ann, at: start)
    #expect(!refused.isGranted && refused.remaining == 0 && refused.wait == 500_000_000 && refused.seconds == 1)
    // A rejected request takes no token.
    for _ in 0..<100 { #expect(!limiter.take(ann, at: start.advanced(by: .milliseconds(499))).isGranted) }
    #expect(limiter.take(ann, at: start.advanced(by: .milliseconds(500))).isGranted)
    #expect(!limiter.take(ann, at: start.advanced(by: .milliseconds(999))).isGranted)
    // After any idle time, at most a burst is available.
    let later = start.advanced(by: .seconds(3600))
    #expect((0..<5).filter { _ in limiter.take(ann, at: later).isGranted }.count == 3)
  }

  @Test func `a verdict states the seconds until the next token`() {
    let limiter = RateLimiter(RateLimit(rate: 0.1, burst: 2))
    #expect(limiter.policy == "\"default\";q=2;w=20")
    #expect(limiter.take(ann, at: start).seconds == 10)
    let last = limiter.take(ann, at: start)
    #expect(last.isGranted && last.remaining == 0 && last.seconds == 10)
    #expect(limiter.take(ann, at: start.advanced(by: .seconds(4))).seconds == 6)
  }

  @Test func `clients have separate buckets`() {
    let limiter = RateLimiter(RateLimit(rate: 1, burst: 1))
    let clients: [LimitedClient] = [
      ann, .principal("bob"), .init(nil), .init(IPAddress("192.0.2.1")), .init(IPAddress("192.0.2.2")),
      .init(IPAddress("2001:db8:0:1::1")), .init(IPAddress("2001:db8:0:2::1")), .init(IPAddress("::")),
    ]
    for client in clients { #expect(limiter.take(client, at: start).isGranted, "\(client)") }
    // A /64 network is one client, and so is an IPv4 address in either notation.
    for address in ["2001:db8:0:1:ffff::9", "::ffff:192.0.2.1"] {
      #expect(!limiter.take(.init(IPAddress(address)), at: start).isGranted, "\(address)")
    }
  }

  @Test func `at capacity, idle clients are evicted first`() {
    let limiter = RateLimiter(RateLimit(rate: 1, burst: 1000))
    // A busy client is kept, regardless of the number of other addresses.
    for _ in 0..<1000 { _ = limiter.take(ann, at: start) }
    for address in 0..<UInt32(3 * RateLimiter.capacity) {
      #expect(limiter.take(.address(address), at: start).isGranted)
    }
    #expect(!limiter.take(ann, at: start).isGranted)
    // A client with a full bucket can be evicted without loss.
    let later = start.advanced(by: .seconds(2))
    for address in 0..<UInt32(1000) { #expect(limiter.take(.address(address), at: later).remaining == 999) }
  }

  @Test(arguments: [(1e-300, 1_000_000), (1_000_000.0, 1), (0.000001, 1_000_000), (1e300, 1)])
  func `extreme rates and bursts are accepted`(rate: Double, burst: Int) {
    let limiter = RateLimiter(RateLimit(rate: rate, burst: burst))
    let verdict = limiter.take(ann, at: start)
    #expect(verdict.isGranted && verdict.remaining == burst - 1 && verdict.seconds >= 1)
    #expect(limiter.policy.hasPrefix("\"default\";q=\(burst);w="))
  }

  @Test func `the default burst is the requests of five seconds`() {
    #expect(RateLimit(rate: 0.5).burst == 10 && RateLimit(rate: 2.1).burst == 11 && RateLimit(rate: 100).burst == 500)
  }
}
