import MicroHTTP
import Testing

@testable import HTTPAPI

/// The token buckets of a rate limiter.
@Suite struct RateLimiterTests {
  private let start = ContinuousClock.now
  private let ann = LimitedClient.principal("ann")

  @Test func `a burst is granted, and then the requests that are earned`() {
    let limiter = RateLimiter(RateLimit(rate: 2, burst: 3))
    for remaining in [2, 1, 0] {
      let verdict = limiter.take(ann, at: start)
      #expect(verdict.isGranted && verdict.remaining == remaining)
    }
    let refused = limiter.take(ann, at: start)
    #expect(!refused.isGranted && refused.remaining == 0 && refused.wait == 500_000_000 && refused.seconds == 1)
    // A rejected request costs nothing.
    for _ in 0..<100 { #expect(!limiter.take(ann, at: start.advanced(by: .milliseconds(499))).isGranted) }
    #expect(limiter.take(ann, at: start.advanced(by: .milliseconds(500))).isGranted)
    #expect(!limiter.take(ann, at: start.advanced(by: .milliseconds(999))).isGranted)
    // After any idle time, at most a burst is available.
    let later = start.advanced(by: .seconds(3600))
    #expect((0..<5).filter { _ in limiter.take(ann, at: later).isGranted }.count == 3)
  }

  @Test func `a verdict states the seconds until the next request is earned`() {
    let limiter = RateLimiter(RateLimit(rate: 0.1, burst: 2))
    #expect(limiter.policy == "\"default\";q=2;w=20")
    #expect(limiter.take(ann, at: start).seconds == 10)
    let last = limiter.take(ann, at: start)
    #expect(last.isGranted && last.remaining == 0 && last.seconds == 10)
    #expect(limiter.take(ann, at: start.advanced(by: .seconds(4))).seconds == 6)
  }

  @Test func `clients are told apart`() {
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

  @Test func `at capacity, idle clients are forgotten first`() {
    let limiter = RateLimiter(RateLimit(rate: 1, burst: 1000))
    // A busy client is remembered, however many other addresses make requests.
    for _ in 0..<1000 { _ = limiter.take(ann, at: start) }
    for address in 0..<UInt32(3 * RateLimiter.capacity) {
      #expect(limiter.take(.address(address), at: start).isGranted)
    }
    #expect(!limiter.take(ann, at: start).isGranted)
    // A client whose bucket is full can be forgotten without loss.
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
