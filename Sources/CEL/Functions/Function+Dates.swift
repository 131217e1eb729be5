internal import TimeZones

/// The functions of calendar dates, which JSON has as texts such as `2026-11-25` (RFC 3339, full-date).
extension Function {
  static let dates = [
    shift("plusDays") { date, count in CalendarDay(daysSinceEpoch: date.daysSinceEpoch + count) },
    shift("plusMonths") { date, count in date.adding(months: count) },
    shift("plusYears") { date, count in date.adding(months: 12 * count) },
    distance("daysUntil") { first, last in last.daysSinceEpoch - first.daysSinceEpoch },
    distance("yearsUntil") { first, last in first.wholeYears(until: last) },
  ]

  /// The greatest number of days, months or years that leads from one date to another, and no overflow beyond.
  private static let maximumCount: Int64 = 10_000_000

  private static func shift(
    _ name: String, _ shift: @escaping @Sendable (CalendarDay, Int) -> CalendarDay?
  ) -> Function {
    Function(name, [.member([.string, .int], .string)]) { (_, arguments) throws(Failure) in
      let date = try day(arguments[0])
      guard arguments[1].integer.magnitude <= maximumCount, let shifted = shift(date, Int(arguments[1].integer)) else {
        throw .overflow("a date")
      }
      return .string(shifted.text)
    }
  }

  private static func distance(
    _ name: String, _ distance: @escaping @Sendable (CalendarDay, CalendarDay) -> Int
  ) -> Function {
    Function(name, [.member([.string, .string], .int)]) { (_, arguments) throws(Failure) in
      .int(Int64(distance(try day(arguments[0]), try day(arguments[1]))))
    }
  }

  private static func day(_ value: CEL.Value) throws(Failure) -> CalendarDay {
    guard let day = CalendarDay(value.text) else {
      throw .invalidConversion("\(value.shortDescription) is not a date. Write it as '2026-11-25'.")
    }
    return day
  }
}

/// A day of the years 1 to 9999: the timestamp at its begin in UTC.
private struct CalendarDay {
  private let begin: CEL.Timestamp

  /// Reads a date such as `2026-11-25`. Returns nil for any other text.
  init?(_ text: String) {
    guard let begin = CEL.Timestamp("\(text)T00:00:00Z") else { return nil }
    self.begin = begin
  }

  /// Returns nil outside of the years 1 to 9999.
  init?(daysSinceEpoch days: Int) {
    guard let begin = CEL.Timestamp(seconds: Int64(days) * 86400) else { return nil }
    self.begin = begin
  }

  var text: String { String(begin.description.prefix(10)) }

  var daysSinceEpoch: Int { CivilTime.floorDivision(Int(begin.seconds), 86400).quotient }

  private var civil: CivilTime { CivilTime(seconds: begin.seconds) }

  /// Returns the same day of another month, or its last day if the month is shorter; nil outside of the years.
  func adding(months count: Int) -> CalendarDay? {
    let date = civil
    let (year, month) = CivilTime.floorDivision(12 * date.year + date.month - 1 + count, 12)
    guard (1...9999).contains(year) else { return nil }
    let day = min(date.day, CivilTime.dayCount(ofMonth: month + 1, year: year))
    return CalendarDay(daysSinceEpoch: CivilTime.days(year: year, month: month + 1, day: day))
  }

  /// Returns the number of whole years, as in the age of a person; negative if the other day is earlier.
  func wholeYears(until other: CalendarDay) -> Int {
    if other.begin.seconds < begin.seconds { return -other.wholeYears(until: self) }
    let (first, last) = (civil, other.civil)
    return last.year - first.year - ((last.month, last.day) < (first.month, first.day) ? 1 : 0)
  }
}
