internal import Glibc
internal import Values

/// A point in time, in whole milliseconds since 1970-01-01T00:00:00Z without leap seconds.
public struct Timestamp: Sendable, Hashable, Comparable, BitwiseCopyable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  public static func + (time: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + seconds * 1000)
  }

  /// `2026-11-20T12:00:00Z` (RFC 3339) as ASCII, truncated to whole seconds; clamped to the years 1970 to 9999.
  public var characters: InlineArray<20, UInt8> {
    RFC3339.characters(secondsSince1970: max(milliseconds, 0) / 1000)
  }

  public var text: String {
    let characters = characters
    return String(unsafeUninitializedCapacity: characters.count) { buffer in
      for index in characters.indices { buffer[index] = characters[index] }
      return characters.count
    }
  }
}

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
