internal import Synchronization

/// Wakes the runner of a process when a step has requested work.
final class WorkSignal: Sendable {
  private let wakeUp = Mutex<AsyncStream<Void>.Continuation?>(nil)

  func set(_ continuation: AsyncStream<Void>.Continuation) { wakeUp.withLock { $0 = continuation } }

  func send() { _ = wakeUp.withLock { $0?.yield() } }
}
