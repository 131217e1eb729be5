internal import Dispatch
internal import Foundation
internal import Synchronization

/// Lines that a thread of its own writes to a file descriptor, so that a reader that stalls delays that thread alone.
///
/// Lines that do not fit are dropped and counted, and the log says how many once there is room again.
public final class LogQueue: Sendable {
  /// Bytes that wait at most: at 250 bytes a line the requests of some seconds.
  public static let standardLimit = 4 * 1024 * 1024
  /// A pipe takes this many bytes as a whole (POSIX, `PIPE_BUF`), so that lines of several writers stay apart.
  private static let atomicSize = 4096

  private struct State {
    var lines: [[UInt8]] = []
    /// Lines and bytes that are not written yet, those that the thread has taken included.
    var lineCount = 0
    var byteCount = 0
    var dropped = 0
    /// Of the dropped lines those that the log has told of.
    var reported = 0
    var isClosed = false
    var flushes: [DispatchSemaphore] = []

    var isIdle: Bool { lineCount == 0 }
  }

  private let descriptor: Int32
  private let limit: Int
  private let reportDrops: @Sendable (Int, @escaping @Sendable ([UInt8]) -> Void) -> Void
  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Starts the thread, which ends with the process or after ``close()``.
  ///
  /// - Parameters:
  ///   - limit: bytes that wait at most; a line that would make them more is dropped.
  ///   - reportDrops: writes a line about the given number of dropped lines with the given function, at once.
  public init(
    to descriptor: Int32, limit: Int = standardLimit,
    reportDrops: @escaping @Sendable (Int, @escaping @Sendable ([UInt8]) -> Void) -> Void = { _, _ in }
  ) {
    self.descriptor = descriptor
    self.limit = limit
    self.reportDrops = reportDrops
    let thread = Thread { [self] in run() }
    thread.name = "usher.log"
    thread.start()
  }

  /// Lines that wait to be written.
  public var count: Int { state.withLock { $0.lineCount } }

  /// Lines that were not written, because too many waited or the descriptor refused them.
  public var droppedCount: Int { state.withLock { $0.dropped } }

  /// Adds a line with its end, and returns at once.
  public func put(_ line: [UInt8]) {
    let wakes = state.withLock { state in
      guard !state.isClosed, state.byteCount + line.count <= limit else {
        state.dropped += 1
        return false
      }
      state.lines.append(line)
      state.lineCount += 1
      state.byteCount += line.count
      return state.lines.count == 1
    }
    if wakes { wake.signal() }
  }

  /// Blocks until everything that was put is written; false where that takes longer.
  @discardableResult
  public func flush(within timeout: Duration) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let isIdle = state.withLock { state in
      if !state.isIdle { state.flushes.append(done) }
      return state.isIdle
    }
    return isIdle || done.wait(timeout: .now() + timeout / .seconds(1)) == .success
  }

  /// Drops every further line, and ends the thread once it has written the others.
  public func close() {
    state.withLock { $0.isClosed = true }
    wake.signal()
  }

  private func run() {
    while true {
      wake.wait()
      while true {
        let lines = state.withLock { state in
          defer { state.lines = [] }
          return state.lines
        }
        if lines.isEmpty { break }
        write(lines)
      }
      let isClosed = state.withLock { state in
        guard state.isIdle else { return false }
        for flush in state.flushes { flush.signal() }
        state.flushes = []
        return state.isClosed
      }
      if isClosed { return }
    }
  }

  /// Writes whole lines, as many at once as the system keeps together.
  private func write(_ lines: [[UInt8]]) {
    var next = 0
    while next < lines.count {
      var bytes = lines[next]
      var count = 1
      while next + count < lines.count, bytes.count + lines[next + count].count <= Self.atomicSize {
        bytes += lines[next + count]
        count += 1
      }
      next += count
      let isWritten = write(bytes)
      state.withLock { state in
        state.byteCount -= bytes.count
        if !isWritten { state.dropped += count }
      }
      if isWritten { reportDropsOnceThereIsRoom() }
      // Only now, because a flush waits for the report as well.
      state.withLock { $0.lineCount -= count }
    }
  }

  /// Not before half of the queue is free: while lines are dropped all the time, one report would follow another.
  private func reportDropsOnceThereIsRoom() {
    let count = state.withLock { state in
      guard state.byteCount <= limit / 2 else { return 0 }
      defer { state.reported = state.dropped }
      return state.dropped - state.reported
    }
    if count > 0 { reportDrops(count) { _ = self.write($0) } }
  }

  /// False where the descriptor refuses the bytes.
  private func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress!, $0.count) }
      if count > 0 {
        rest.removeFirst(count)
      } else if count < 0, errno == EAGAIN {
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&event, 1, -1)
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }
}
