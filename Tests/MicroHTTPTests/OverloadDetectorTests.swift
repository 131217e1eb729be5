import Testing

@testable import MicroHTTP

/// The detection of overload, in a simulation with a clock of its own.
@Suite struct OverloadDetectorTests {
  /// A closed loop of clients. Each client sends its next request after the response to the previous one.
  private struct ClosedLoop {
    let clients: Int
    let detector = OverloadDetector(delayLimit: OverloadDetector.targetDelay, minimumLimit: 128)
    /// The last period of each client.
    var periods: [Int]
    /// The current time in milliseconds.
    var time = 1000
    var waiting: [(client: Int, since: Int)] = []
    var refused = 0
    var served = 0

    init(clients: Int) {
      self.clients = clients
      periods = Array(repeating: 0, count: clients)
      for client in 0..<clients { send(client) }
    }

    /// Sends a request. A refused client tries again with the next batch.
    private mutating func send(_ client: Int) {
      if detector.isAlert { detector.countConnection(&periods[client]) }
      if waiting.count >= detector.limit {
        refused += 1
      } else {
        waiting.append((client, time))
      }
    }

    /// Responds to the first `count` waiting requests after some milliseconds.
    mutating func respond(after milliseconds: Int, count: Int = .max) {
      time += milliseconds
      let batch = waiting.prefix(count)
      for (done, item) in batch.enumerated() {
        let left = waiting.count - done - 1
        let now = MonotonicTime(nanoseconds: Int64(time) * 1_000_000)
        detector.countDeparture(after: Int64(time - item.since) * 1_000_000, at: now) { left }
        served += 1
      }
      waiting.removeFirst(batch.count)
      let idle = Set(0..<clients).subtracting(waiting.map(\.client))
      for client in idle.sorted() { send(client) }
    }
  }

  @Test(arguments: [1, 15, 39, 90, 100], [256, 2000])
  func `no request that is served within 100 ms is shed`(period: Int, clients: Int) {
    var loop = ClosedLoop(clients: clients)
    for _ in 0..<200 { loop.respond(after: period) }
    #expect(loop.refused == 0)
    #expect(loop.served == 200 * clients)
  }

  @Test func `no request is shed while some are served in time, however late the others are`() {
    let detector = OverloadDetector(delayLimit: OverloadDetector.targetDelay, minimumLimit: 128)
    for step in 0..<1000 {
      let now = MonotonicTime(nanoseconds: Int64(1000 + 10 * step) * 1_000_000)
      detector.countDeparture(after: step % 4 == 0 ? 5_000_000 : 30_000_000_000, at: now) { 100_000 }
      #expect(!detector.isOverloaded)
    }
  }

  @Test func `no request of a burst is shed`() {
    var loop = ClosedLoop(clients: 2000)
    loop.respond(after: 400)
    for _ in 0..<20 { loop.respond(after: 15) }
    #expect(loop.refused == 0)
  }

  @Test func `no request is shed while few wait, however long`() {
    var loop = ClosedLoop(clients: 128)
    for _ in 0..<50 { loop.respond(after: 1000, count: 3) }
    #expect(loop.refused == 0)
  }

  @Test func `as many requests are admitted as are served within 100 ms`() {
    var loop = ClosedLoop(clients: 5000)
    // 40 responses in 10 ms are 400 in 100 ms.
    for _ in 0..<300 { loop.respond(after: 10, count: 40) }
    #expect(loop.detector.isOverloaded)
    #expect((300...500).contains(loop.detector.limit))
    #expect((300...500).contains(loop.waiting.count))
    #expect(loop.served == 300 * 40)
  }

  @Test func `no request is shed soon after the end of a stall`() {
    var loop = ClosedLoop(clients: 400)
    for _ in 0..<20 { loop.respond(after: 15) }
    for _ in 0..<10 { loop.respond(after: 300, count: 30) }
    #expect(loop.detector.isOverloaded)
    #expect(loop.refused > 0)
    for _ in 0..<15 { loop.respond(after: 15) }
    #expect(!loop.detector.isOverloaded)
    let refused = loop.refused
    for _ in 0..<200 { loop.respond(after: 15) }
    #expect(loop.refused == refused)
  }

  @Test func `an overload ends while few connections have requests, however late`() {
    var loop = ClosedLoop(clients: 400)
    for _ in 0..<10 { loop.respond(after: 300, count: 30) }
    #expect(loop.detector.isOverloaded)
    var period = 0
    for second in 1...2 {
      loop.detector.countConnection(&period)
      loop.detector.review(at: MonotonicTime(nanoseconds: Int64(loop.time + 1000 * second) * 1_000_000)) { 0 }
    }
    #expect(!loop.detector.isOverloaded)
  }

  @Test func `an overload ends once no request waits`() {
    var loop = ClosedLoop(clients: 400)
    for _ in 0..<10 { loop.respond(after: 300, count: 30) }
    #expect(loop.detector.isOverloaded)
    loop.detector.reset(at: MonotonicTime(nanoseconds: Int64(loop.time) * 1_000_000))
    #expect(!loop.detector.isOverloaded && !loop.detector.isAlert)
  }
}
