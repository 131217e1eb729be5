/// The preferences in a `Prefer` header (RFC 7240, section 2).
enum Preference {
  /// Returns the value of a preference, without its quotes. Returns nil if the client does not state it, or states it with
  /// an empty value, which means the same as none.
  static func value(_ name: String, in header: String) -> String? {
    for preference in split(header[...], at: ",") {
      // Parameters of a preference follow a semicolon.
      guard let first = split(preference, at: ";").first else { continue }
      let parts = first.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmed.lowercased() == name else { continue }
      let value = parts[1].trimmed
      let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
      let text = isQuoted ? value.dropFirst().dropLast() : value
      return text.isEmpty ? nil : String(text)
    }
    return nil
  }

  /// Splits a text at a separator, except within quotes.
  private static func split(_ text: Substring, at separator: Character) -> [Substring] {
    var isQuoted = false
    return text.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == separator && !isQuoted
    }
  }
}

extension Substring {
  /// The text without surrounding whitespace (RFC 9110, section 5.6.3).
  var trimmed: Substring {
    let start = utf8.drop(while: MediaType.isBlank)
    let end = start.lastIndex { !MediaType.isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex
    return Substring(start[..<end])
  }
}
