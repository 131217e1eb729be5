internal import Values

/// A format of texts, which a form asks for with a control of its own.
///
///     @Field("E-mail", format: .email) var email: String
///     @Field("Phone", format: .phone) var phone: String?
///
/// Dates and times have types of their own: ``CalendarDate``, ``TimeOfDay`` and ``OffsetDateTime``.
///
/// The raw values are the names in flow files: those of JSON Schema, and `phone`.
public enum TextFormat: String, Sendable, CaseIterable {
  /// An e-mail address (HTML, section 4.10.5.1.5), of at most 254 characters.
  case email
  /// A phone number as people write it: digits, spaces, and `( ) . / -`, after an optional `+`.
  case phone
  /// An address that begins with `http://` or `https://`, of at most 2,048 characters (RFC 3986).
  case url = "uri"
  /// A calendar date, such as `2026-11-25` (RFC 3339, full-date).
  case date
  /// A time of day with minutes, such as `09:30`.
  case time
  /// A date and time with an offset from UTC, such as `2026-11-25T09:30:00+01:00` (RFC 3339, date-time). Fractions of a
  /// second are accepted, and dropped.
  case dateTime = "date-time"

  /// A text of the format.
  public var example: String { StandardFormat(rawValue: rawValue)?.example ?? "" }

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

  /// Whether the texts of the format have an order, that of their characters.
  package var isOrdered: Bool { self == .date || self == .time }

  /// Returns the kind of the fields with the format.
  package func kind(length: ClosedRange<Int>? = nil) -> any FieldKind {
    let length = TextLength(length, maximum: self == .email ? 254 : self == .url ? 2048 : nil)
    return switch self {
    case .email:
      FormatKind(textFormat: self, format: "email", length: length, control: .typed("email", length)) {
        StandardFormat.email.matches($0)
      }
    case .phone:
      FormatKind(
        textFormat: self, length: length,
        control: .typed("tel", pattern: "\\s*\(Self.phonePattern)\\s*", length)
      ) { StandardFormat.phone.matches($0) }
    case .url:
      FormatKind(
        textFormat: self, format: rawValue, length: length, control: .typed("url", pattern: Self.urlPattern, length)
      ) { text in
        // People type web addresses. Other schemes, such as javascript:, are for programs.
        ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
          && StandardFormat.uri.matches(text)
      }
    case .date:
      OrderedKind(
        textFormat: self, format: rawValue, length: length, matchesPattern: { CalendarDate.fields($0) != nil },
        matches: { CalendarDate($0) != nil })
    // The time of JSON Schema has seconds and an offset.
    case .time: OrderedKind(textFormat: self, length: length) { TimeOfDay($0) != nil }
    case .dateTime: DateTimeKind(length: length)
    }
  }
}

extension FieldControl {
  /// The control for texts of a type, which is their `autocomplete`, too (HTML, section 4.10.18.7).
  fileprivate static func typed(_ type: String, pattern: String? = nil, _ length: TextLength) -> FieldControl {
    let pattern = pattern.map { [Attribute("pattern", $0)] } ?? []
    return .input(type: type, attributes: [.init("autocomplete", type)] + pattern + length.attributes)
  }
}

/// A text of a format, such as an e-mail address.
private struct FormatKind: TextualKind {
  let textFormat: TextFormat
  /// The `format` of JSON Schema; nil if none means the same.
  var format: String?
  let length: TextLength
  let control: FieldControl
  /// Returns whether a text has the format.
  let matches: @Sendable (String) -> Bool

  var limits: [FieldLimit] { length.limits + [.format(textFormat)] }

  func faults(ofText text: String, stepsLeft: inout Int) -> [FieldFault] {
    matches(text) ? [] : [.outside(.format(textFormat))]
  }
}

/// A date or a time of day.
private struct OrderedKind: TextualKind {
  let textFormat: TextFormat
  /// The `format` of JSON Schema; nil if none means the same.
  var format: String?
  let length: TextLength
  var earliest: String?
  var latest: String?
  /// Returns whether a text without the format matches the ``TextFormat/pattern``, which has no calendar.
  var matchesPattern: @Sendable (String) -> Bool = { _ in false }
  /// Returns whether a text has the format.
  let matches: @Sendable (String) -> Bool

  var limits: [FieldLimit] { length.limits + [.format(textFormat)] + bounds }

  private var bounds: [FieldLimit] {
    [earliest.map { .earliest($0) }, latest.map { .latest($0) }].compactMap(\.self)
  }

  var declarationFaults: [DeclarationFault] {
    guard let earliest, let latest, earliest > latest else { return length.declarationFaults }
    return length.declarationFaults + [.minimumAboveMaximum]
  }

  var control: FieldControl {
    // Browsers take years of six digits otherwise.
    let latest = latest ?? (textFormat == .date ? "9999-12-31" : nil)
    let attributes = [earliest.map { FieldControl.Attribute("min", $0) }, latest.map { .init("max", $0) }]
    return .input(type: textFormat.rawValue, attributes: attributes.compactMap(\.self))
  }

  func bounded(minimum: Value?, maximum: Value?) -> (any FieldKind)? {
    copy(of: self) {
      $0.earliest = [minimum?.text, earliest].compactMap(\.self).max()
      $0.latest = [maximum?.text, latest].compactMap(\.self).min()
    }
  }

  func faults(ofText text: String, stepsLeft: inout Int) -> [FieldFault] {
    guard matches(text) else {
      return [FieldFault(keyword: matchesPattern(text) ? "format" : "pattern", .outside(.format(textFormat)))]
    }
    return bounds.filter { limit in
      switch limit {
      case .earliest(let bound): text < bound
      case .latest(let bound): text > bound
      default: false
      }
    }.map { .outside($0) }
  }
}

extension Field where Value: TextLike {
  /// Declares a text of a format, such as an e-mail address.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, format: TextFormat, isSensitive: Bool = false,
    errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: format.kind(), isSensitive: isSensitive,
      errors: errors)
  }
}
