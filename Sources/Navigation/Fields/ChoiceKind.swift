public import Values

/// A text, a whole number or a boolean that is one of several choices.
package struct ChoiceKind: FieldKind {
  let choices: [Choice]
  /// Whether a form shows all choices at once.
  private let isRadio: Bool
  /// The kind of the values, whose limits the choices have, too.
  private let base: any FieldKind

  package init(_ choices: [Choice], isRadio: Bool = false, of base: any FieldKind = TextKind()) {
    (self.choices, self.isRadio, self.base) = (choices, isRadio, base)
  }

  package var type: String { base.type }
  package var format: String? { base.format }
  package var isSecret: Bool { base.isSecret }
  package var limits: [FieldLimit] { base.limits + [.choices(choices)] }
  package var declarationFaults: [DeclarationFault] { choices.faults(of: base) + base.declarationFaults }
  package var control: FieldControl { isRadio ? .radio(choices) : .select(choices) }

  package func value(from text: String) -> Value { base.value(from: text) }

  package func stored(_ value: Value) -> Value { choices.choice(of: value, base)?.value ?? value }

  package func shown(_ value: Value) -> Text { choices.choice(of: value, base)?.title ?? Text(value.fieldText) }

  package func withTexts(_ write: (Text) -> Text) -> any FieldKind {
    ChoiceKind(choices.map { $0.withTexts(write) }, isRadio: isRadio, of: base)
  }

  package func faults(of value: Value) -> [FieldFault] {
    var steps = Pattern.stepLimit
    return faults(of: value, stepsLeft: &steps)
  }

  package func faults(of value: Value, stepsLeft: inout Int) -> [FieldFault] {
    let faults = base.faults(of: value, stepsLeft: &stepsLeft)
    if faults.contains(where: \.isOfType) || choices.choice(of: value, base) != nil { return faults }
    return faults + [.outside(.choices(choices))]
  }
}

/// A value that a ``Field`` can have, and its title for people.
///
///     @Field("Size", choices: ["s", "m", Choice("l", title: "Large", hint: "For many.")]) var size: String
///     @Field("Nights", choices: [1, 2, Choice(7, title: "A week")]) var nights: Int
public struct Choice: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// A text, a whole number or a boolean.
  public let value: Value
  public let title: Text
  /// The explanation of the choice. A menu shows the titles alone.
  public let hint: Text?
  /// Whether the choice, where people have several, cannot be combined with others.
  public let excludesOthers: Bool

  /// - Parameter title: the value itself unless given.
  public init(_ value: String, title: Text? = nil, hint: Text? = nil, excludesOthers: Bool = false) {
    self.init(value: Value(value), title: title, hint: hint, excludesOthers: excludesOthers)
  }

  /// - Parameter title: the value itself unless given.
  public init(_ value: Int, title: Text? = nil, hint: Text? = nil, excludesOthers: Bool = false) {
    self.init(value: Value(value), title: title, hint: hint, excludesOthers: excludesOthers)
  }

  public init(_ value: Bool, title: Text, hint: Text? = nil) {
    self.init(value: Value(value), title: title, hint: hint)
  }

  package init(value: Value, title: Text? = nil, hint: Text? = nil, excludesOthers: Bool = false) {
    self.value = value
    self.title = title ?? Text(value.fieldText)
    self.hint = hint
    self.excludesOthers = excludesOthers
  }

  public init(stringLiteral value: String) { self.init(value) }
  public init(integerLiteral value: Int) { self.init(value) }

  func withTexts(_ write: (Text) -> Text) -> Choice {
    Choice(value: value, title: write(title), hint: hint.map(write), excludesOthers: excludesOthers)
  }

  /// The JSON Schema of the value, with the texts for people.
  fileprivate var schema: Value {
    .object(
      [("const", value), ("title", Value(title.string))]
        + (hint.map { [("description", Value($0.string))] } ?? []))
  }
}

extension [Choice] {
  /// The JSON Schemas of the choices; nil if none has a text beside its value.
  var schemas: [Value]? { contains { $0.title.string != $0.value.fieldText || $0.hint != nil } ? map(\.schema) : nil }

  /// The JSON Schema of a value, as far as it is a type.
  var itemType: Value { first?.value.kind == .integer ? "integer" : "string" }

  /// Returns the choice of a value; nil for a value that is none.
  ///
  /// - Parameter kind: the kind of the values.
  func choice(of value: Value, _ kind: any FieldKind) -> Choice? {
    if let equal = first(where: { $0.value == value }) { return equal }
    // The same characters may have several encodings in Unicode. The declared one counts, as it does in JSON Schema.
    if let text = value.text { return first { $0.value.text == text } }
    let stored = kind.stored(value)
    return first { $0.value == stored }
  }

  /// The faults in the declaration of the choices.
  ///
  /// - Parameter kind: the kind of the values.
  func faults(of kind: any FieldKind) -> [DeclarationFault] {
    let repeated = map(\.value.fieldText).repeated.map { DeclarationFault.repeatedChoice($0) }
    let others = filter { kind.faults(of: $0.value).contains(where: \.isOfType) }
    return (isEmpty ? [.noChoices] : []) + repeated
      + others.map { DeclarationFault.choiceOfOtherType($0.value.fieldText) }
  }
}

extension FieldFault {
  /// Whether the value is of another type.
  fileprivate var isOfType: Bool { if case .wrongType = fact { true } else { false } }
}

/// A type of fields that take choices: `String`, `Int` or `Bool`, or an optional of these.
public protocol ChoiceValue: FieldValue {}

extension Bool: ChoiceValue {}
extension Optional: ChoiceValue where Wrapped: ChoiceValue {}

extension Field where Value: ChoiceValue {
  /// Declares a value that is one of several choices: at least one, and none twice.
  ///
  /// - Parameter showsAll: whether a form shows all choices at once instead of a menu.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, choices: [Choice], showsAll: Bool = false,
    isSensitive: Bool = false, errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: ChoiceKind(choices, isRadio: showsAll, of: Value.fieldKind), isSensitive: isSensitive, errors: errors)
  }
}

/// An enumeration of strings or of whole numbers, a type of fields whose choices are its cases: `enum Size: String,
/// FieldChoice { case s, m, l }`.
public protocol FieldChoice: FieldValue, RawRepresentable, CaseIterable where RawValue: ChoiceValue {
  /// The choice as people read it; the raw value unless declared.
  var title: Text { get }
  /// The explanation of the choice; none unless declared.
  var hint: Text? { get }
  /// Whether the choice, in a list of several, cannot be combined with others; false unless declared.
  var excludesOthers: Bool { get }
}

extension FieldChoice {
  public var title: Text { "\(rawValue)" }
  public var hint: Text? { nil }
  public var excludesOthers: Bool { false }
  // An enumeration without cases has no values, so no field of its type can be made.
  public static var placeholder: Self { allCases.first! }
  public static var fieldKind: any FieldKind { ChoiceKind(choices, of: RawValue.fieldKind) }
  /// The cases with their titles and hints.
  public static var choices: [Choice] {
    allCases.compactMap { one in
      guard let value = try? Value(encoding: one.rawValue) else { return nil }
      return Choice(value: value, title: one.title, hint: one.hint, excludesOthers: one.excludesOthers)
    }
  }
}

extension Field where Value: FieldChoice {
  /// Declares one of the cases, which a form shows all at once instead of in a menu.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, showsAll: Bool, isSensitive: Bool = false,
    errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: ChoiceKind(Value.choices, isRadio: showsAll, of: Value.RawValue.fieldKind), isSensitive: isSensitive,
      errors: errors)
  }
}
