/// A format of texts, such as that of a date: the one rule for fields of forms, states, screens and services (JSON
/// Schema Validation, section 7.3).
package enum StandardFormat: String, CaseIterable, Sendable {
  /// A calendar date, such as `2026-11-25` (RFC 3339, full-date).
  case date
  /// A time of day with minutes, such as `09:30`, or with seconds and an offset from UTC, such as `09:30:00Z` (RFC 3339,
  /// full-time).
  case time
  /// A date and time with an offset from UTC, such as `2026-11-25T09:30:00+01:00` (RFC 3339, date-time).
  case dateTime = "date-time"
  /// An e-mail address (HTML, section 4.10.5.1.5), of at most 254 characters.
  case email
  /// A phone number as people write it: digits, spaces, and `( ) . / -`, after an optional `+`. JSON Schema has no such
  /// format.
  case phone
  /// An absolute address with any scheme (RFC 3986).
  case uri

  /// A noun phrase with an example.
  package var noun: String {
    switch self {
    case .date: "a date such as \(example)"
    case .time: "a time such as \(example) or 09:30:00Z"
    case .dateTime: "a date and time such as \(example)"
    case .email: "an e-mail address such as \(example)"
    case .phone: "a phone number such as \(example)"
    case .uri: "an address such as \(example)"
    }
  }

  /// A text of the format.
  package var example: String {
    switch self {
    case .date: "2026-11-25"
    case .time: "09:30"
    case .dateTime: "2026-11-25T09:30:00+01:00"
    case .email: "ann@example.com"
    case .phone: "+49 30 123456"
    case .uri: "https://example.com"
    }
  }

  package func matches(_ text: String) -> Bool {
    switch self {
    case .date: RFC3339.secondsSince1970(text + "T00:00:00Z") != nil
    case .time:
      RFC3339.secondsSince1970("1970-01-01T" + text) != nil
        || text.utf8.count == 5 && RFC3339.secondsSince1970("1970-01-01T\(text):00Z") != nil
    case .dateTime: RFC3339.secondsSince1970(text) != nil
    case .email: text.utf8.count <= 254 && Self.isEmail(Array(text.utf8))
    case .phone: Self.isPhone(Array(text.utf8))
    case .uri: Self.isURI(Array(text.utf8))
    }
  }

  private static func isEmail(_ bytes: [UInt8]) -> Bool {
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
    let local = bytes[..<at].allSatisfy { $0.isASCIILetterOrDigit || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }
    return local
      && bytes[(at + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(isLabel)
  }

  /// Returns whether the bytes are a label of a domain name (RFC 1034, section 3.5).
  private static func isLabel(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, let last = bytes.last, bytes.count <= 63 else { return false }
    return first.isASCIILetterOrDigit && last.isASCIILetterOrDigit
      && bytes.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
  }

  private static func isPhone(_ bytes: [UInt8]) -> Bool {
    let digits = bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
    guard let first = digits.first, first.isASCIIDigit || first == UInt8(ascii: "("), (3...31).contains(digits.count)
    else { return false }
    return digits.allSatisfy { $0.isASCIIDigit || " ()./-".utf8.contains($0) }
  }

  private static func isURI(_ bytes: [UInt8]) -> Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, first.isASCIILetter,
      bytes[..<colon].allSatisfy({ $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) })
    else { return false }
    for (index, byte) in bytes.enumerated().dropFirst(colon + 1) {
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count,
          bytes[(index + 1)...(index + 2)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else {
          return false
        }
      } else if !byte.isASCIILetterOrDigit, !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
        return false
      }
    }
    return true
  }
}
