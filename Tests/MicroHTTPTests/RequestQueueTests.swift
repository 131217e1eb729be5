import Testing

@testable import MicroHTTP

@Suite struct `A queue of requests` {
  /// A closed loop: each client sends its next request when the last one was answered or refused.
  private struct ClosedLoop {
    let clients: Int
    let queue = RequestQueue(patience: RequestQueue.target, floor: 128)
    var visits: [Int]
    /// In milliseconds.
    var time = 1000
    var waiting: [(client: Int, since: Int)] = []
    var refused = 0
    var answered = 0

    init(clients: Int) {
      self.clients = clients
      visits = Array(repeating: 0, count: clients)
      for client in 0..<clients { send(client) }
    }

    /// A client that is refused tries again with the next batch.
    private mutating func send(_ client: Int) {
      if queue.isWatched { queue.arrive(&visits[client]) }
      if waiting.count >= queue.limit {
        refused += 1
      } else {
        waiting.append((client, time))
      }
    }

    /// After some milliseconds all that wait are answered, or as many as said.
    mutating func answerBatch(after milliseconds: Int, count: Int = .max) {
      time += milliseconds
      let batch = waiting.prefix(count)
      for (done, item) in batch.enumerated() {
        let left = waiting.count - done - 1
        let now = MonotonicTime(nanoseconds: Int64(time) * 1_000_000)
        queue.pass(after: Int64(time - item.since) * 1_000_000, at: now) { left }
        answered += 1
      }
      waiting.removeFirst(batch.count)
      let idle = Set(0..<clients).subtracting(waiting.map(\.client))
      for client in idle.sorted() { send(client) }
    }
  }

  @Test(arguments: [1, 15, 39, 90, 100], [256, 2000])
  func `refuses nothing that is answered within 100 ms`(period: Int, clients: Int) {
    var loop = ClosedLoop(clients: clients)
    for _ in 0..<200 { loop.answerBatch(after: period) }
    #expect(loop.refused == 0)
    #expect(loop.answered == 200 * clients)
  }

  @Test func `refuses nothing while some requests are answered in time, however late the others are`() {
    let queue = RequestQueue(patience: RequestQueue.target, floor: 128)
    for step in 0..<1000 {
      let now = MonotonicTime(nanoseconds: Int64(1000 + 10 * step) * 1_000_000)
      queue.pass(after: step % 4 == 0 ? 5_000_000 : 30_000_000_000, at: now) { 100_000 }
      #expect(!queue.isOverloaded)
    }
  }

  @Test func `refuses nothing of a burst`() {
    var loop = ClosedLoop(clients: 2000)
    loop.answerBatch(after: 400)
    for _ in 0..<20 { loop.answerBatch(after: 15) }
    #expect(loop.refused == 0)
  }

  @Test func `refuses nothing while few requests wait, however long`() {
    var loop = ClosedLoop(clients: 128)
    for _ in 0..<50 { loop.answerBatch(after: 1000, count: 3) }
    #expect(loop.refused == 0)
  }

  @Test func `lets as many requests wait as are answered within 100 ms`() {
    var loop = ClosedLoop(clients: 5000)
    // 400 within 100 ms.
    for _ in 0..<300 { loop.answerBatch(after: 10, count: 40) }
    #expect(loop.queue.isOverloaded)
    #expect((300...500).contains(loop.queue.limit))
    #expect((300...500).contains(loop.waiting.count))
    #expect(loop.answered == 300 * 40)
  }

  @Test func `refuses nothing any more soon after a time of stalling`() {
    var loop = ClosedLoop(clients: 400)
    for _ in 0..<20 { loop.answerBatch(after: 15) }
    for _ in 0..<10 { loop.answerBatch(after: 300, count: 30) }
    #expect(loop.queue.isOverloaded)
    #expect(loop.refused > 0)
    for _ in 0..<15 { loop.answerBatch(after: 15) }
    #expect(!loop.queue.isOverloaded)
    let refused = loop.refused
    for _ in 0..<200 { loop.answerBatch(after: 15) }
    #expect(loop.refused == refused)
  }

  @Test func `forgets an overload once no request waits`() {
    var loop = ClosedLoop(clients: 400)
    for _ in 0..<10 { loop.answerBatch(after: 300, count: 30) }
    #expect(loop.queue.isOverloaded)
    loop.queue.reset(at: MonotonicTime(nanoseconds: Int64(loop.time) * 1_000_000))
    #expect(!loop.queue.isOverloaded && !loop.queue.isWatched)
  }
}
