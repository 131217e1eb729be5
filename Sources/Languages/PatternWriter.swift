/// Fills in patterns by the rules of one language: it chooses plural forms, and writes numbers, amounts, dates and times.
struct PatternWriter: Sendable {
  private let rules: PluralRules
  let style: ValueStyle
  let decimalSeparator: String

  init(language: String) {
    let separator = NumberStyle.decimalSeparator(of: language)
    self.init(language: language, .of(language), decimalSeparator: separator)
  }

  /// Creates a writer whose words and values may be of two languages.
  init(language: String, _ style: ValueStyle, decimalSeparator: String) {
    rules = PluralRules(language: language)
    (self.style, self.decimalSeparator) = (style, decimalSeparator)
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
    case .money(let amount, let decimals, let currency):
      return style.money(Int64(amount), decimals: decimals, currency: currency, separator: decimalSeparator)
    case .date(let year, let month, let day): return style.date(year: year, month: month, day: day)
    case .time(let hour, let minute): return style.time(hour: hour, minute: minute)
    case .dateTime(let year, let month, let day, let hour, let minute, let offset):
      return style.dateTime(
        date: style.date(year: year, month: month, day: day), time: style.time(hour: hour, minute: minute),
        offset: offset)
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
    case .text, .amount, .money, .date, .time, .dateTime: nil
    }
  }
}
