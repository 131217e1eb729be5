internal import Languages
public import Values

/// A kind of field: how its values are read and validated, how a JSON Schema describes them, and how a form asks for
/// them.
///
/// A new kind is a type that conforms to this protocol, the ``FieldValue`` that has it, and an initializer of ``Field``
/// for its limits. docs/architecture.md lists the further files.
public protocol FieldKind: Sendable {
  /// The `type` of JSON Schema.
  var type: String { get }
  /// The `format` of JSON Schema; nil if the kind has none.
  var format: String? { get }
  /// The limits of the values, in the order of the schema's keywords.
  var limits: [FieldLimit] { get }
  /// The control of an HTML form.
  var control: FieldControl { get }
  /// Whether clients hide the value.
  var isSecret: Bool { get }
  /// Whether the empty text is a value. Otherwise an empty field of a form is an absent one.
  var takesEmptyText: Bool { get }
  /// The faults in the declaration.
  var declarationFaults: [DeclarationFault] { get }

  /// Further members of the JSON Schema, which do not limit the values.
  var annotations: [(String, Value)] { get }

  /// Reads the text of a form's field or of a link's segment. Returns the text itself if it is not a value of the kind;
  /// ``faults(of:)`` refuses that.
  func value(from text: String) -> Value

  /// Reads the texts of all fields of a form that have the name, at least one.
  func value(from texts: [String]) -> Value

  /// Returns a valid value as the text of a form's field.
  func text(of value: Value) -> String

  /// Returns a valid value as people read it.
  func shown(_ value: Value) -> Text

  /// Returns a valid value as the texts of all fields of a form that have the name.
  func texts(of value: Value) -> [String]

  /// Returns a value without what people type unseen, such as the spaces around a text. The cleaned value is validated
  /// and stored instead.
  func cleaned(_ value: Value) -> Value

  /// Validates a value, and returns every fault.
  func faults(of value: Value) -> [FieldFault]

  /// Validates a value of a form, and returns every fault.
  ///
  /// - Parameter stepsLeft: the steps that are left for the patterns of the form.
  func faults(of value: Value, stepsLeft: inout Int) -> [FieldFault]

  /// Returns the one stored form of a valid value.
  func stored(_ value: Value) -> Value

  /// Returns the kind with these choices as a further limit; nil if it takes no choices.
  func limited(to choices: [Choice]) -> (any FieldKind)?

  /// Returns the kind with further bounds, beside its own ones; nil if its values have no order.
  ///
  /// - Parameters:
  ///   - minimum: nil for no further minimum.
  ///   - maximum: nil for no further maximum.
  func bounded(minimum: Value?, maximum: Value?) -> (any FieldKind)?

  /// Returns the kind with other texts for its own, such as the titles of choices in a language.
  func withTexts(_ write: (Text) -> Text) -> any FieldKind
}

extension FieldKind {
  public var format: String? { nil }
  public var limits: [FieldLimit] { [] }
  public var isSecret: Bool { false }
  public var takesEmptyText: Bool { false }
  public var annotations: [(String, Value)] { [] }
  public var declarationFaults: [DeclarationFault] { [] }
  // The last one counts: a checkbox follows a hidden field with the unchecked value.
  public func value(from texts: [String]) -> Value { texts.last.map { value(from: $0) } ?? .null }
  public func text(of value: Value) -> String { value.fieldText }
  public func texts(of value: Value) -> [String] { [text(of: value)] }
  public func shown(_ value: Value) -> Text {
    let text = text(of: value)
    return switch format {
    case "date": CalendarDate(text).map { .date($0) } ?? Text(text)
    case "date-time": OffsetDateTime(text).map { .dateTime($0) } ?? Text(text)
    default: Text(text)
    }
  }
  public func cleaned(_ value: Value) -> Value { value }
  public func faults(of value: Value, stepsLeft: inout Int) -> [FieldFault] { faults(of: value) }
  public func stored(_ value: Value) -> Value { value }
  public func limited(to choices: [Choice]) -> (any FieldKind)? { nil }
  public func bounded(minimum: Value?, maximum: Value?) -> (any FieldKind)? { nil }
  public func withTexts(_ write: (Text) -> Text) -> any FieldKind { self }

  /// The choices of a value, or of the items of a list; empty for a kind without.
  package var allChoices: [Choice] {
    limits.flatMap { limit -> [Choice] in
      switch limit {
      case .choices(let choices), .items(let choices): choices
      default: []
      }
    }
  }

  /// The kind as one of amounts; nil for any other kind.
  package var amount: AmountKind? { self as? AmountKind }
}

/// A limit of a field's values.
public enum FieldLimit: Sendable, Equatable {
  case minimum(Value)
  case exclusiveMinimum(Value)
  case maximum(Value)
  /// The first date or time of day.
  case earliest(String)
  /// The last date or time of day.
  case latest(String)
  /// In Unicode code points, as are all lengths.
  case minimumLength(Int)
  case maximumLength(Int)
  /// The exact number of ASCII digits.
  case digits(Int)
  case choices([Choice])
  case format(TextFormat)
  case pattern(ExamplePattern)
  /// True only, as for a consent.
  case isTrue
  /// The choices of which a list may contain several, each once.
  case items([Choice])
  /// The choices of which each excludes all others.
  case exclusiveItems([Choice])
  case minimumItems(Int)
  case maximumItems(Int)

  /// The keyword of JSON Schema that a value outside of the limit fails.
  var keyword: String {
    switch self {
    case .minimum: "minimum"
    case .exclusiveMinimum: "exclusiveMinimum"
    case .maximum: "maximum"
    case .earliest: "formatMinimum"
    case .latest: "formatMaximum"
    case .minimumLength: "minLength"
    case .maximumLength: "maxLength"
    case .digits, .format, .pattern: "pattern"
    case .choices: "enum"
    case .isTrue: "const"
    case .items: "items"
    case .exclusiveItems: "anyOf"
    case .minimumItems: "minItems"
    case .maximumItems: "maxItems"
    }
  }

  /// The members of a JSON Schema.
  ///
  /// - Parameter isNullable: whether null is a value.
  func schema(isNullable: Bool) -> [(String, Value)] {
    switch self {
    case .minimum(let limit), .exclusiveMinimum(let limit), .maximum(let limit): return [(keyword, limit)]
    // Keywords of ajv-formats, because JSON Schema has none for the order of dates. They need a `format` beside them,
    // which a time of day lacks.
    case .earliest(let limit), .latest(let limit):
      return CalendarDate(limit) == nil ? [] : [(keyword, Value(limit))]
    case .minimumLength(let count), .maximumLength(let count), .minimumItems(let count), .maximumItems(let count):
      return [(keyword, Value(count))]
    case .digits(let count):
      return [("minLength", Value(count)), ("maxLength", Value(count)), (keyword, Value("^[0-9]{\(count)}$"))]
    // JSON Schema has no format of a time without an offset.
    case .format(.time):
      return [(keyword, Value(TextFormat.time.pattern)), ("examples", [Value(TextFormat.time.example)])]
    case .format(let format): return [(keyword, Value(format.pattern))]
    case .pattern(let pattern):
      return [(keyword, Value("^(?:\(pattern.source))$")), ("examples", [Value(pattern.example)])]
    case .isTrue: return [(keyword, true)]
    case .items(let choices):
      let items = [("type", choices.itemType)] + FieldLimit.choices(choices).schema(isNullable: false)
      return [(keyword, .object(items)), ("uniqueItems", true)]
    case .exclusiveItems(let choices):
      let values = Value.array(choices.map(\.value))
      return [(keyword, [["not": ["contains": ["enum": values]]], ["maxItems": 1]])]
    case .choices(let choices):
      let values: [Value] = choices.map(\.value) + (isNullable ? [.null] : [])
      guard let titled = choices.schemas else { return [(keyword, .array(values))] }
      return [
        (keyword, .array(values)), ("oneOf", .array(titled + (isNullable ? [.object([("const", .null)])] : []))),
      ]
    }
  }
}

/// A fault of one value: a fact, from which a representation makes a sentence.
public struct FieldFault: Sendable, Equatable {
  public enum Fact: Sendable, Equatable {
    case missing
    case wrongType(expected: ExpectedType)
    case outside(FieldLimit)
    /// The amount is outside of a limit, which people read with its decimal places and its unit.
    case outsideAmount(FieldLimit, decimals: Int, unit: Text?)
    /// The match of the text with a pattern needs more than ``Pattern/stepLimit`` steps.
    case tooLongToMatch
    /// The app's own refusal, in its words.
    case refused(Text)
    /// The input as a whole, or an item of a list, is not an object.
    case noObject
    /// The question does not exist.
    case unknown
    /// The question or the section is not asked.
    case notAsked
    /// The list has no item of this index, counted from 0.
    case noItem(Int)
  }
  /// The keyword of JSON Schema that failed; `refused` for a refusal of the app, `unknown` for a question or an item that
  /// does not exist, and `not-asked` for a question or a section that is not asked.
  public let keyword: String
  public let fact: Fact

  public init(keyword: String, _ fact: Fact) {
    self.keyword = keyword
    self.fact = fact
  }

  public static let missing = FieldFault(keyword: "required", .missing)
  static let missingConsent = FieldFault(keyword: "required", .outside(.isTrue))
  public static func wrongType(expected: ExpectedType) -> FieldFault {
    FieldFault(keyword: "type", .wrongType(expected: expected))
  }
  public static func outside(_ limit: FieldLimit) -> FieldFault { FieldFault(keyword: limit.keyword, .outside(limit)) }
  static func refused(_ reason: Text) -> FieldFault { FieldFault(keyword: "refused", .refused(reason)) }
  static let noObject = FieldFault(keyword: "type", .noObject)
  static let unknown = FieldFault(keyword: "unknown", .unknown)
  static let notAsked = FieldFault(keyword: "not-asked", .notAsked)
  static func noItem(_ index: Int) -> FieldFault { FieldFault(keyword: "unknown", .noItem(index)) }
}

/// The type that a value should have.
public enum ExpectedType: Sendable, Equatable, ExpressibleByStringInterpolation {
  case wholeNumber, number, flag, text, list
  /// An amount that people write with decimal places.
  case amount(decimals: Int)
  /// An amount with decimal places, which programs send as a whole number.
  case smallestUnits(decimals: Int)
  /// The type of an app's own kind of field: a noun phrase such as `a color`.
  case other(String)

  public init(stringLiteral value: String) { self = .other(value) }
}

/// A fault in the declaration of a field.
public enum DeclarationFault: Sendable, Equatable, CustomStringConvertible {
  case noChoices
  case repeatedChoice(String)
  case choiceOfOtherType(String)
  case negativeLength
  case minimumAboveMaximum
  case emptyRange
  case invalidPattern(String, PatternError)
  case exampleDoesNotMatch(String)
  case invalidDefault(keyword: String)
  case errorWithoutLimit(FieldErrors.Keyword)
  case requiredFromAddress
  case secretFromAddress

  public var description: String {
    switch self {
    case .noChoices: "The field has no choices."
    case .repeatedChoice(let choice): "The choice \(choice) is declared twice."
    case .choiceOfOtherType(let choice): "The choice \(choice) is not a value of the type of the field."
    case .negativeLength: "The length is negative."
    case .minimumAboveMaximum: "The minimum is greater than the maximum."
    case .emptyRange: "The exclusive minimum is not less than the maximum."
    case .invalidPattern(let pattern, let error):
      "The pattern \(pattern) is not valid: \(error.reason), at character \(error.index + 1)."
    case .exampleDoesNotMatch(let example): "The pattern does not match its example \(example)."
    case .invalidDefault(let keyword): "The default is not a valid value: \(keyword)."
    case .errorWithoutLimit(let keyword):
      "The errors have a sentence for \(keyword.rawValue), which no value fails. Remove the sentence, or add the limit."
    case .requiredFromAddress:
      "An address may lack the field, and people see no control for it. Give it a default, or let it be null."
    case .secretFromAddress: "An address is not secret. Remove the secrecy of the field, or let people type the value."
    }
  }
}

/// The control of an HTML form, as data for a template.
public enum FieldControl: Sendable, Equatable {
  case checkbox
  case select([Choice])
  /// All choices at once, of which one is chosen.
  case radio([Choice])
  /// All choices at once, of which several are chosen.
  case checkboxes([Choice])
  /// A `textarea` element: its attributes beside those of every field.
  case textArea(attributes: [Attribute])
  /// A date, a time of day, and an offset from UTC.
  case dateTime
  /// An `input` element: its type, and its attributes beside those of every field.
  case input(type: String, attributes: [Attribute] = [])

  public struct Attribute: Sendable, Equatable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}

extension Value {
  /// The value as the text of a form's field.
  package var fieldText: String { text ?? bool.map { $0 ? "true" : "false" } ?? (isNull ? "" : "\(self)") }
}

/// True or false: the smallest kind, and an example for others.
package struct BooleanKind: FieldKind {
  /// Whether false is refused, as for a consent.
  let isTrue: Bool
  /// Whether a form asks for yes or no, neither of which is chosen at first.
  private let isRadio: Bool

  package init(isTrue: Bool = false, isRadio: Bool = false) { (self.isTrue, self.isRadio) = (isTrue, isRadio) }

  package var type: String { "boolean" }
  package var limits: [FieldLimit] { isTrue ? [.isTrue] : [] }
  package var control: FieldControl {
    isRadio ? .radio([Choice(true, title: Text(.pageYes)), Choice(false, title: Text(.pageNo))]) : .checkbox
  }

  package func shown(_ value: Value) -> Text { Text(value.bool == true ? .pageYes : .pageNo) }

  package func value(from text: String) -> Value { text == "true" ? true : text == "false" ? false : Value(text) }

  package func faults(of value: Value) -> [FieldFault] {
    guard let flag = value.bool else { return [.wrongType(expected: .flag)] }
    return isTrue && !flag ? [.outside(.isTrue)] : []
  }
}

extension Field where Value == Bool {
  /// Declares a consent: true is the only valid value.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, mustBeTrue: Bool, errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: BooleanKind(isTrue: mustBeTrue),
      errors: errors)
  }

  /// Declares a question of yes or no, which a form shows as two choices in the words of the service. In place of a
  /// checkbox, people have to answer.
  ///
  /// - Parameter showsAll: whether a form shows both answers instead of a checkbox.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, showsAll: Bool, isSensitive: Bool = false,
    errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: BooleanKind(isRadio: showsAll),
      isSensitive: isSensitive, errors: errors)
  }
}

extension Bool: FieldValue {
  public static var fieldKind: any FieldKind { BooleanKind() }
  public static var placeholder: Bool { false }
}
