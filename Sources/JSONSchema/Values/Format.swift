internal import Suggestions
internal import Values

/// The formats that are asserted.
extension StandardFormat {
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
    case .time: "a time such as 09:30 or 09:30:00Z"
    case .dateTime: "a date and time such as 2026-11-25T09:30:00+01:00"
    case .email: "an e-mail address such as ann@example.com"
    case .phone: "a phone number such as +49 30 123456"
    case .uri: "an address such as https://example.com"
    }
  }
}
