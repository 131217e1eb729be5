internal import Suggestions
internal import Values

/// The advice about a format that is not asserted.
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
}
