import Synchronization

/// The thread that ends what takes too long: the library's own timeout restarts with every byte.
final class Watchdog: Sendable {
  private let stopping = Semaphore()
  private let stopped = Semaphore()

  /// Nil when the system refuses another thread.
  init?(engine: Engine) {
    let started = Thread.start { [stopping, stopped] in
      while !stopping.wait(nanoseconds: engine.limits.watchInterval) {
        engine.enforceDeadlines(at: .now)
      }
      stopped.signal()
    }
    if !started { return nil }
  }

  /// Returns when the thread has done its last round.
  func stop() {
    stopping.signal()
    stopped.wait()
  }
}
