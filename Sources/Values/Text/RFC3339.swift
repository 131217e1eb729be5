internal import TimeZones

/// Moments as text in UTC, such as `2026-11-20T12:00:00.250Z` (RFC 3339).
public enum RFC3339 {
  /// The first and the last second of the years 0000 to 9999, the range of the format, in seconds since 1970.
  private static let first: Int64 = -62_167_219_200
  private static let last: Int64 = 253_402_300_799

  /// Formats whole seconds as ASCII, such as `2026-11-20T12:00:00Z`. A moment outside of the years 0000 to 9999 becomes
  /// the nearest one inside.
  ///
  /// Every view of a session has two such texts in it, so this function allocates nothing.
  public static func characters(secondsSince1970 seconds: Int64) -> InlineArray<20, UInt8> {
    let time = CivilTime(seconds: min(max(seconds, first), last))
    var text = InlineArray<20, UInt8>(repeating: UInt8(ascii: ":"))
    func put(_ number: Int, at index: Int) {
      let (tens, ones) = UInt8(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: 10)
      text[index] = UInt8(ascii: "0") &+ tens
      text[index + 1] = UInt8(ascii: "0") &+ ones
    }
    put(time.year / 100, at: 0)
    put(time.year % 100, at: 2)
    text[4] = UInt8(ascii: "-")
    put(time.month, at: 5)
    text[7] = UInt8(ascii: "-")
    put(time.day, at: 8)
    text[10] = UInt8(ascii: "T")
    put(time.hour, at: 11)
    put(time.minute, at: 14)
    put(time.second, at: 17)
    text[19] = UInt8(ascii: "Z")
    return text
  }

  /// Formats milliseconds, always with three digits of them, such as `2026-11-20T12:00:00.000Z`.
  public static func text(millisecondsSince1970 milliseconds: Int64) -> String {
    let fraction = (milliseconds % 1000 + 1000) % 1000
    let characters = characters(secondsSince1970: (milliseconds - fraction) / 1000)
    let seconds = String(decoding: (0..<19).map { characters[$0] }, as: UTF8.self)
    return "\(seconds).\(String(1000 + fraction).dropFirst())Z"
  }

  /// Formats seconds, rounded to milliseconds and without a fraction of 0. Returns nil outside of the years 0000 to
  /// 9999.
  static func text(secondsSince1970 seconds: Double) -> String? {
    let milliseconds = (seconds * 1000).rounded()
    guard milliseconds >= Double(first) * 1000, milliseconds < Double(last + 1) * 1000 else { return nil }
    let text = text(millisecondsSince1970: Int64(milliseconds))
    return text.hasSuffix(".000Z") ? "\(text.dropLast(5))Z" : text
  }

  /// Parses a text with any fraction and any offset. Returns nil for another form, and for a day or time that does not
  /// exist.
  package static func secondsSince1970(_ text: String) -> Double? {
    guard let fields = fields(text), fields.day <= CivilTime.dayCount(ofMonth: fields.month, year: fields.year) else {
      return nil
    }
    let days = CivilTime.days(year: fields.year, month: fields.month, day: fields.day)
    let second = (fields.hour * 60 + fields.minute - fields.offset) * 60 + fields.second
    return Double(days * 86_400 + second) + fields.fraction
  }

  /// The numbers in a text of the right form.
  package struct Fields {
    package let year: Int
    package let month: Int
    /// 1 to 31, whether or not the month has as many days.
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    let fraction: Double
    /// Minutes east of UTC.
    package let offset: Int
  }

  /// Returns the numbers in a text; nil for another form.
  package static func fields(_ text: String) -> Fields? {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int? {
      let digits = bytes.dropFirst(start).prefix(count)
      guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
    }
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
      index < bytes.count && bytes[index] == UInt8(ascii: character)
    }
    guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7), let day = number(8, 2),
      has("T", at: 10), let hour = number(11, 2), has(":", at: 13), let minute = number(14, 2), has(":", at: 16),
      let second = number(17, 2), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    var index = 19
    var fraction = 0.0
    if has(".", at: index) {
      let end = bytes[(index + 1)...].firstIndex { !$0.isASCIIDigit } ?? bytes.count
      guard end > index + 1, let read = Double("0." + String(decoding: bytes[(index + 1)..<end], as: UTF8.self)) else {
        return nil
      }
      (fraction, index) = (read, end)
    }
    var offset = 0
    if has("Z", at: index) {
      index += 1
    } else {
      guard has("+", at: index) || has("-", at: index), let hours = number(index + 1, 2), has(":", at: index + 3),
        let minutes = number(index + 4, 2), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
      index += 6
    }
    guard index == bytes.count else { return nil }
    return Fields(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, fraction: fraction, offset: offset
    )
  }
}
