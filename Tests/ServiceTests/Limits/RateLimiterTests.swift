import MicroHTTP
import Testing

@testable import HTTPAPI

/// How requests are counted.
@Suite struct `A rate limiter` {
  private let start = ContinuousClock.now
  private let ann = LimitedClient.principal("ann")

  @Test func `grants a burst, and then what is earned`() {
    let limiter = RateLimiter(RateLimit(rate: 2, burst: 3))
    for remaining in [2, 1, 0] {
      let verdict = limiter.take(ann, at: start)
      #expect(verdict.isGranted && verdict.remaining == remaining)
    }
    let refused = limiter.take(ann, at: start)
    #expect(!refused.isGranted && refused.remaining == 0 && refused.wait == 500_000_000 && refused.seconds == 1)
    // Who is refused is not counted.
    for _ in 0..<100 { #expect(!limiter.take(ann, at: start.advanced(by: .milliseconds(499))).isGranted) }
    #expect(limiter.take(ann, at: start.advanced(by: .milliseconds(500))).isGranted)
    #expect(!limiter.take(ann, at: start.advanced(by: .milliseconds(999))).isGranted)
    // However long nothing comes, no more than a burst is earned.
    let later = start.advanced(by: .seconds(3600))
    #expect((0..<5).filter { _ in limiter.take(ann, at: later).isGranted }.count == 3)
  }

  @Test func `says how long it takes`() {
    let limiter = RateLimiter(RateLimit(rate: 0.1, burst: 2))
    #expect(limiter.policy == "\"default\";q=2;w=20")
    #expect(limiter.take(ann, at: start).seconds == 10)
    let last = limiter.take(ann, at: start)
    #expect(last.isGranted && last.remaining == 0 && last.seconds == 10)
    #expect(limiter.take(ann, at: start.advanced(by: .seconds(4))).seconds == 6)
  }

  @Test func `tells clients apart`() {
    let limiter = RateLimiter(RateLimit(rate: 1, burst: 1))
    let clients: [LimitedClient] = [
      ann, .principal("bob"), .init(nil), .init(IPAddress("192.0.2.1")), .init(IPAddress("192.0.2.2")),
      .init(IPAddress("2001:db8:0:1::1")), .init(IPAddress("2001:db8:0:2::1")), .init(IPAddress("::")),
    ]
    for client in clients { #expect(limiter.take(client, at: start).isGranted, "\(client)") }
    // A network of 64 bits is one, and an address of IPv4 is the same however it comes.
    for address in ["2001:db8:0:1:ffff::9", "::ffff:192.0.2.1"] {
      #expect(!limiter.take(.init(IPAddress(address)), at: start).isGranted, "\(address)")
    }
  }

  @Test func `keeps as many clients as it has places for, and forgets the idle first`() {
    let limiter = RateLimiter(RateLimit(rate: 1, burst: 1000))
    // One who asks for much is remembered, whatever comes from other addresses.
    for _ in 0..<1000 { _ = limiter.take(ann, at: start) }
    for address in 0..<UInt32(3 * RateLimiter.capacity) {
      #expect(limiter.take(.address(address), at: start).isGranted)
    }
    #expect(!limiter.take(ann, at: start).isGranted)
    // Whose bucket is full again gives its place up without loss.
    let later = start.advanced(by: .seconds(2))
    for address in 0..<UInt32(1000) { #expect(limiter.take(.address(address), at: later).remaining == 999) }
  }

  @Test(arguments: [(1e-300, 1_000_000), (1_000_000.0, 1), (0.000001, 1_000_000), (1e300, 1)])
  func `takes every number`(rate: Double, burst: Int) {
    let limiter = RateLimiter(RateLimit(rate: rate, burst: burst))
    let verdict = limiter.take(ann, at: start)
    #expect(verdict.isGranted && verdict.remaining == burst - 1 && verdict.seconds >= 1)
    #expect(limiter.policy.hasPrefix("\"default\";q=\(burst);w="))
  }

  @Test func `allows five seconds at once unless it is told`() {
    #expect(RateLimit(rate: 0.5).burst == 10 && RateLimit(rate: 2.1).burst == 11 && RateLimit(rate: 100).burst == 500)
  }
}
