import Foundation
import Synchronization
import Testing

@testable import Observability

/// The queue between the threads that log and the reader of the log.
@Suite struct LogQueueTests {
  /// A pipe with the capacity of one page, which the test reads at will.
  private final class Reader: Sendable {
    let writing: Int32
    private let reading: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
      _ = fcntl(writing, 1031 /* F_SETPIPE_SZ */, 4096)
      // As in the server: a closed pipe is an error instead of a signal.
      signal(SIGPIPE, SIG_IGN)
    }

    deinit { Foundation.close(writing) }

    func disconnect() { Foundation.close(reading) }

    /// Returns the available bytes, at least one; empty if none arrive for 30 seconds.
    func read() -> [UInt8] {
      var source = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard poll(&source, 1, 30_000) == 1 else { return [] }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = Foundation.read(reading, &bytes, bytes.count)
      return Array(bytes.prefix(max(0, count)))
    }

    /// Reads whole lines until `isLast` accepts the last one; empty if no bytes arrive for 30 seconds.
    func lines(until isLast: (Substring) -> Bool) -> [Substring] {
      var text = ""
      while true {
        let bytes = read()
        if bytes.isEmpty { return [] }
        text += String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n")
        if text.hasSuffix("\n"), lines.last.map(isLast) == true { return lines }
      }
    }
  }

  private static func line(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }

  private func queue(_ reader: Reader, limit: Int = LogQueue.standardLimit) -> LogQueue {
    LogQueue(to: reader.writing, limit: limit) { count, write in write(Self.line("dropped \(count)")) }
  }

  @Test func `every line is written once and whole, in the order of each thread`() async throws {
    let reader = try Reader()
    let queue = queue(reader)
    let filler = String(repeating: "x", count: 90)
    async let lines = withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: reader.lines { $0 == "end" }) }
    }
    await withTaskGroup { group in
      for thread in 0..<8 {
        group.addTask { for number in 0..<500 { queue.enqueue(Self.line("\(thread) \(number) \(filler)")) } }
      }
    }
    queue.enqueue(Self.line("end"))
    let parts = await lines.dropLast().map { $0.split(separator: " ") }
    #expect(parts.count == 4000 && parts.allSatisfy { $0.count == 3 && $0[2] == filler })
    for thread in 0..<8 {
      #expect(parts.filter { $0[0] == "\(thread)" }.map { $0[1] } == (0..<500).map { Substring("\($0)") })
    }
    #expect(queue.flush(within: .seconds(30)) && queue.count == 0 && queue.droppedCount == 0)
    queue.close()
  }

  @Test func `lines without a reader are dropped, and their number is reported once the queue has room`() throws {
    let reader = try Reader()
    let queue = queue(reader, limit: 20_000)
    let filler = String(repeating: "x", count: 90)
    // If the queue waited for the reader, this loop would never end.
    for number in 0..<1000 { queue.enqueue(Self.line("\(number) \(filler)")) }
    #expect(!queue.flush(within: .milliseconds(10)))
    #expect(queue.count <= 20_000 / 90 && queue.count > 0)
    #expect(queue.droppedCount >= 1000 - 20_000 / 90 - 4096 / 90 && queue.droppedCount < 1000)
    var lines: [Substring] = []
    while !lines.contains(where: { $0.hasPrefix("dropped") }) {
      let more = reader.lines { _ in true }
      try #require(!more.isEmpty)
      lines += more
    }
    queue.enqueue(Self.line("end"))
    lines += reader.lines { $0 == "end" }
    let reports = lines.filter { $0.hasPrefix("dropped ") }
    #expect(reports == ["dropped \(queue.droppedCount)"])
    #expect(lines.count { $0.hasSuffix(filler) } + queue.droppedCount == 1000)
    #expect(queue.flush(within: .seconds(30)))
    queue.close()
  }

  @Test func `a line longer than the limit is dropped`() throws {
    let reader = try Reader()
    let queue = queue(reader, limit: 100)
    queue.enqueue(Self.line(String(repeating: "x", count: 100)))
    #expect(queue.droppedCount == 1 && queue.flush(within: .seconds(30)))
    queue.enqueue(Self.line("small"))
    #expect(reader.lines { $0.hasPrefix("dropped") } == ["small", "dropped 1"])
    queue.close()
  }

  @Test func `the queue waits for a nonblocking descriptor`() throws {
    let reader = try Reader()
    _ = fcntl(reader.writing, F_SETFL, O_NONBLOCK)
    let queue = queue(reader)
    for number in 0..<2000 { queue.enqueue(Self.line("\(number)")) }
    #expect(reader.lines { $0 == "1999" } == (0..<2000).map { Substring("\($0)") })
    queue.close()
  }

  @Test func `lines for a disconnected reader are dropped, and do not delay a flush`() throws {
    let reader = try Reader()
    let queue = queue(reader)
    reader.disconnect()
    for _ in 0..<10 { queue.enqueue(Self.line("x")) }
    #expect(queue.flush(within: .seconds(30)))
    #expect(queue.droppedCount == 10 && queue.count == 0)
    queue.close()
    queue.enqueue(Self.line("x"))
    #expect(queue.droppedCount == 11)
  }
}
