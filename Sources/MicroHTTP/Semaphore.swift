import CMicroHTTPD
import Glibc

/// A POSIX counting semaphore, the one thing here that a thread sleeps on.
///
/// Unchecked, because `sem_t` is made to be shared; its memory stays in place until nobody refers to it.
final class Semaphore: @unchecked Sendable {
  private let raw: UnsafeMutablePointer<sem_t>

  init() {
    raw = .allocate(capacity: 1)
    raw.initialize(to: sem_t())
    sem_init(raw, 0, 0)
  }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  func signal() {
    sem_post(raw)
  }

  func wait() {
    while sem_wait(raw) != 0 {}  // interrupted by a signal
  }

  /// Waits at most this long; false when the time is up first.
  func wait(nanoseconds: Int64) -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let total = Int64(time.tv_nsec) + nanoseconds
    time.tv_sec += Int(total / 1_000_000_000)
    time.tv_nsec = Int(total % 1_000_000_000)
    while cmhd_wait_until(raw, &time) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}
