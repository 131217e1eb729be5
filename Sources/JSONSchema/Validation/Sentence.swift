internal import Values

/// The demands on values, as verb phrases.
enum Sentence {
  /// The number of choices above which a sentence does not name each.
  private static let namedChoices = 20
  /// The number of bytes above which a sentence does not contain a value.
  private static let valueSize = 64

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
}
