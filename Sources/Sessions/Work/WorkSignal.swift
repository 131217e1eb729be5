internal import Synchronization

/// Wakes the runner of a process when a step has requested work.
final class WorkSignal: Sendable {
  private let loops = Mutex<[WakeUps]>([])

  func set(_ loops: [WakeUps]) { self.loops.withLock { $0 = loops } }

  func send() { for loop in loops.withLock({ $0 }) { loop.send() } }
}

/// The wake-ups of a loop. Those that come while it is busy are one.
struct WakeUps: Sendable {
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func send() { continuation.yield() }
}
