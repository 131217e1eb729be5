internal import Glibc

/// A point in time, in whole milliseconds since 1970-01-01T00:00:00Z without leap seconds.
public struct Timestamp: Sendable, Hashable, Comparable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  public static func + (time: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + seconds * 1000)
  }

  /// `2026-11-20T12:00:00Z` (RFC 3339) as ASCII, truncated to whole seconds; clamped to the years 1970 to 9999.
  public var characters: InlineArray<20, UInt8> {
    let seconds = min(max(milliseconds, 0) / 1000, 253_402_300_799)
    let date = CivilDate(daysSince1970: seconds / 86_400)
    let second = seconds % 86_400
    var text = InlineArray<20, UInt8>(repeating: UInt8(ascii: ":"))
    func put(_ number: Int64, at index: Int) {
      let (tens, ones) = UInt8(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: 10)
      text[index] = UInt8(ascii: "0") &+ tens
      text[index + 1] = UInt8(ascii: "0") &+ ones
    }
    put(date.year / 100, at: 0)
    put(date.year % 100, at: 2)
    text[4] = UInt8(ascii: "-")
    put(date.month, at: 5)
    text[7] = UInt8(ascii: "-")
    put(date.day, at: 8)
    text[10] = UInt8(ascii: "T")
    put(second / 3600, at: 11)
    put(second / 60 % 60, at: 14)
    put(second % 60, at: 17)
    text[19] = UInt8(ascii: "Z")
    return text
  }

  public var text: String {
    let characters = characters
    return String(unsafeUninitializedCapacity: characters.count) { buffer in
      for index in characters.indices { buffer[index] = characters[index] }
      return characters.count
    }
  }
}

/// A date of the Gregorian calendar.
private struct CivilDate {
  let year: Int64
  let month: Int64
  let day: Int64

  /// Counts in years that begin on 1 March. The leap day is the last day of such a year, and the months before it have
  /// a regular pattern of 153 days in five months.
  init(daysSince1970: Int64) {
    let daysSinceYear0 = daysSince1970 + 719_468
    let (era, dayOfEra) = daysSinceYear0.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
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
