import Glibc

/// A POSIX thread for work that blocks. A task with such work would occupy a thread of Swift's pool.
enum Thread {
  /// Starts a detached thread. Returns false if the system refuses.
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

/// A moment of the system's monotonic clock, in nanoseconds.
///
/// The coarse clock needs no system call. Its error of a few milliseconds does not matter to deadlines of seconds.
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
  /// Whole nanoseconds, from 0 to about 146 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return max(0, min(seconds, Int64.max / 2_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}

/// Sets an option of a socket, unless the system refuses.
func setSocketOption<Value: BitwiseCopyable>(_ option: Int32, _ level: Int32, to value: Value, on descriptor: Int32) {
  var value = value
  setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
}

/// The settings of the whole process that a server needs.
enum ProcessSettings {
  /// Ignores SIGPIPE, so that a client that disconnects does not end the process, and raises the soft limit of open
  /// files to the hard one: every connection takes a descriptor, and the usual soft limit is 1024.
  static func apply() {
    signal(SIGPIPE, SIG_IGN)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
