import CMicroHTTPD
import Glibc

/// A POSIX thread. Tasks will not do: the work here blocks.
enum Thread {
  /// Starts a detached thread; false when the system refuses.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { raw in
        Unmanaged<Work>.fromOpaque(raw!).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard failed == 0 else {
      work.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}

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

/// Nanoseconds on the system's monotonic clock.
///
/// The coarse clock is read without a system call and is right to a few milliseconds, which deadlines of seconds
/// do not notice.
struct MonotonicTime: Comparable, Sendable {
  var nanoseconds: Int64

  static let never = MonotonicTime(nanoseconds: .max)

  static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

  static func + (time: MonotonicTime, nanoseconds: Int64) -> MonotonicTime {
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(nanoseconds)
    return overflow ? .never : MonotonicTime(nanoseconds: sum)
  }
}

extension Duration {
  /// Whole nanoseconds, never negative, at most about 146 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return max(0, min(seconds, Int64.max / 2_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}

/// What a server needs of its whole process.
enum ProcessSettings {
  /// Every connection is a descriptor, and the usual soft limit is 1024.
  static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// A client that leaves must not end the process.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }
}
