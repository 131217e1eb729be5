/// The supported keywords.
enum Keyword: String, CaseIterable, Sendable {
  case dialect = "$schema"
  case reference = "$ref"
  case localDefinitions = "$defs"
  case comment = "$comment"
  case title, description, deprecated, readOnly, writeOnly, examples
  case defaultValue = "default"
  case type, const
  case enumeration = "enum"
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  case minLength, maxLength, pattern, format
  case items, prefixItems, contains, minContains, maxContains, minItems, maxItems, uniqueItems
  case properties, patternProperties, additionalProperties, propertyNames
  case required, dependentRequired, dependentSchemas, minProperties, maxProperties
  case allOf, anyOf, oneOf, not
  case condition = "if"
  case consequence = "then"
  case alternative = "else"

  /// The advice for keywords of other dialects, and for keywords of JSON Schema that are not supported.
  private static let replacements = [
    "definitions": "Write $defs.",
    "dependencies": "Write dependentRequired or dependentSchemas.",
    "additionalItems": "Write items, beside prefixItems.",
    "unevaluatedItems": "Write items.",
    "unevaluatedProperties": "Write additionalProperties.",
    "nullable": "Write type as a list, such as type: [string, \"null\"].",
    "example": "Write examples, with a list.",
    "discriminator": "Write const for the property in each schema of oneOf.",
    "$id": "Write $ref with the place of a schema, such as #/$defs/NAME.",
    "id": "Write $ref with the place of a schema, such as #/$defs/NAME.",
    "$anchor": "Write $ref with the place of a schema, such as #/$defs/NAME.",
    "$dynamicRef": "Write $ref.",
    "$dynamicAnchor": "Write $ref with the place of a schema, such as #/$defs/NAME.",
    "$vocabulary": "Remove it.",
    "contentEncoding": "Write description.",
    "contentMediaType": "Write description.",
    "contentSchema": "Write description.",
  ]

  /// Returns the sentences about a keyword that is not supported.
  static func message(forUnknown name: String, annotations: Set<String>) -> String {
    if let replacement = replacements[name] { return "The keyword \(name) is not supported. \(replacement)" }
    let suggestion = Suggestion.text(for: name, among: allCases.map(\.rawValue) + annotations)
    return "There is no keyword \(name)." + (suggestion.isEmpty ? " Remove it." : suggestion)
  }
}

/// Proposes a name that is similar to a wrong one.
enum Suggestion {
  /// The number of names above which none is proposed, because each takes microseconds.
  private static let nameLimit = 256

  /// Returns ` Did you mean minLength?`, or an empty text if no name is similar.
  static func text(for name: String, among names: some Sequence<String>) -> String {
    // The distance takes time in proportion to the product of the lengths.
    guard name.utf8.count <= 64 else { return "" }
    let limit = max(1, name.utf8.count / 3)
    let candidates = names.filter { abs($0.utf8.count - name.utf8.count) <= limit }
    guard candidates.count <= nameLimit else { return "" }
    let near = candidates.map { (distance(name, $0), $0) }.filter { $0.0 <= limit }
    return near.min { $0 < $1 }.map { " Did you mean \($0.1)?" } ?? ""
  }

  /// The number of steps that ``text(for:among:)`` counts for.
  static func stepCount(for name: String, among nameCount: Int) -> Int {
    let size = min(name.utf8.count, 64)
    return nameCount * (1 + size * size / 32)
  }

  /// The number of letters to insert, delete, replace or swap (Damerau and Levenshtein, without overlaps).
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.lowercased().utf8), Array(right.lowercased().utf8))
    let width = right.count + 1
    // The rows of the distances between the beginnings of both names.
    var distances = Array(0..<width) + Array(repeating: 0, count: width * left.count)
    for i in left.indices {
      let (above, row) = (i * width, (i + 1) * width)
      distances[row] = i + 1
      for j in right.indices {
        let cost = left[i] == right[j] ? 0 : 1
        var best = min(distances[above + j] + cost, distances[row + j] + 1, distances[above + j + 1] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, distances[above - width + j - 1] + 1)
        }
        distances[row + j + 1] = best
      }
    }
    return distances[left.count * width + right.count]
  }
}
