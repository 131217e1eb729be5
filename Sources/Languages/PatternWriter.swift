/// Fills in patterns by the rules of one language: it chooses plural forms, and writes numbers.
struct PatternWriter: Sendable {
  private let rules: PluralRules
  let decimalSeparator: String

  /// - Parameter locale: the language that writes numbers; that of the words by default.
  init(language: String, numbersOf locale: String? = nil) {
    rules = PluralRules(language: language)
    decimalSeparator = NumberStyle.decimalSeparator(of: locale ?? language)
  }

  /// Returns the text of a pattern. A placeholder without an argument stays as it is.
  func text(_ pattern: TextPattern, _ arguments: [TextArgument]) -> String {
    words(of: pattern, arguments).parts.reduce(into: "") { text, part in
      switch part {
      case .literal(let literal): text += literal
      case .placeholder(let name):
        text += arguments.first { $0.name == name }.map { self.text($0.value) } ?? "{\(name)}"
      }
    }
  }

  /// Returns a value as people of the language read it.
  func text(_ value: TextArgument.Value) -> String {
    switch value {
    case .text(let text): return text
    case .integer(let number): return "\(number)"
    case .number(let number):
      return Int(exactly: number).map { "\($0)" } ?? "\(number)".replacing(".", with: decimalSeparator)
    case .amount(let amount, let decimals, let unit): return "\(self.number(Int64(amount), decimals: decimals)) \(unit)"
    }
  }

  /// Returns a number of a smallest unit with its decimal places.
  func number(_ number: Int64, decimals: Int) -> String {
    DecimalText.write(number, decimals: decimals, separator: decimalSeparator)
  }

  private func words(of pattern: TextPattern, _ arguments: [TextArgument]) -> Words {
    switch pattern.content {
    case .words(let words): return words
    case .plural(let name, let exact, let forms):
      // The catalogue has a fault without `other`.
      let other = forms[.other] ?? Words("")
      guard let number = arguments.first(where: { $0.name == name })?.value.wholeNumber else { return other }
      return exact[number] ?? forms[rules.form(of: number)] ?? other
    }
  }
}

extension TextArgument.Value {
  /// The number, if it has no decimal places.
  fileprivate var wholeNumber: Int? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int(exactly: number)
    case .text, .amount: nil
    }
  }
}
