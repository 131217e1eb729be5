/// The preferences in a `Prefer` header (RFC 7240, section 2).
enum Preference {
  /// Returns the value of a preference; nil if the client does not state it, or states it without a value. Values
  /// contain no commas.
  static func value(_ name: String, in header: String) -> String? {
    for preference in header.split(separator: ",") {
      // Parameters of a preference follow a semicolon.
      let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmed.lowercased() == name else { continue }
      let value = parts[1].trimmed
      let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
      return String(isQuoted ? value.dropFirst().dropLast() : value)
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
