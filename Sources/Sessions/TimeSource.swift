internal import Glibc
public import Values

/// The clock of a session service, which tests replace.
public struct TimeSource: Sendable {
  public let now: @Sendable () -> Timestamp

  public init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

  /// The system clock.
  public static let system = TimeSource {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
