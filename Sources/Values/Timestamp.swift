/// A point in time, in whole milliseconds since 1970-01-01T00:00:00Z without leap seconds.
public struct Timestamp: Sendable, Hashable, Comparable, BitwiseCopyable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  public static func + (time: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + seconds * 1000)
  }

  /// The duration counts in whole milliseconds, rounded up; a negative one as 0.
  public static func + (time: Timestamp, duration: Duration) -> Timestamp {
    guard duration > .zero else { return time }
    let (seconds, attoseconds) = duration.components
    // Far beyond the last year of RFC 3339.
    guard seconds < 1 << 50 else { return Timestamp(milliseconds: .max) }
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    let (sum, overflows) = time.milliseconds.addingReportingOverflow(milliseconds)
    return Timestamp(milliseconds: overflows ? .max : sum)
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
