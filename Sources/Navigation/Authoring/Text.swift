package import Languages

/// A text for people: a title, a label, a reason. A string literal is the text itself in every language.
///
/// A text with a key is written in the language of the session, with the texts that ``App/texts(_:)`` gives to the app:
///
///     Text(key: "cart.items", ["count": 3, "name": "Ann"])
///
/// An amount of money or a date is a text with a value, which a view writes in the language of the session, also as an
/// argument of another text:
///
///     .facts([.init("Price", .money(1850, currency: "EUR")), .init("Day", .date(day))])
///     Text(key: "order.due", ["price": .text(.money(1850, currency: "EUR")), "day": .text(.date(day))])
public struct Text: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The words; for a text with a key, the encoded ``TextKey``. One member for both, because each screen copies many
  /// texts, and a further reference would cost each copy.
  @usableFromInline let storage: String
  @usableFromInline let content: Content

  @usableFromInline enum Content: Sendable, Hashable {
    case words
    case key
    /// A text of the service, by the number of its ``ServiceText``.
    case standard
    case value(TypedValue)
  }

  init(storage: String, _ content: Content) { (self.storage, self.content) = (storage, content) }

  public init(_ string: String) { self.init(storage: string, .words) }
  public init(stringLiteral value: String) { self.init(value) }

  /// Creates a text from the catalogue of the app. A text that is part of another text is an argument of that one: an
  /// interpolation such as `"\(text)"` has no language.
  public init(key: String, _ arguments: TextArguments = [:]) {
    self.init(storage: TextKey(name: key, arguments: arguments.members).encoded, .key)
  }

  /// Creates the list of texts, each of which a view writes in the language of the session.
  package init(list texts: [Text]) {
    guard texts.contains(where: \.hasLanguage) else {
      self.init(texts.map(\.string).joined(separator: TextKey.listSeparator))
      return
    }
    self.init(storage: TextKey(list: texts).encoded, .key)
  }

  /// Creates a text of the service itself, which a view writes in the language of the session.
  package init(_ text: ServiceText) { self.init(storage: "\(text.rawValue)", .standard) }

  /// The text itself. Until a view of a session writes it in a language, a text with a key is its key, and a value has
  /// the form of ISO 8601, or the code of its currency.
  @inlinable public var string: String {
    switch content {
    case .words, .value: storage
    case .key, .standard: unresolved
    }
  }

  /// The value that the text stands for; nil for a text of words.
  @inlinable public var value: TypedValue? {
    if case .value(let value) = content { value } else { nil }
  }

  /// An amount of money.
  ///
  /// - Parameters:
  ///   - amount: in the smallest unit, such as cents.
  ///   - currency: a code such as `EUR` (ISO 4217).
  ///   - decimals: the number of decimal places, at least 0.
  public static func money(_ amount: Int, currency: String, decimals: Int = 2) -> Text {
    Text(
      storage: "\(DecimalText.write(Int64(amount), decimals: decimals)) \(currency)",
      .value(.money(amount: amount, currency: Currency(currency), decimals: UInt8(clamping: decimals))))
  }

  public static func date(_ date: CalendarDate) -> Text { Text(storage: "\(date)", .value(.date(date))) }

  public static func dateTime(_ moment: OffsetDateTime) -> Text {
    Text(
      storage: moment.parts.joined(separator: " ").replacing("T", with: " "), .value(.dateTime(moment)))
  }

  /// The ``string``, so that a text may be part of another one.
  public var description: String { string }
}

/// A value that a view writes in the language of the session, and that a client may write as its user does.
///
/// A value has no references, because each screen copies many texts, few of which have a value.
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
