public import Values

/// A date and a time with an offset from UTC, such as the beginning of an appointment.
///
///     @Field("Pick-up") var pickUp: OffsetDateTime
///
/// The offset says which clock the person had in mind. Two values are equal only if their offsets are, too; compare
/// their ``instant``s to order them.
public struct OffsetDateTime: Sendable, Hashable, CustomStringConvertible {
  public let date: CalendarDate
  public let time: TimeOfDay
  private let storedSecond: UInt8
  private let storedOffset: Int16

  /// 0 to 59.
  public var second: Int { Int(storedSecond) }
  /// Minutes east of UTC, -1439 to 1439.
  public var offset: Int { Int(storedOffset) }

  /// Returns nil if the second or the offset is outside of its range, or if the moment is outside of the years 1 to 9999
  /// in UTC.
  public init?(date: CalendarDate, time: TimeOfDay, second: Int = 0, offset: Int) {
    guard (0...59).contains(second), (-1439...1439).contains(offset) else { return nil }
    let minute = time.hour * 60 + time.minute - offset
    guard minute >= 0 || date != Self.firstDay, minute < 1440 || date != Self.lastDay else { return nil }
    (self.date, self.time, storedSecond, storedOffset) = (date, time, UInt8(second), Int16(offset))
  }

  private static let firstDay = CalendarDate(year: 1, month: 1, day: 1)
  private static let lastDay = CalendarDate(year: 9999, month: 12, day: 31)

  /// Reads a text such as `2026-11-25T09:30:00+01:00` or `2026-11-25T08:30:00Z` (RFC 3339, date-time), and drops
  /// fractions of a second. Returns nil for any other text.
  public init?(_ text: String) {
    guard let fields = RFC3339.fields(text),
      let date = CalendarDate(year: fields.year, month: fields.month, day: fields.day),
      let time = TimeOfDay(hour: fields.hour, minute: fields.minute)
    else { return nil }
    self.init(date: date, time: time, second: fields.second, offset: fields.offset)
  }

  /// The moment in time.
  public var instant: Timestamp {
    Timestamp(milliseconds: Int64(RFC3339.secondsSince1970(description) ?? 0) * 1000)
  }

  /// The date and time as RFC 3339 writes it, with `Z` for UTC.
  public var description: String {
    let seconds = second < 10 ? "0\(second)" : "\(second)"
    return "\(date)T\(time):\(seconds)\(offset == 0 ? "Z" : Self.text(ofOffset: offset))"
  }

  /// Returns an offset such as `+01:00`.
  private static func text(ofOffset offset: Int) -> String {
    let clock = TimeOfDay(hour: abs(offset) / 60, minute: abs(offset) % 60)
    return (offset < 0 ? "-" : "+") + (clock.map { "\($0)" } ?? "")
  }

  /// The texts of the controls of a form: the date and time, and the offset.
  var parts: [String] {
    let local = second == 0 ? "\(date)T\(time)" : String("\(self)".prefix(19))
    return [local, Self.text(ofOffset: offset)]
  }

  /// The offsets of the time zones in use, west to east, such as `+05:30`.
  package static let offsets =
    (Array(-12...14).map { $0 * 60 } + [-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765])
    .sorted().map { text(ofOffset: $0) }
}

extension OffsetDateTime: TextRepresented, FieldValue {
  public static var fieldKind: any FieldKind { DateTimeKind() }
  public static var placeholder: OffsetDateTime {
    OffsetDateTime(date: .placeholder, time: .placeholder, offset: 0)!
  }
}

/// A date and time with an offset. A form asks for the date and time in one control, and for the offset in a second one
/// of the same name.
struct DateTimeKind: TextualKind {
  var length = TextLength()

  var format: String? { "date-time" }
  var limits: [FieldLimit] { length.limits + [.format(.dateTime)] }
  var control: FieldControl { .dateTime }

  /// Joins the texts of both controls. A browser leaves out the seconds if they are zero.
  func value(from texts: [String]) -> Value {
    guard texts.count == 2, !texts[0].isEmpty else { return Value(texts.first ?? "") }
    return Value(texts[0] + (texts[0].utf8.count == 16 ? ":00" : "") + texts[1])
  }

  func texts(of value: Value) -> [String] { moment(value)?.parts ?? [text(of: value)] }

  func stored(_ value: Value) -> Value { moment(value).map { Value($0.description) } ?? value }

  func faults(ofText text: String, stepsLeft: inout Int) -> [FieldFault] {
    if OffsetDateTime(text) != nil { return [] }
    // The pattern of the schema has no calendar.
    let hasForm = RFC3339.fields(text) != nil
    return [FieldFault(keyword: hasForm ? "format" : "pattern", .outside(.format(.dateTime)))]
  }

  private func moment(_ value: Value) -> OffsetDateTime? { value.text.flatMap { OffsetDateTime($0) } }
}
