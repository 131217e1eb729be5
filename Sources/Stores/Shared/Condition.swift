internal import Glibc

/// A lock with a condition to wait for. Foundation's measures time by a clock that can be set, and would wait on for as long as that
/// was set back.
///
/// Unchecked, because the system's lock and condition are for use by several threads.
final class Condition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Lets others have the lock until there is a signal; it may also return without one.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// The same; false once the moment has passed.
  func wait(until moment: timespec) -> Bool {
    var moment = moment
    return pthread_cond_timedwait(condition, mutex, &moment) != ETIMEDOUT
  }

  /// The moment after so many nanoseconds, less than a second.
  static func moment(in nanoseconds: Int) -> timespec {
    var moment = timespec()
    clock_gettime(CLOCK_MONOTONIC, &moment)
    moment.tv_nsec += nanoseconds
    if moment.tv_nsec >= 1_000_000_000 {
      moment.tv_sec += 1
      moment.tv_nsec -= 1_000_000_000
    }
    return moment
  }

  /// Wakes one that waits.
  func signal() { pthread_cond_signal(condition) }

  /// Wakes all that wait.
  func broadcast() { pthread_cond_broadcast(condition) }
}
