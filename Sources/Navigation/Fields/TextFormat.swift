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
  /// An address that begins with `http://` or `https://`, of at most 2,048 characters.
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
    case .phone: "^\\+?[0-9(][0-9 ()./-]{2,30}$"
    case .url: "^https?://[!-~]+$"
    case .date: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
    case .time: "^\(Self.clock)$"
    case .dateTime:
      "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T\(Self.clock):[0-5][0-9](\\.[0-9]+)?(Z|[+-]\(Self.clock))$"
    }
  }

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

  /// The control of an HTML form. The values of `autocomplete` are those of HTML, section 4.10.18.7.
  var control: FieldControl {
    switch self {
    case .email: .input(type: "email", attributes: [.init("autocomplete", "email"), .init("maxlength", "254")])
    case .phone: .input(type: "tel", attributes: [.init("autocomplete", "tel")])
    case .url: .input(type: "url", attributes: [.init("autocomplete", "url"), .init("maxlength", "2048")])
    case .date: .input(type: "date")
    case .time: .input(type: "time")
    case .dateTime: .dateTime
    }
  }

  /// Returns whether the text matches the ``pattern``.
  func matches(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    switch self {
    case .email: return Self.isEmail(bytes)
    case .phone:
      let digits = bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
      guard let first = digits.first, first.isASCIIDigit || first == UInt8(ascii: "("), (3...31).contains(digits.count)
      else { return false }
      return digits.allSatisfy { $0.isASCIIDigit || " ()./-".utf8.contains($0) }
    case .url:
      let rest = ["http://", "https://"].first { text.hasPrefix($0) }.map { bytes.dropFirst($0.utf8.count) }
      return rest.map { !$0.isEmpty && $0.allSatisfy { (0x21...0x7E).contains($0) } } ?? false
    case .date: return CalendarDate.fields(bytes) != nil
    case .time: return TimeOfDay(text) != nil
    case .dateTime: return OffsetDateTime.fields(text) != nil
    }
  }

  private static func isEmail(_ bytes: [UInt8]) -> Bool {
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
    guard bytes[..<at].allSatisfy({ $0.isASCIILetterOrDigit || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }) else {
      return false
    }
    return bytes[(at + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      label in
      guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
      return first.isASCIILetterOrDigit && last.isASCIILetterOrDigit
        && label.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
    }
  }
}

extension UInt8 {
  fileprivate var isASCIILetterOrDigit: Bool { isASCIIDigit || (0x61...0x7A).contains(self | 0x20) }
}
