import Foundation
import Synchronization
import Testing

@testable import Observability

/// Lines on their way to a reader that may be slow.
@Suite struct `A queue of log lines` {
  /// A pipe of one page, which the test reads when it wants to.
  private final class Reader: Sendable {
    let writing: Int32
    private let reading: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
      _ = fcntl(writing, 1031 /* F_SETPIPE_SZ */, 4096)
      // As a server does: a reader that has left is an error then, and no signal.
      signal(SIGPIPE, SIG_IGN)
    }

    deinit { Foundation.close(writing) }

    func leave() { Foundation.close(reading) }

    /// As many bytes as there are now, at least one; none where nothing comes for 30 seconds.
    func read() -> [UInt8] {
      var source = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard poll(&source, 1, 30_000) == 1 else { return [] }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = Foundation.read(reading, &bytes, bytes.count)
      return Array(bytes.prefix(max(0, count)))
    }

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

  @Test func `writes every line once and as a whole, in the order in which each thread put them`() async throws {
    let reader = try Reader()
    let queue = queue(reader)
    let filler = String(repeating: "x", count: 90)
    async let lines = withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: reader.lines { $0 == "end" }) }
    }
    await withTaskGroup { group in
      for thread in 0..<8 {
        group.addTask { for number in 0..<500 { queue.put(Self.line("\(thread) \(number) \(filler)")) } }
      }
    }
    queue.put(Self.line("end"))
    let parts = await lines.dropLast().map { $0.split(separator: " ") }
    #expect(parts.count == 4000 && parts.allSatisfy { $0.count == 3 && $0[2] == filler })
    for thread in 0..<8 {
      #expect(parts.filter { $0[0] == "\(thread)" }.map { $0[1] } == (0..<500).map { Substring("\($0)") })
    }
    #expect(queue.flush(within: .seconds(30)) && queue.count == 0 && queue.droppedCount == 0)
    queue.close()
  }

  @Test func `drops lines while nobody reads, and the log tells how many once there is room`() throws {
    let reader = try Reader()
    let queue = queue(reader, limit: 20_000)
    let filler = String(repeating: "x", count: 90)
    // Where this waited for the reader, it would wait for ever.
    for number in 0..<1000 { queue.put(Self.line("\(number) \(filler)")) }
    #expect(!queue.flush(within: .milliseconds(10)))
    #expect(queue.count <= 20_000 / 90 && queue.count > 0)
    #expect(queue.droppedCount >= 1000 - 20_000 / 90 - 4096 / 90 && queue.droppedCount < 1000)
    var lines: [Substring] = []
    while !lines.contains(where: { $0.hasPrefix("dropped") }) {
      let more = reader.lines { _ in true }
      try #require(!more.isEmpty)
      lines += more
    }
    queue.put(Self.line("end"))
    lines += reader.lines { $0 == "end" }
    let reports = lines.filter { $0.hasPrefix("dropped ") }
    #expect(reports == ["dropped \(queue.droppedCount)"])
    #expect(lines.count { $0.hasSuffix(filler) } + queue.droppedCount == 1000)
    #expect(queue.flush(within: .seconds(30)))
    queue.close()
  }

  @Test func `drops a line that is larger than all that it keeps`() throws {
    let reader = try Reader()
    let queue = queue(reader, limit: 100)
    queue.put(Self.line(String(repeating: "x", count: 100)))
    #expect(queue.droppedCount == 1 && queue.flush(within: .seconds(30)))
    queue.put(Self.line("small"))
    #expect(reader.lines { $0.hasPrefix("dropped") } == ["small", "dropped 1"])
    queue.close()
  }

  @Test func `waits for a descriptor that does not block`() throws {
    let reader = try Reader()
    _ = fcntl(reader.writing, F_SETFL, O_NONBLOCK)
    let queue = queue(reader)
    for number in 0..<2000 { queue.put(Self.line("\(number)")) }
    #expect(reader.lines { $0 == "1999" } == (0..<2000).map { Substring("\($0)") })
    queue.close()
  }

  @Test func `counts what a reader that has left does not get, and keeps nobody waiting`() throws {
    let reader = try Reader()
    let queue = queue(reader)
    reader.leave()
    for _ in 0..<10 { queue.put(Self.line("x")) }
    #expect(queue.flush(within: .seconds(30)))
    #expect(queue.droppedCount == 10 && queue.count == 0)
    queue.close()
    queue.put(Self.line("x"))
    #expect(queue.droppedCount == 11)
  }
}
