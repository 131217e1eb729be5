/// A fault of a ``TextCatalogue``.
public struct CatalogueFault: Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    case invalidLanguage
    case repeatedLanguage
    case fallbackWithoutTexts
    case repeatedKey
    /// Another language has the text.
    case missing(in: String)
    /// A brace without a partner, an invalid name, or plural forms without `other`.
    case malformed(in: String)
    /// The text of the fallback language has no such placeholder.
    case unknownPlaceholder(String, in: String)
    case missingForm(PluralForm, in: String)
    /// No number of the language has the form.
    case unusedForm(PluralForm, in: String)
  }
  /// The tag of a language, or the key of a text.
  public let location: String
  public let reason: Reason
}

extension CatalogueFault.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidLanguage: "This is not a valid language tag. Use a tag such as de or pt-BR (BCP 47)."
    case .repeatedLanguage: "The language occurs twice. Remove one of them."
    case .fallbackWithoutTexts: "The fallback language has no texts. Add them, or name another language."
    case .repeatedKey: "The key occurs twice in one language. Remove one of the texts."
    case .missing(let language): "The text is missing in the language \(language)."
    case .malformed(let language):
      "The text is malformed in the language \(language). Use placeholders such as {name}, {{ and }} for braces, and "
        + "the form other beside plural forms."
    case .unknownPlaceholder(let name, let language):
      "The placeholder \(name) of the language \(language) is unknown to the fallback language."
    case .missingForm(let form, let language):
      "The plural form \(form.rawValue) is missing in the language \(language)."
    case .unusedForm(let form, let language):
      "No number has the plural form \(form.rawValue) in the language \(language). Use other forms, or exact numbers."
    }
  }
}

extension TextCatalogue {
  /// Every fault of the catalogue, in the order of its languages and keys.
  public var faults: [CatalogueFault] {
    var faults: [CatalogueFault] = []
    var tags: [String] = []
    for (language, texts) in texts {
      if !LanguageTag.isWellFormed(language) { faults.append(.init(location: language, reason: .invalidLanguage)) }
      if tags.contains(where: { LanguageTag.isEqual($0, language) }) {
        faults.append(.init(location: language, reason: .repeatedLanguage))
      }
      tags.append(language)
      faults += texts.repeated.map { .init(location: $0, reason: .repeatedKey) }
    }
    guard let source = texts.first(where: { $0.language == fallback }) else {
      return faults + [.init(location: fallback, reason: .fallbackWithoutTexts)]
    }
    for key in Set(texts.flatMap(\.texts.patterns.keys)).sorted() {
      for (language, texts) in texts {
        faults += Self.reasons(texts.patterns[key], in: language, source.texts.patterns[key]).map {
          .init(location: key, reason: $0)
        }
      }
    }
    return faults
  }

  /// - Parameter source: the pattern of the fallback language.
  private static func reasons(
    _ pattern: TextPattern?, in language: String, _ source: TextPattern?
  ) -> [CatalogueFault.Reason] {
    guard let pattern else { return [.missing(in: language)] }
    if pattern.isMalformed { return [.malformed(in: language)] }
    var reasons: [CatalogueFault.Reason] = []
    if let source, !source.isMalformed {
      let unknown = pattern.argumentNames.subtracting(source.argumentNames).sorted()
      reasons += unknown.map { .unknownPlaceholder($0, in: language) }
    }
    guard case .plural(_, let exact, let forms) = pattern.content else { return reasons }
    let rules = PluralRules(language: language)
    let used = rules.everydayForms()
    let needed = rules.everydayForms { exact[$0] == nil }
    for form in PluralForm.allCases {
      if needed.contains(form), forms[form] == nil { reasons.append(.missingForm(form, in: language)) }
      // In some languages only millions and numbers with decimal places have the form `many`.
      let isRare = form == .many || form == .other
      if forms[form] != nil, !used.contains(form), !isRare { reasons.append(.unusedForm(form, in: language)) }
    }
    return reasons
  }
}
