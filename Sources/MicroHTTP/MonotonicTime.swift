import Glibc

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
