internal import Suggestions
internal import Values

/// The demands on values, as verb phrases.
enum Sentence {
  /// The number of choices above which a sentence does not name each.
  private static let namedChoices = 20
  /// The number of bytes above which a sentence does not contain a value.
  private static let valueSize = 64
  /// The number of similar names above which none is proposed, because each comparison takes microseconds.
  private static let comparisonLimit = 256

  /// Returns a value as people write it; nil if it is long.
  static func text(of value: Value) -> String? {
    guard value.bytes.count <= valueSize else { return nil }
    return value.text ?? "\(value)"
  }

  /// Returns the values of `enum`; nil if they are many or long.
  static func text(ofChoices choices: Value) -> String? {
    guard choices.count <= namedChoices else { return nil }
    let texts = choices.elements.compactMap { text(of: $0) }
    return texts.count == choices.count ? texts.joined(separator: ", ") : nil
  }

  static func demand(ofBound keyword: Keyword, _ limit: Number) -> String {
    switch keyword {
    case .minimum: "must be at least \(limit.text)"
    case .exclusiveMinimum: "must be greater than \(limit.text)"
    case .exclusiveMaximum: "must be less than \(limit.text)"
    default: "must be at most \(limit.text)"
    }
  }

  static func demand(ofCount keyword: Keyword, _ limit: Int) -> String {
    let noun =
      switch keyword {
      case .minLength, .maxLength: limit == 1 ? "character" : "characters"
      case .minItems, .maxItems: limit == 1 ? "item" : "items"
      default: limit == 1 ? "property" : "properties"
      }
    switch keyword {
    case .minLength, .minItems, .minProperties:
      return limit == 1 ? "must not be empty" : "must have at least \(limit) \(noun)"
    default: return limit == 0 ? "must be empty" : "must have at most \(limit) \(noun)"
    }
  }

  static func demand(ofContained minimum: Int, _ maximum: Int?) -> String {
    let range =
      switch (minimum, maximum) {
      case (_, nil): "at least \(minimum)"
      case (0, let maximum?): "at most \(maximum)"
      case (minimum, minimum): "exactly \(minimum)"
      case (_, let maximum?): "\(minimum) to \(maximum)"
      }
    return "must have \(range) \(maximum ?? minimum == 1 ? "item that matches" : "items that match") contains"
  }

  static func demand(withoutAdditional name: String, known: [String]) -> String {
    "must be left out, because the schema has no such property."
      + Suggestion.text(for: name, among: known, comparisonLimit: comparisonLimit)
  }
}
