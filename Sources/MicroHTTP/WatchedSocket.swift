import Synchronization

/// A connection's socket, with the moment at which the watchdog shuts it down.
final class WatchedSocket: Sendable {
  let descriptor: Int32
  private let deadlineNanoseconds = Atomic(MonotonicTime.never.nanoseconds)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Written by the connection's polling thread on every step of a request, read by the watchdog.
  var deadline: MonotonicTime {
    get { MonotonicTime(nanoseconds: deadlineNanoseconds.load(ordering: .relaxed)) }
    set { deadlineNanoseconds.store(newValue.nanoseconds, ordering: .relaxed) }
  }
}
