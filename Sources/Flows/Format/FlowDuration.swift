/// The durations of flow files, such as `200ms`, `3s`, `15m`, `2h` and `1d`.
enum FlowDuration {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// The longest duration: 10 years.
  private static let maximum: Int64 = 3650 * 86_400_000

  /// Returns whether a text is a duration that is longer than the longest one.
  static func isTooLong(_ text: String) -> Bool { parts(of: text) != nil && duration(text) == nil }

  /// Returns the digits and the milliseconds of the unit; nil for any other text.
  private static func parts(of text: String) -> (digits: Substring, unit: Int64)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let unit = units.first(where: { $0.name == text.dropFirst(digits.count) }) else {
      return nil
    }
    return (digits, unit.milliseconds)
  }

  /// Returns the duration of a text; nil for any other text, and for more than ten years.
  static func duration(_ text: String) -> Duration? {
    guard let (digits, unit) = parts(of: text), let number = Int64(digits) else { return nil }
    let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow || milliseconds > maximum ? nil : .milliseconds(milliseconds)
  }

  /// Returns the durations of a text such as `200ms..5s`; both are the same for one duration.
  static func pauses(_ text: String) -> Pauses? {
    guard let dots = text.firstRange(of: "..") else { return duration(text).map { ($0, $0) } }
    guard let first = duration(String(text[..<dots.lowerBound])), let last = duration(String(text[dots.upperBound...]))
    else { return nil }
    return (first, last)
  }

  typealias Pauses = (first: Duration, last: Duration)
}
