/// Moments as text, such as `2026-11-20T12:00:00.250Z` (RFC 3339), to the millisecond and in UTC.
enum RFC3339 {
  /// Seconds since 1970 of the years 0000 to 9999, which is as far as the format goes.
  private static let range = -62_167_219_200.0 ..< 253_402_300_800.0

  /// Nil for a moment beyond the years that the format has. The fraction is left out where it is 0.
  static func text(secondsSince1970 seconds: Double) -> String? {
    let rounded = (seconds * 1000).rounded() / 1000
    guard range.contains(rounded) else { return nil }
    let milliseconds = Int((seconds * 1000).rounded())
    let (day, inDay) = milliseconds.flooredQuotientAndRemainder(dividingBy: 86_400_000)
    let (year, month, dayOfMonth) = date(daysSince1970: day)
    let (second, fraction) = inDay.quotientAndRemainder(dividingBy: 1000)
    let time = "\(digits(second / 3600)):\(digits(second / 60 % 60)):\(digits(second % 60))"
    return "\(digits(year, 4))-\(digits(month))-\(digits(dayOfMonth))T\(time)"
      + (fraction == 0 ? "Z" : ".\(digits(fraction, 3))Z")
  }

  /// Nil for a text of another form, or of a moment that there is not.
  static func secondsSince1970(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      var number = 0
      for byte in bytes[start..<(start + count)] {
        guard (0x30...0x39).contains(byte) else { return nil }
        number = number * 10 + Int(byte - 0x30)
      }
      return number
    }
    func has(_ character: Unicode.Scalar, at place: Int) -> Bool {
      place < bytes.count && bytes[place] == UInt8(ascii: character)
    }
    guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7), let day = number(8, 2),
      has("T", at: 10), let hour = number(11, 2), has(":", at: 13), let minute = number(14, 2), has(":", at: 16),
      let second = number(17, 2), (1...12).contains(month), hour < 24, minute < 60, second < 60
    else { return nil }
    var place = 19
    var fraction = 0.0
    if has(".", at: place) {
      let end = bytes[(place + 1)...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
      guard end > place + 1, let read = Double("0." + String(decoding: bytes[(place + 1)..<end], as: UTF8.self)) else {
        return nil
      }
      (fraction, place) = (read, end)
    }
    var offset = 0
    if has("Z", at: place) {
      place += 1
    } else {
      guard has("+", at: place) || has("-", at: place), let hours = number(place + 1, 2), has(":", at: place + 3),
        let minutes = number(place + 4, 2), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (bytes[place] == UInt8(ascii: "-") ? -60 : 60)
      place += 6
    }
    let days = daysSince1970(year, month, day)
    // Only a day that exists comes out as it went in.
    guard place == bytes.count, date(daysSince1970: days) == (year, month, day) else { return nil }
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction
  }

  private static func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
  }

  // Both count in years that begin on 1 March: the leap day is the last of its year, and 153 days in five months repeat.

  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + 719_468).flooredQuotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredQuotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int {
  /// The remainder is never negative.
  fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
