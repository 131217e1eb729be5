internal import Values

/// The own sentences of a field for its errors, in place of those of the service.
///
///     @Field("Name", length: 1...80, errors: [.required: "Write your name."]) var name: String
///
/// A text with a key has its words in the language of the session.
public struct FieldErrors: Sendable, ExpressibleByDictionaryLiteral {
  /// An error of a value, by the keyword of JSON Schema. The raw values are the names in flow files.
  public enum Keyword: String, Sendable, CaseIterable {
    /// The value is missing or empty.
    case required
    case type
    case minimum
    case exclusiveMinimum
    case maximum
    case minimumLength = "minLength"
    case maximumLength = "maxLength"
    /// The text does not match the pattern, or does not have the number of digits.
    case pattern
    case format
    /// A value is none of the choices, or one of them twice.
    case choices = "enum"
    case minimumItems = "minItems"
    case maximumItems = "maxItems"
    /// A choice excludes the other ones.
    case excludesOthers
    /// The consent is not given.
    case mustBeTrue = "const"
  }

  private let sentences: [Keyword: Text]

  public init(dictionaryLiteral elements: (Keyword, Text)...) { self.init(elements) }

  /// - Parameter sentences: of a repeated keyword, the last one counts.
  package init(_ sentences: [(Keyword, Text)]) { self.sentences = Dictionary(sentences) { $1 } }

  var isEmpty: Bool { sentences.isEmpty }

  /// The keywords with a sentence, in the order of their declaration.
  var keywords: [Keyword] { Keyword.allCases.filter { sentences[$0] != nil } }

  subscript(keyword: Keyword) -> Text? { sentences[keyword] }

  func withTexts(_ write: (Text) -> Text) -> FieldErrors {
    if isEmpty { return self }
    return FieldErrors(keywords.compactMap { keyword in sentences[keyword].map { (keyword, write($0)) } })
  }
}

extension FieldLimit {
  /// The keyword of the sentence for values outside of the limit.
  fileprivate var errorKeyword: FieldErrors.Keyword {
    switch self {
    case .minimum, .earliest: .minimum
    case .exclusiveMinimum: .exclusiveMinimum
    case .maximum, .latest: .maximum
    case .minimumLength: .minimumLength
    case .maximumLength: .maximumLength
    case .digits, .pattern: .pattern
    case .format: .format
    case .choices, .items: .choices
    case .isTrue: .mustBeTrue
    case .exclusiveItems: .excludesOthers
    case .minimumItems: .minimumItems
    case .maximumItems: .maximumItems
    }
  }
}

extension FieldSchema {
  /// The errors that values of the field can have.
  private var possibleErrors: Set<FieldErrors.Keyword> {
    var possible = Set(kind.limits.map { $0.errorKeyword })
    possible.insert(.type)
    if isRequired { possible.insert(.required) }
    // A screen may offer choices for any text and whole number.
    if kind.limited(to: []) != nil { possible.insert(.choices) }
    // A screen may have bounds for any number, date or time.
    if kind.bounded(minimum: nil, maximum: nil) != nil { possible.formUnion([.minimum, .maximum]) }
    return possible
  }

  /// A fault for each sentence that no value can have as its error.
  var errorsWithoutLimit: [DeclarationFault] {
    if errors.isEmpty { return [] }
    let possible = possibleErrors
    return errors.keywords.filter { !possible.contains($0) }.map { .errorWithoutLimit($0) }
  }

  /// Returns the field's own sentence for a fault; nil for that of the service.
  ///
  /// - Parameter value: the value with the fault; nil for an absent one.
  func ownSentence(for fault: FieldFault, of value: Value?) -> Text? {
    if errors.isEmpty { return nil }
    let keyword: FieldErrors.Keyword? =
      switch fault.fact {
      case .outside(let limit), .outsideAmount(let limit, _, _): limit.errorKeyword
      case .missing, .wrongType: FieldErrors.Keyword(rawValue: fault.keyword)
      // The sentence of the pattern would not say what to change, and a refusal has the words of the app.
      case .tooLongToMatch, .refused, .noObject, .unknown, .notAsked, .noItem: nil
      }
    // A consent that is not given is an empty field to people.
    let isEmpty = value.map { $0.isEmptyInput } ?? true
    if isEmpty || keyword == .mustBeTrue, let sentence = errors[.required] { return sentence }
    // A value that is not a choice is as good as none.
    return keyword.flatMap { errors[$0] ?? ($0 == .choices ? errors[.required] : nil) }
  }

  /// The sentences as an annotation of the JSON Schema, by the keywords of the schema that fail; nil without any.
  var errorMessage: Value? {
    if errors.isEmpty { return nil }
    var members: [(String, Value)] = []
    for keyword in errors.keywords {
      guard let sentence = errors[keyword] else { continue }
      members += schemaKeywords(of: keyword).map { ($0, Value(sentence.string)) }
    }
    return .object(members)
  }

  /// Returns the keywords of the JSON Schema that fail with an error: a number of digits has three of them.
  private func schemaKeywords(of error: FieldErrors.Keyword) -> [String] {
    let limits = kind.limits.filter { $0.errorKeyword == error }
    if limits.isEmpty { return [error.rawValue] }
    let keywords = limits.flatMap { $0.schema(isNullable: isNullable).map { $0.0 } }
    return error == .format && kind.format != nil ? keywords + [error.rawValue] : keywords
  }
}

extension Value {
  /// Whether the value is that of a field that people leave empty.
  fileprivate var isEmptyInput: Bool { isNull || text == "" || kind == .array && count == 0 }
}
