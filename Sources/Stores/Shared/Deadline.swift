internal import Glibc

/// A moment by which something has to be over, on a clock that nobody sets.
struct Deadline: Sendable, Comparable {
  private let nanoseconds: UInt64

  /// The moment itself.
  static var now: Deadline {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Deadline(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  private init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  init(in duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(
      nanoseconds: Self.now.nanoseconds + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
  }

  static func < (a: Deadline, b: Deadline) -> Bool { a.nanoseconds < b.nanoseconds }

  var hasPassed: Bool { self < .now }

  /// Rounded up; 0 once it has passed.
  var remainingMilliseconds: Int32 {
    let now = Self.now
    return self < now ? 0 : Int32(clamping: (nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
  }
}
