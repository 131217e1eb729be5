internal import TimeZones
internal import Values

/// A calendar date without a time and a zone, such as a date of birth.
///
///     @Field("Date of birth") var birth: CalendarDate
public struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  // Four bytes, because texts hold dates.
  private let storedYear: Int16
  private let storedMonth: UInt8
  private let storedDay: UInt8

  /// 1 to 9999.
  public var year: Int { Int(storedYear) }
  /// 1 to 12.
  public var month: Int { Int(storedMonth) }
  /// 1 to 31.
  public var day: Int { Int(storedDay) }

  /// Returns nil if there is no such day in the Gregorian calendar.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(of: month, in: year) else {
      return nil
    }
    (storedYear, storedMonth, storedDay) = (Int16(year), UInt8(month), UInt8(day))
  }

  /// Reads a date such as `2026-11-25` (RFC 3339, full-date). Returns nil for any other text.
  public init?(_ text: String) {
    guard let fields = Self.fields(text) else { return nil }
    self.init(year: fields.year, month: fields.month, day: fields.day)
  }

  /// Returns the numbers of a text of the right form, whether or not the month has as many days.
  static func fields(_ text: String) -> RFC3339.Fields? {
    text.utf8.count == 10 ? RFC3339.fields("\(text)T00:00:00Z") : nil
  }

  private static func days(of month: Int, in year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Returns the date a number of days later, or earlier; the first or the last date if there is none.
  public func adding(days count: Int) -> CalendarDate {
    let (first, last) = (CivilTime.days(year: 1, month: 1, day: 1), CivilTime.days(year: 9999, month: 12, day: 31))
    let (sum, overflows) = CivilTime.days(year: year, month: month, day: day).addingReportingOverflow(count)
    let clamped = overflows ? (count < 0 ? first : last) : min(max(sum, first), last)
    let date = CivilTime(seconds: Int64(clamped) * 86_400)
    return CalendarDate(year: date.year, month: date.month, day: date.day) ?? self
  }

  public static func < (a: Self, b: Self) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

  /// The date as RFC 3339 writes it.
  public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }
}

/// A time of day without a date and a zone.
///
///     @Field("Time") var time: TimeOfDay
public struct TimeOfDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  private let storedHour: UInt8
  private let storedMinute: UInt8

  /// 0 to 23.
  public var hour: Int { Int(storedHour) }
  /// 0 to 59.
  public var minute: Int { Int(storedMinute) }

  /// Returns nil if there is no such time.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    (storedHour, storedMinute) = (UInt8(hour), UInt8(minute))
  }

  /// Reads a time such as `09:30`. Returns nil for any other text.
  public init?(_ text: String) {
    guard text.utf8.count == 5, let fields = RFC3339.fields("1970-01-01T\(text):00Z") else { return nil }
    self.init(hour: fields.hour, minute: fields.minute)
  }

  public static func < (a: Self, b: Self) -> Bool { (a.hour, a.minute) < (b.hour, b.minute) }

  public var description: String { "\(padded(hour, 2)):\(padded(minute, 2))" }
}

private func padded(_ number: Int, _ width: Int) -> String { String(String(10_000 + number).suffix(width)) }

/// A type that is stored and sent as the text that describes it.
public protocol TextRepresented: Codable, LosslessStringConvertible {}

extension TextRepresented {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not a valid \(Self.self).")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension CalendarDate: TextRepresented, FieldValue {
  public static var fieldKind: any FieldKind { TextFormat.date.kind() }
  public static var placeholder: CalendarDate { CalendarDate(year: 1, month: 1, day: 1)! }
}

extension TimeOfDay: TextRepresented, FieldValue {
  public static var fieldKind: any FieldKind { TextFormat.time.kind() }
  public static var placeholder: TimeOfDay { TimeOfDay(hour: 0, minute: 0)! }
}

/// A type of fields that take a first and a last date or time of day.
public protocol CalendarValue: FieldValue {}

extension CalendarDate: CalendarValue {}
extension TimeOfDay: CalendarValue {}
extension Optional: CalendarValue where Wrapped: CalendarValue {}

extension Field where Value: CalendarValue {
  /// Declares a date or a time of day within bounds.
  ///
  ///     @Field("Date of birth", from: CalendarDate("1900-01-01")) var birth: CalendarDate
  ///
  /// - Parameters:
  ///   - earliest: nil for no bound. See ``Bounds`` for one that depends on the screen.
  ///   - latest: nil for no bound.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, from earliest: Value? = nil,
    through latest: Value? = nil, isSensitive: Bool = false, autofill: Autofill? = nil, errors: FieldErrors = [:]
  ) {
    let (earliest, latest) = (Values.Value(bound: earliest), Values.Value(bound: latest))
    let kind = Value.fieldKind
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: kind.bounded(minimum: earliest, maximum: latest) ?? kind, isSensitive: isSensitive, autofill: autofill,
      errors: errors)
  }
}

extension Values.Value {
  /// The encoding of a bound; nil without one.
  fileprivate init?(bound: (some CalendarValue)?) {
    guard let bound, let value = try? Values.Value(encoding: bound), !value.isNull else { return nil }
    self = value
  }
}
