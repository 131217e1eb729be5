internal import Suggestions
internal import Values

/// A format of texts that is asserted (JSON Schema Validation, section 7.3).
enum Format: String, CaseIterable, Sendable {
  /// A calendar date, such as `2026-11-25` (RFC 3339, full-date).
  case date
  /// A time of day with an offset from UTC, such as `09:30:00Z` (RFC 3339, full-time).
  case time
  /// A date and time with an offset from UTC, such as `2026-11-25T09:30:00+01:00` (RFC 3339, date-time).
  case dateTime = "date-time"
  /// An e-mail address (HTML, section 4.10.5.1.5), of at most 254 characters.
  case email
  /// An absolute address with any scheme (RFC 3986).
  case uri

  /// The formats that are annotations here, although JSON Schema defines them.
  private static let annotations: Set<String> = [
    "duration", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri-reference", "iri", "iri-reference",
    "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex",
  ]

  /// Returns the sentences about a name that resembles that of a format; nil for any other name.
  static func message(forUnknown name: String) -> String? {
    guard !annotations.contains(name) else { return nil }
    let suggestion = Suggestion.text(for: name, among: allCases.map(\.rawValue))
    return suggestion.isEmpty ? nil : "There is no format \(name)." + suggestion
  }

  /// A noun phrase with an example.
  var noun: String {
    switch self {
    case .date: "a date such as 2026-11-25"
    case .time: "a time such as 09:30:00Z"
    case .dateTime: "a date and time such as 2026-11-25T09:30:00+01:00"
    case .email: "an e-mail address such as ann@example.com"
    case .uri: "an address such as https://example.com"
    }
  }

  func matches(_ text: String) -> Bool {
    switch self {
    case .date: RFC3339.secondsSince1970(text + "T00:00:00Z") != nil
    case .time: RFC3339.secondsSince1970("1970-01-01T" + text) != nil
    case .dateTime: RFC3339.secondsSince1970(text) != nil
    case .email: text.utf8.count <= 254 && Self.isEmail(Array(text.utf8))
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

  private static func isURI(_ bytes: [UInt8]) -> Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, first.isASCIILetter,
      bytes[..<colon].allSatisfy({ $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) })
    else { return false }
    for (index, byte) in bytes.enumerated().dropFirst(colon + 1) {
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, bytes[(index + 1)...(index + 2)].allSatisfy({ $0.hexadecimalDigit != nil })
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

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  fileprivate var isASCIILetterOrDigit: Bool { isASCIILetter || (0x30...0x39).contains(self) }
}
