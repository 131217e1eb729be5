internal import Values

/// A format of texts, which a form asks for with a control of its own.
///
///     @Field("E-mail", format: .email) var email: String
///     @Field("Phone", format: .phone) var phone: String?
///
/// Dates and times have types of their own: ``CalendarDate``, ``TimeOfDay`` and ``OffsetDateTime``.
public enum TextFormat: String, Sendable, CaseIterable {
  /// An e-mail address (HTML, section 4.10.5.1.5), of at most 254 characters.
  case email
  /// A phone number as people write it: digits, spaces, and `( ) . / -`, after an optional `+`.
  case phone
  /// An address that begins with `http://` or `https://`, of at most 2,048 characters (RFC 3986).
  case url
  /// A calendar date, such as `2026-11-25` (RFC 3339, full-date).
  case date
  /// A time of day with minutes, such as `09:30`.
  case time
  /// A date and time with an offset from UTC, such as `2026-11-25T09:30:00+01:00` (RFC 3339, date-time). Fractions of a
  /// second are accepted, and dropped.
  case dateTime

  /// The regular expression of the format (ECMA-262), which the schema of a field contains.
  public var pattern: String {
    switch self {
    case .email:
      "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@\(Self.label)(\\.\(Self.label))*$"
    case .phone: "^\(Self.phonePattern)$"
    case .url: "^\(Self.urlPattern)$"
    case .date: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
    case .time: "^\(Self.clock)$"
    case .dateTime:
      "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T\(Self.clock):[0-5][0-9](\\.[0-9]+)?(Z|[+-]\(Self.clock))$"
    }
  }

  // In browsers, the control has these patterns, too. The v flag of HTML needs more escapes than the u flag.
  private static let phonePattern = #"\+?[0-9\(][0-9 \(\)\.\/\-]{2,30}"#
  private static let urlPattern = #"https?:\/\/([A-Za-z0-9._~:\/?#@!$&'\(\)*+,;=\[\]\-]|%[0-9A-Fa-f]{2})+"#

  private static let clock = "([01][0-9]|2[0-3]):[0-5][0-9]"

  /// A label of a domain name (RFC 1034, section 3.5).
  private static let label = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"

  /// The `format` of JSON Schema; nil if none means the same.
  var schemaFormat: String? {
    switch self {
    case .email: "email"
    case .url: "uri"
    case .date: "date"
    case .dateTime: "date-time"
    case .phone, .time: nil
    }
  }

  /// The maximum number of characters; nil if the pattern limits it.
  var maximumLength: Int? {
    switch self {
    case .email: 254
    case .url: 2048
    case .phone, .date, .time, .dateTime: nil
    }
  }

  /// Returns the control of an HTML form. The values of `autocomplete` are those of HTML, section 4.10.18.7.
  ///
  /// - Parameter lengths: the attributes for the lengths of a text.
  func control(_ lengths: [FieldControl.Attribute]) -> FieldControl {
    switch self {
    case .email: .input(type: "email", attributes: [.init("autocomplete", "email")] + lengths)
    case .phone:
      .input(
        type: "tel",
        attributes: [.init("autocomplete", "tel"), .init("pattern", "\\s*\(Self.phonePattern)\\s*")] + lengths)
    case .url:
      .input(type: "url", attributes: [.init("autocomplete", "url"), .init("pattern", Self.urlPattern)] + lengths)
    // Browsers take years of six digits otherwise.
    case .date: .input(type: "date", attributes: [.init("max", "9999-12-31")])
    case .time: .input(type: "time")
    case .dateTime: .dateTime
    }
  }

  /// Returns whether the text matches the ``pattern``.
  private func hasForm(_ text: String) -> Bool {
    switch self {
    case .email: StandardFormat.email.matches(text)
    case .phone: StandardFormat.phone.matches(text)
    case .url:
      // People type web addresses. Other schemes, such as javascript:, are for programs.
      ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
        && StandardFormat.uri.matches(text)
    case .date: CalendarDate.fields(Array(text.utf8)) != nil
    case .time: TimeOfDay(text) != nil
    case .dateTime: OffsetDateTime.fields(text) != nil
    }
  }

  /// Returns the fault of a text; nil for a text of the format.
  func fault(of text: String) -> FieldFault? {
    if !hasForm(text) { return .outside(.format(self)) }
    return isOfCalendar(text) ? nil : FieldFault(keyword: "format", .outside(.format(self)))
  }

  /// Returns whether a date is a day of the years 1 to 9999, as those of expressions are.
  private func isOfCalendar(_ text: String) -> Bool {
    switch self {
    case .date: CalendarDate(text) != nil
    case .dateTime: OffsetDateTime(text) != nil
    case .email, .phone, .url, .time: true
    }
  }
}
