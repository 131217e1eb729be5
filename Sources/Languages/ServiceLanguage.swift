/// A language of the service's own texts.
package final class ServiceLanguage: Sendable {
  package static let english = ServiceLanguage("en", ServiceText.allCases.map(\.english))
  package static let german = ServiceLanguage("de", ServiceText.allCases.map(\.german))
  /// The languages, the default first.
  package static let all = [english, german]

  /// The same words with the other decimal separator, for apps and regions that write numbers differently. In the order
  /// of ``all``.
  private static let otherNumbers = all.map { language in
    let locale = language.writer.decimalSeparator == "." ? german.tag : english.tag
    return ServiceLanguage(language.tag, language.patterns, numbersOf: locale)
  }

  /// The tag of the language.
  package let tag: String
  /// By the raw value of the text.
  private let patterns: [TextPattern]
  private let writer: PatternWriter

  private init(_ tag: String, _ patterns: [TextPattern], numbersOf locale: String? = nil) {
    (self.tag, self.patterns) = (tag, patterns)
    writer = PatternWriter(language: tag, numbersOf: locale ?? tag)
  }

  /// Returns the language for a locale (RFC 4647, Lookup): English unless another one matches. Numbers are those of the
  /// locale, in English words too, because an app in French shows them so.
  package static func of(_ locale: String?) -> ServiceLanguage {
    guard let locale else { return english }
    let index = LanguageTag.lookUp(locale, in: all.map(\.tag)) ?? 0
    let separator = NumberStyle.decimalSeparator(of: locale)
    return all[index].writer.decimalSeparator == separator ? all[index] : otherNumbers[index]
  }

  /// Returns a typed number with a point instead of the decimal separator of the language.
  package func decimalText(_ typed: String) -> String {
    let separator = writer.decimalSeparator
    return separator == "." || typed.contains(".") ? typed : typed.replacing(separator, with: ".")
  }

  /// Returns a typed amount as a whole number of its smallest unit, in the digits of JSON; nil for any other text, and for
  /// a point that may group thousands: with three decimal places and a decimal comma, 12.345 is twelve thousand to many
  /// people.
  package func smallestUnits(_ typed: String, decimals: Int) -> String? {
    if hasAmbiguousPoint(decimals: decimals), typed.contains(".") { return nil }
    return DecimalText.smallestUnits(decimalText(typed), decimals: decimals)
  }

  /// Returns a number that a person has typed with a point as its decimal separator. Returns nil for a point that may group
  /// thousands. A number control of a browser sends points alone.
  package func numberText(_ typed: String) -> String? {
    let groups = typed.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    return writer.decimalSeparator != "." && groups.contains { $0.count == 3 } ? nil : decimalText(typed)
  }

  /// Whether a point may group thousands in amounts with this number of decimal places.
  package func hasAmbiguousPoint(decimals: Int) -> Bool { decimals > 2 && writer.decimalSeparator != "." }

  /// Returns a number that is written with a point with the decimal separator of the language.
  package func localized(_ number: String) -> String { number.replacing(".", with: writer.decimalSeparator) }

  /// Returns a whole number of a smallest unit, written with decimal places.
  package func number(_ number: Int64, decimals: Int) -> String { writer.number(number, decimals: decimals) }

  package func callAsFunction(
    _ text: ServiceText, _ arguments: KeyValuePairs<String, TextArgument.Value> = [:]
  ) -> String {
    writer.text(patterns[text.rawValue], arguments.map { TextArgument($0.key, $0.value) })
  }
}
