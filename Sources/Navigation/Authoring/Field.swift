/// A field of an action's input, declared once: its label, type and limits serve validation, the JSON Schema that
/// clients see, and their forms (JSON Schema 2020-12, Validation).
///
///     @Field("Product", in: 0...2) var product: Int
///     @Field("Name", length: 1...80) var name: String
///     @Field("Account", choices: ["a1", "a2"]) var accountId: String
///     @Field("PIN", digits: 4, isSecret: true) var pin: String
///
/// A field is required unless its type is optional. What is typed into a secret one is given to the app and shown to nobody:
/// clients hide it as it is typed, and histories have bullets in its place. It is stored as it is, because a retry is compared with
/// it; and what an app puts on a screen is shown, as is the text of a deep link.
///
/// An action that a ``Link`` does takes its fields by their names: a field of the link with `$`, or any other value.
///
///     OpenAccount(accountId: $accountId)
///     OpenAccount(accountId: Field(value: "a1"))
@propertyWrapper
public struct Field<Value: FieldValue>: Sendable {
  public var wrappedValue: Value
  /// The field itself, to be handed on to the field of another input.
  public var projectedValue: Self { self }
  /// Nil in a decoded field: only the one that the author wrote carries its declaration.
  private let declaration: FieldDeclaration?

  init(_ rules: FieldRules, initial: Value = .placeholder) {
    wrappedValue = initial
    declaration = FieldDeclaration(rules: rules, type: Value.fieldType, isRequired: Value.isRequired)
  }

  /// A field that has a value and no rules: for an action that the app itself makes.
  public init(value: Value) {
    wrappedValue = value
    declaration = nil
  }

  /// Any value of the type.
  public init(_ title: Text, description: Text? = nil) {
    self.init(FieldRules(title: title, description: description, choices: Value.fieldChoices))
  }
}

extension Field where Value: WholeNumber {
  public init(_ title: Text, description: Text? = nil, in range: ClosedRange<Int>) {
    self.init(
      FieldRules(
        title: title, description: description, minimum: Double(range.lowerBound), maximum: Double(range.upperBound)))
  }
}

extension Field where Value: RealNumber {
  /// - Parameters:
  ///   - above: the value is greater than this.
  ///   - least: the value is at least this.
  ///   - most: the value is at most this.
  public init(
    _ title: Text, description: Text? = nil, above: Double? = nil, least: Double? = nil, most: Double? = nil
  ) {
    self.init(
      FieldRules(title: title, description: description, minimum: least, exclusiveMinimum: above, maximum: most))
  }
}

extension Field where Value: TextLike {
  /// - Parameter length: in Unicode code points.
  public init(_ title: Text, description: Text? = nil, length: ClosedRange<Int>, isSecret: Bool = false) {
    self.init(FieldRules(title: title, description: description, length: length, isSecret: isSecret))
  }

  /// Exactly `digits` ASCII digits, such as a PIN.
  public init(_ title: Text, description: Text? = nil, digits: Int, isSecret: Bool = false) {
    self.init(
      FieldRules(
        title: title, description: description, length: digits...max(digits, 0), digitsOnly: true, isSecret: isSecret))
  }

  /// One of the choices, which are neither empty nor repeated.
  public init(_ title: Text, description: Text? = nil, choices: [Choice]) {
    self.init(FieldRules(title: title, description: description, choices: choices))
  }
}

extension Field: Codable {
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    declaration = nil
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Field: DeclaredField {
  var fieldDeclaration: FieldDeclaration? { declaration }
}
