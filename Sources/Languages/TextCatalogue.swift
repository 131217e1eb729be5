/// The texts of an app in several languages, by their keys.
///
///     let texts = TextCatalogue(
///       fallback: "en",
///       [
///         "en": ["cart.title": "Cart", "cart.items": .plural("count", one: "{count} item", other: "{count} items")],
///         "de": ["cart.title": "Korb", "cart.items": .plural("count", one: "{count} Artikel", other: "{count} Artikel")],
///       ])
///
/// A session has the language whose tag matches its locale by RFC 4647, Lookup: `de` for the locale `de-CH`, unless the
/// catalogue has `de-CH`. It has the fallback language if none matches.
public struct TextCatalogue: Sendable {
  /// The texts of one language, by their keys.
  public struct Texts: Sendable, ExpressibleByDictionaryLiteral {
    let patterns: [String: TextPattern]
    let repeated: [String]

    public init(_ patterns: [String: TextPattern]) { (self.patterns, repeated) = (patterns, []) }

    public init(dictionaryLiteral elements: (String, TextPattern)...) {
      var (patterns, repeated): ([String: TextPattern], [String]) = ([:], [])
      for (key, pattern) in elements where patterns.updateValue(pattern, forKey: key) != nil { repeated.append(key) }
      (self.patterns, self.repeated) = (patterns, repeated)
    }
  }

  /// The tag of the language that a text is taken from if the language of a session lacks it.
  public let fallback: String
  let texts: [(language: String, texts: Texts)]

  /// - Parameters:
  ///   - fallback: the tag of one of the languages.
  ///   - languages: the texts of each language, by its tag (BCP 47).
  public init(fallback: String, _ languages: KeyValuePairs<String, Texts>) {
    self.init(fallback: fallback, languages: languages.map { ($0.key, $0.value) })
  }

  /// Creates a catalogue from texts that are read from files, say.
  public init(fallback: String, languages: [(String, Texts)]) {
    (self.fallback, texts) = (fallback, languages.map { (language: $0.0, texts: $0.1) })
  }

  /// The tags of the languages, in the order of the author.
  public var languages: [String] { texts.map(\.language) }

  /// The keys that have a text in any language, in the order of the alphabet.
  public var keys: [String] { Set(texts.flatMap(\.texts.patterns.keys)).sorted() }

  /// Returns whether any language has a text of the key.
  public func hasText(_ key: String) -> Bool { texts.contains { $0.texts.patterns[key] != nil } }

  /// Returns the arguments that the text of a key uses in any language.
  public func argumentNames(of key: String) -> Set<String> {
    texts.reduce(into: []) { $0.formUnion($1.texts.patterns[key]?.argumentNames ?? []) }
  }

  /// Returns the arguments that the text of a key uses in one language.
  public func argumentNames(of key: String, in language: String) -> Set<String> {
    texts.first { $0.language == language }?.texts.patterns[key]?.argumentNames ?? []
  }

  /// Returns the arguments that choose a plural form of the text of a key in any language.
  public func pluralArgumentNames(of key: String) -> Set<String> {
    texts.reduce(into: []) { names, language in
      if case .plural(let argument, _, _)? = language.texts.patterns[key]?.content { names.insert(argument) }
    }
  }

  /// Returns the texts of each language, in the order of the author.
  public func languageTexts() -> [LanguageTexts] {
    let first = texts.first { $0.language == fallback }
    let last = first.map { LanguageTexts($0.language, $0.texts.patterns, fallback: nil) }
    return texts.map { language, texts in
      if language == fallback, let last { return last }
      return LanguageTexts(language, texts.patterns, fallback: last)
    }
  }
}

/// The texts of one language.
public final class LanguageTexts: Sendable {
  /// The tag of the language.
  public let language: String
  private let patterns: [String: TextPattern]
  private let fallback: LanguageTexts?
  private let writer: PatternWriter

  init(_ language: String, _ patterns: [String: TextPattern], fallback: LanguageTexts?) {
    (self.language, self.patterns, self.fallback) = (language, patterns, fallback)
    writer = PatternWriter(language: language)
  }

  /// Returns the text of a key, from the fallback language if this one lacks it; nil if both do. A placeholder without
  /// an argument stays as it is.
  public func text(_ key: String, _ arguments: [TextArgument]) -> String? {
    guard let pattern = patterns[key] else { return fallback?.text(key, arguments) }
    return writer.text(pattern, arguments)
  }

  /// Returns the arguments that ``text(_:_:)`` of a key uses; nil if there is no text.
  public func argumentNames(of key: String) -> Set<String>? {
    patterns[key].map(\.argumentNames) ?? fallback?.argumentNames(of: key)
  }

  /// Returns a value as people of the language read it.
  public func text(_ value: TextArgument.Value) -> String { writer.text(value) }
}

/// A value for a placeholder.
public struct TextArgument: Sendable, Hashable {
  public enum Value: Sendable, Hashable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    case text(String)
    case integer(Int)
    case number(Double)
    /// A number of a smallest unit, such as cents, with its decimal places and its unit.
    case amount(Int, decimals: Int, unit: String)
    /// An amount of money in the smallest unit of a currency, such as `EUR` (ISO 4217).
    case money(Int, decimals: Int, currency: String)
    /// A day of the Gregorian calendar; months and days from 1.
    case date(year: Int, month: Int, day: Int)
    /// A time of day, from 0:00 to 23:59.
    case time(hour: Int, minute: Int)
    /// A date and a time on a clock whose offset is in minutes east of UTC.
    case dateTime(year: Int, month: Int, day: Int, hour: Int, minute: Int, offset: Int)

    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
  }
  public let name: String
  public let value: Value

  public init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
}
