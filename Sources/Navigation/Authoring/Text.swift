internal import Values

/// A text for people: a title, a label, a reason. Written as a string literal.
///
/// Every text for people has this type, so that a later version can translate texts without a change to the apps.
///
/// An amount of money or a date is a text with a value: clients write the value as their users do, and others show the
/// ``string``.
///
///     .facts([.init("Price", .money(1850, currency: "EUR")), .init("Day", .date(day))])
public struct Text: Sendable, Hashable, ExpressibleByStringInterpolation {
  public let string: String
  /// The value that the text stands for; nil for a text of words.
  public let value: TypedValue?

  public init(_ string: String) { (self.string, value) = (string, nil) }
  public init(stringLiteral value: String) { self.init(value) }

  private init(_ value: TypedValue, _ string: String) { (self.string, self.value) = (string, value) }

  /// An amount of money.
  ///
  /// - Parameters:
  ///   - amount: in the smallest unit, such as cents.
  ///   - currency: a code such as `EUR` (ISO 4217).
  ///   - decimals: the number of decimal places, at least 0.
  public static func money(_ amount: Int, currency: String, decimals: Int = 2) -> Text {
    Text(
      .money(amount: amount, currency: Currency(currency), decimals: UInt8(clamping: decimals)),
      "\(DecimalText.write(Int64(amount), decimals: decimals)) \(currency)")
  }

  public static func date(_ date: CalendarDate) -> Text { Text(.date(date), "\(date)") }

  public static func dateTime(_ moment: OffsetDateTime) -> Text {
    Text(.dateTime(moment), moment.parts.joined(separator: " ").replacing("T", with: " "))
  }
}

extension Text: CustomStringConvertible {
  /// The text itself, so that a text may be part of another one.
  public var description: String { string }
}

/// A value that a client writes as its user does.
///
/// It has no references, because each screen copies many texts, of which few have a value.
public enum TypedValue: Sendable, Hashable {
  case money(amount: Int, currency: Currency, decimals: UInt8)
  case date(CalendarDate)
  case dateTime(OffsetDateTime)
}

/// A code such as `EUR` (ISO 4217). Of a longer name, the first eight bytes count.
public struct Currency: Sendable, Hashable {
  private let bytes: UInt64

  public init(_ code: String) { bytes = code.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  public var code: String {
    let all = (0..<8).reversed().map { UInt8(truncatingIfNeeded: bytes >> ($0 * 8)) }
    return String(decoding: all.drop { $0 == 0 }, as: UTF8.self)
  }
}

/// Whole numbers of a smallest unit, written with decimal places.
enum DecimalText {
  static func write(_ number: Int64, decimals: Int) -> String {
    guard decimals > 0 else { return String(number) }
    let digits = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
    return (number < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}
