/// A date and a time of day of the proleptic Gregorian calendar.
package struct CivilTime {
  package let year: Int
  /// The month, from 1.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int

  /// The day of the week, from 0 for Sunday.
  package var dayOfWeek: Int {
    // 1970-01-01 was a Thursday.
    Self.floorDivision(Self.days(year: year, month: month, day: day) + 4, 7).remainder
  }

  /// The day of the year, from 0.
  package var dayOfYear: Int { Self.days(year: year, month: month, day: day) - Self.days(year: year, month: 1, day: 1) }

  /// - Parameter seconds: The seconds since 1970-01-01T00:00:00, within 10,000 years.
  package init(seconds: Int64) {
    let (days, time) = Self.floorDivision(Int(seconds), 86400)
    (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    // Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days: eras of 400 years that begin in March.
    let (era, dayOfEra) = Self.floorDivision(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Returns the days since 1970-01-01 (Hinnant, days_from_civil).
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floorDivision(year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Returns the number of days of a month. The algorithm of ``days(year:month:day:)`` continues into a month 13.
  package static func dayCount(ofMonth month: Int, year: Int) -> Int {
    days(year: year, month: month + 1, day: 1) - days(year: year, month: month, day: 1)
  }

  package static func floorDivision(_ dividend: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
