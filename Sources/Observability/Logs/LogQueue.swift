internal import Dispatch
internal import Foundation
internal import Synchronization

/// A bounded queue of log lines, whose own thread writes them to a file descriptor. A reader that stalls delays only
/// that thread.
///
/// A full queue drops and counts further lines, and reports their number once it has room again.
public final class LogQueue: Sendable {
  /// The default limit in bytes, 4 MiB: at 250 bytes a line, the requests of some seconds.
  public static let standardLimit = 4 * 1024 * 1024
  /// The bytes that a pipe accepts atomically (POSIX, `PIPE_BUF`), so that the lines of several writers do not mix.
  private static let atomicSize = 4096

  private struct State {
    var lines: [[UInt8]] = []
    /// The lines and bytes that are not written yet, including those that the thread has taken.
    var lineCount = 0
    var byteCount = 0
    var dropped = 0
    /// The number of dropped lines that the log has reported.
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

  /// Creates a queue and starts its thread, which ends with the process or after ``close()``.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of queued bytes. A line that would exceed it is dropped.
  ///   - reportDrops: formats a line about the given number of dropped lines, and writes it with the given function
  ///     before it returns.
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

  /// The number of lines not written yet.
  public var count: Int { state.withLock { $0.lineCount } }

  /// The number of dropped lines, because the queue was full or closed, or the descriptor failed.
  public var droppedCount: Int { state.withLock { $0.dropped } }

  /// Enqueues a line with its line break, without blocking.
  public func enqueue(_ line: [UInt8]) {
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

  /// Blocks until all queued lines are written. Returns false on a timeout.
  @discardableResult
  public func flush(within timeout: Duration) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let isIdle = state.withLock { state in
      if !state.isIdle { state.flushes.append(done) }
      return state.isIdle
    }
    return isIdle || done.wait(timeout: .now() + timeout / .seconds(1)) == .success
  }

  /// Drops all further lines, and ends the thread after the queued ones.
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

  /// Writes whole lines, in batches of the size that a pipe accepts atomically.
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
      if isWritten { reportDropsIfHalfEmpty() }
      // After the report, since a flush waits for it too.
      state.withLock { $0.lineCount -= count }
    }
  }

  /// Reports new drops once half of the queue is free. Under permanent overload, an earlier report would follow every
  /// line.
  private func reportDropsIfHalfEmpty() {
    let count = state.withLock { state in
      guard state.byteCount <= limit / 2 else { return 0 }
      defer { state.reported = state.dropped }
      return state.dropped - state.reported
    }
    if count > 0 { reportDrops(count) { _ = self.write($0) } }
  }

  /// Writes bytes, and waits for a descriptor that would block. Returns false if the descriptor fails.
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
