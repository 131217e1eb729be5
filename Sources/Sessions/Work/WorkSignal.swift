internal import Synchronization

/// Wakes the runner of a process when a step has requested work.
final class WorkSignal: Sendable {
  private let wakeUp = Mutex<(@Sendable () -> Void)?>(nil)

  func set(_ wakeUp: @escaping @Sendable () -> Void) { self.wakeUp.withLock { $0 = wakeUp } }

  func send() { wakeUp.withLock { $0 }?() }
}
