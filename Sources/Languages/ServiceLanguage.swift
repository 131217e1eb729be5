/// A language of the service's own texts.
package final class ServiceLanguage: Sendable {
  package static let english = ServiceLanguage("en", ServiceText.allCases.map(\.english))
  package static let german = ServiceLanguage("de", ServiceText.allCases.map(\.german))
  package static let french = ServiceLanguage("fr", ServiceText.allCases.map(\.french))
  /// The languages, the default first.
  package static let all = [english, german, french]

  /// The words of each language in the order of ``all``, with each way of writing values by its raw value, and with a
  /// decimal point and a decimal comma: for apps and regions that write values differently.
  private static let variants: [[[ServiceLanguage]]] = all.map { language in
    ValueStyle.allCases.map { style in
      [".", ","].map { separator in
        let writer = PatternWriter(language: language.tag, style, decimalSeparator: separator)
        return ServiceLanguage(language.tag, language.patterns, writer)
      }
    }
  }

  /// The tag of the language.
  package let tag: String
  /// The colon between a label and its value. In French it has a space before it, without a line break.
  package let colon: String
  /// By the raw value of the text.
  private let patterns: [TextPattern]
  private let writer: PatternWriter

  private init(_ tag: String, _ patterns: [TextPattern], _ writer: PatternWriter? = nil) {
    (self.tag, self.patterns) = (tag, patterns)
    colon = tag == "fr" ? "\u{A0}:" : ":"
    self.writer = writer ?? PatternWriter(language: tag)
  }

  /// Returns the language for a locale (RFC 4647, Lookup): English unless another one matches. Numbers, amounts, dates
  /// and times are those of the locale, in English words too, because an app in Polish shows them so.
  package static func of(_ locale: String?) -> ServiceLanguage {
    guard let locale else { return english }
    let index = LanguageTag.lookUp(locale, in: all.map(\.tag)) ?? 0
    let separator = NumberStyle.decimalSeparator(of: locale)
    return variants[index][ValueStyle.of(locale).rawValue][separator == "." ? 0 : 1]
  }

  /// Whether the service writes amounts, dates and times as people of the language do.
  package var hasOwnValues: Bool { writer.style != .neutral }

  /// Returns a typed number with a point instead of the decimal separator of the language.
  package func decimalText(_ typed: String) -> String {
    let separator = writer.decimalSeparator
    return separator == "." || typed.contains(".") ? typed : typed.replacing(separator, with: ".")
  }

  /// Returns a typed amount as a whole number of its smallest unit, in the digits of JSON; nil for any other text, and for
  /// a point that may group thousands: with three decimal places and a decimal comma, 12.345 is twelve thousand to many
  /// people.
  package func smallestUnits(_ typed: String, decimals: Int) -> String? {
    let typed = withoutGroups(typed)
    if hasAmbiguousPoint(decimals: decimals), typed.contains(".") { return nil }
    return DecimalText.smallestUnits(decimalText(typed), decimals: decimals)
  }

  /// Returns an amount without the separators of its groups of three digits, if a decimal separator follows them. Returns any
  /// other text as it is: without decimal places, 1.234 is one thousand to some people, and little more than one to others.
  private func withoutGroups(_ typed: String) -> String {
    let parts = typed.filter { !$0.isWhitespace }
      .split(separator: Character(writer.decimalSeparator), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return typed }
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let groups = parts[0].dropFirst(sign.count)
      .split(omittingEmptySubsequences: false) { groupSeparators.contains($0) }
    guard groups.count > 1, (1...3).contains(groups[0].utf8.count), !groups[0].hasPrefix("0"),
      groups.dropFirst().allSatisfy({ $0.utf8.count == 3 })
    else { return typed }
    return sign + groups.joined(separator: "") + writer.decimalSeparator + parts[1]
  }

  /// The separators of groups of digits: the comma or the point that does not separate decimal places, and apostrophes in
  /// Swiss German. Spaces may stand anywhere.
  private var groupSeparators: String {
    writer.style == .swiss ? "'’" : writer.decimalSeparator == "." ? "," : "."
  }

  /// Returns a regular expression of the amounts that ``smallestUnits(_:decimals:)`` reads, without a sign and spaces around
  /// them, for the control of a form.
  package func amountPattern(decimals: Int) -> String {
    let digits = "[0-9][0-9\\s]*"
    guard decimals > 0 else { return digits }
    let own = writer.decimalSeparator
    let separators = own == "." || hasAmbiguousPoint(decimals: decimals) ? own : ".,"
    let places = "[0-9]{1,\(decimals)}"
    let grouped = "[1-9][0-9]{0,2}(?:[\(groupSeparators)][0-9]{3})+[\(own)]\(places)"
    return "(?:\(digits)(?:[\(separators)]\(places))?|[\(separators)]\(places)|\(grouped))"
  }

  /// Returns a number that a person has typed with a point as its decimal separator. Returns nil for a point that may group
  /// thousands. A number control of a browser sends points alone.
  package func numberText(_ typed: String) -> String? {
    let groups = typed.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    return writer.decimalSeparator != "." && groups.contains { $0.count == 3 } ? nil : decimalText(typed)
  }

  /// Whether a point may group thousands in amounts with this number of decimal places.
  private func hasAmbiguousPoint(decimals: Int) -> Bool { decimals > 2 && writer.decimalSeparator != "." }

  /// Returns a number that is written with a point with the decimal separator of the language.
  package func localized(_ number: String) -> String { number.replacing(".", with: writer.decimalSeparator) }

  /// Returns a whole number of a smallest unit, written with decimal places.
  package func number(_ number: Int64, decimals: Int) -> String { writer.number(number, decimals: decimals) }

  /// Returns the digits of an amount of money as ``text(_:)`` writes them, without a sign.
  package func digits(of number: Int64, decimals: Int) -> String {
    writer.style.digits(of: number, decimals: decimals, separator: writer.decimalSeparator)
  }

  /// Returns a value as people of the language read it.
  package func text(_ value: TextArgument.Value) -> String { writer.text(value) }

  package func callAsFunction(
    _ text: ServiceText, _ arguments: KeyValuePairs<String, TextArgument.Value> = [:]
  ) -> String {
    writer.text(patterns[text.rawValue], arguments.map { TextArgument($0.key, $0.value) })
  }
}
