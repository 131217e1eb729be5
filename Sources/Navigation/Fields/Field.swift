internal import Values

/// A field of an input, declared once. Its title, type and limits serve validation, the JSON Schema that clients see,
/// and their forms (JSON Schema 2020-12, Validation).
///
///     @Field("Product", in: 0...2) var product: Int
///     @Field("Amount", exclusiveMinimum: 0, maximum: 10_000) var amount: Double
///     @Field("Name", length: 1...80) var name: String
///     @Field("Account", choices: ["a1", "a2"]) var accountId: String
///     @Field("PIN", digits: 4, isSecret: true) var pin: String
///
/// A field is required unless its type is optional or the property has a default, as in
/// `@Field("Cups", in: 1...9) var cups: Int = 1`. An input without the field then has the default.
///
/// The app receives the value of a secret field. Clients hide the value as it is typed, and histories show bullets
/// instead. The store keeps the value as it is, because a retry is compared with it. Usher does not hide a value that
/// the app puts on a screen, nor the text of a deep link. A sensitive field, such as an insurance number, is shown as it
/// is typed. Histories and the console show bullets instead, as they do for a secret one.
///
/// An action in the steps of a ``Link`` takes its fields by their names: a field of the link with `$`, or any other
/// value.
///
///     OpenAccount(accountId: $accountId)
///     OpenAccount(accountId: Field(value: "a1"))
@propertyWrapper
public struct Field<Value: FieldValue>: Sendable, Codable, DeclaredField {
  public var wrappedValue: Value
  /// The field itself, for a field of another input.
  public var projectedValue: Self { self }
  /// Nil in a decoded field: only the property in the author's source has a declaration. An object, so that a decoded
  /// field carries one nil pointer and no limits.
  private let declaration: FieldDeclaration?

  /// Declares a field of any kind. A kind of an app's own comes with an initializer that calls this one.
  ///
  /// - Parameters:
  ///   - wrappedValue: the default, which stands behind the property; nil for none.
  ///   - isSensitive: whether histories and the console hide the value, which clients show.
  ///   - autofill: the personal data that a browser or a phone may fill in.
  ///   - isFromAddress: whether only a start address fills in the field, such as `utm_source`, and people see no control
  ///     for it. Only the input of an app has such fields, optional or with a default.
  ///   - errors: the field's own sentences for its errors.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, kind: any FieldKind, isSensitive: Bool = false,
    autofill: Autofill? = nil, isFromAddress: Bool = false, errors: FieldErrors = [:]
  ) {
    self.wrappedValue = wrappedValue ?? .placeholder
    declaration = FieldDeclaration(
      FieldSchema(
        "", title: title, description: description, kind: kind, isNullable: !Value.isRequired, isSensitive: isSensitive,
        autofill: autofill, isFromAddress: isFromAddress, errors: errors,
        defaultValue: wrappedValue.flatMap { try? Values.Value(encoding: $0) }))
  }

  /// Creates a field with a value and without limits, for an action that the app itself makes.
  public init(value: Value) {
    wrappedValue = value
    declaration = nil
  }

  /// Declares a field that takes any value of its type.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, isSensitive: Bool = false,
    autofill: Autofill? = nil, isFromAddress: Bool = false, errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: Value.fieldKind, isSensitive: isSensitive,
      autofill: autofill, isFromAddress: isFromAddress, errors: errors)
  }

  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    declaration = nil
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }

  func schema(named name: String) -> FieldSchema? { declaration?.schema.named(name) }
}

/// A type of a ``Field``: `Int`, `Double`, `String`, `Bool`, an enumeration of `String` or `Int` cases, or an optional
/// of these.
public protocol FieldValue: Codable, Sendable {
  /// The kind of a field without limits.
  static var fieldKind: any FieldKind { get }
  /// The value of a field until an input is decoded into it.
  static var placeholder: Self { get }
  static var isRequired: Bool { get }
}

extension FieldValue {
  public static var isRequired: Bool { true }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  public static var fieldKind: any FieldKind { Wrapped.fieldKind }
  public static var placeholder: Wrapped? { nil }
  public static var isRequired: Bool { false }
}

private final class FieldDeclaration: Sendable {
  /// The schema without a name, which the property has.
  let schema: FieldSchema

  init(_ schema: FieldSchema) { self.schema = schema }
}

/// The personal data of a field, which browsers and phones can fill in (HTML, section 4.10.18.7.1).
public enum Autofill: String, Sendable {
  case name
  case givenName = "given-name"
  case familyName = "family-name"
  case organization
  case streetAddress = "street-address"
  case postalCode = "postal-code"
  case city = "address-level2"
  case country = "country-name"
  case birthday = "bday"
  case email
  case phone = "tel"
  case url
  case username
  case currentPassword = "current-password"
  case newPassword = "new-password"
  case oneTimeCode = "one-time-code"
}

/// A property that carries the declaration of a field.
protocol DeclaredField {
  /// Returns the field that is declared, under the name of its property; nil for a decoded field.
  func schema(named name: String) -> FieldSchema?
}
