package import Values

/// A text that is one of several choices.
package struct ChoiceKind: TextualKind {
  let choices: [Choice]
  /// Whether a form shows all choices at once.
  private let isRadio: Bool
  /// The kind whose limits the choices have, too.
  private let base: any TextualKind

  package init(_ choices: [Choice], isRadio: Bool = false, of base: any TextualKind = TextKind()) {
    (self.choices, self.isRadio, self.base) = (choices, isRadio, base)
  }

  package var format: String? { base.format }
  package var isSecret: Bool { base.isSecret }
  package var length: TextLength { base.length }
  package var limits: [FieldLimit] { base.limits + [.choices(choices)] }
  package var declarationFaults: [DeclarationFault] { choices.declarationFaults + base.declarationFaults }
  package var control: FieldControl { isRadio ? .radio(choices) : .select(choices) }

  // A choice is not a typed text.
  package func cleaned(_ value: Value) -> Value { value }

  package func stored(_ value: Value) -> Value {
    // The same characters may have several encodings in Unicode. The declared one counts, as it does in JSON Schema.
    choices.first { $0.value == value.text }.map { Value($0.value) } ?? value
  }

  package func shown(_ value: Value) -> [Text] {
    [choices.first { $0.value == value.text }?.title ?? Text(value.fieldText)]
  }

  package func limited(to choices: [Choice]) -> (any FieldKind)? { nil }

  package func withTexts(_ write: (Text) -> Text) -> any FieldKind {
    ChoiceKind(choices.map { $0.withTexts(write) }, isRadio: isRadio, of: base)
  }

  package func faults(ofText text: String, stepsLeft: inout Int) -> [FieldFault] {
    let isChoice = choices.contains { $0.value == text }
    return base.faults(ofText: text, stepsLeft: &stepsLeft) + (isChoice ? [] : [.outside(.choices(choices))])
  }
}

/// A text that a ``Field`` can have, and its title for people.
///
///     @Field("Size", choices: ["s", "m", Choice("l", title: "Large", hint: "For many.")]) var size: String
public struct Choice: Sendable, Equatable, ExpressibleByStringLiteral {
  public let value: String
  public let title: Text
  /// The explanation of the choice. A menu shows the titles alone.
  public let hint: Text?
  /// Whether the choice, where people have several, cannot be combined with others.
  public let excludesOthers: Bool

  /// - Parameter title: the value itself unless given.
  public init(_ value: String, title: Text? = nil, hint: Text? = nil, excludesOthers: Bool = false) {
    self.value = value
    self.title = title ?? Text(value)
    self.hint = hint
    self.excludesOthers = excludesOthers
  }

  public init(stringLiteral value: String) { self.init(value) }

  func withTexts(_ write: (Text) -> Text) -> Choice {
    Choice(value, title: write(title), hint: hint.map(write), excludesOthers: excludesOthers)
  }

  /// The JSON Schema of the value, with the texts for people.
  fileprivate var schema: Value {
    .object(
      [("const", Value(value)), ("title", Value(title.string))]
        + (hint.map { [("description", Value($0.string))] } ?? []))
  }
}

extension [Choice] {
  /// The JSON Schemas of the choices; nil if none has a text beside its value.
  var schemas: [Value]? { contains { $0.title.string != $0.value || $0.hint != nil } ? map(\.schema) : nil }

  /// The faults in the declaration of the choices.
  var declarationFaults: [DeclarationFault] {
    (isEmpty ? [.noChoices] : []) + map(\.value).repeated.map { .repeatedChoice($0) }
  }
}

extension Field where Value: TextLike {
  /// Declares a text that is one of several choices: at least one, and none twice.
  ///
  /// - Parameter showsAll: whether a form shows all choices at once instead of a menu.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, choices: [Choice], showsAll: Bool = false,
    isSensitive: Bool = false, errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: ChoiceKind(choices, isRadio: showsAll),
      isSensitive: isSensitive, errors: errors)
  }
}

/// An enumeration of strings, a type of fields whose choices are its cases: `enum Size: String, FieldChoice { case s,
/// m, l }`.
public protocol FieldChoice: FieldValue, RawRepresentable, CaseIterable where RawValue == String {
  /// The choice as people read it; the raw value unless declared.
  var title: Text { get }
  /// The explanation of the choice; none unless declared.
  var hint: Text? { get }
  /// Whether the choice, in a list of several, cannot be combined with others; false unless declared.
  var excludesOthers: Bool { get }
}

extension FieldChoice {
  public var title: Text { Text(rawValue) }
  public var hint: Text? { nil }
  public var excludesOthers: Bool { false }
  // An enumeration without cases has no values, so no field of its type can be made.
  public static var placeholder: Self { allCases.first! }
  public static var fieldKind: any FieldKind { ChoiceKind(choices) }
  /// The cases with their titles and hints.
  public static var choices: [Choice] {
    allCases.map { Choice($0.rawValue, title: $0.title, hint: $0.hint, excludesOthers: $0.excludesOthers) }
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
      kind: ChoiceKind(Value.choices, isRadio: showsAll), isSensitive: isSensitive, errors: errors)
  }
}
