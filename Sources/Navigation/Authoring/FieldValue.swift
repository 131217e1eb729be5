/// A type that a ``Field`` can have: `Int`, `Double`, `String`, `Bool`, a `String` enumeration of cases, or an optional
/// of these.
public protocol FieldValue: Codable, Sendable {
  static var fieldType: FieldType { get }
  /// Stands in a field until an input is decoded into it.
  static var placeholder: Self { get }
  static var isRequired: Bool { get }
  static var fieldChoices: [Choice]? { get }
}

/// The JSON Schema type of a field.
public enum FieldType: String, Sendable { case integer, number, string, boolean }

extension FieldValue {
  public static var isRequired: Bool { true }
  public static var fieldChoices: [Choice]? { nil }
}

/// The field types that a range of whole numbers fits.
public protocol WholeNumber: FieldValue {}
/// The field types that limits of real numbers fit.
public protocol RealNumber: FieldValue {}
/// The field types that a length, digits or choices fit.
public protocol TextLike: FieldValue {}

extension Int: WholeNumber {
  public static var fieldType: FieldType { .integer }
  public static var placeholder: Int { 0 }
}

extension Double: RealNumber {
  public static var fieldType: FieldType { .number }
  public static var placeholder: Double { 0 }
}

extension String: TextLike {
  public static var fieldType: FieldType { .string }
  public static var placeholder: String { "" }
}

extension Bool: FieldValue {
  public static var fieldType: FieldType { .boolean }
  public static var placeholder: Bool { false }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  public static var fieldType: FieldType { Wrapped.fieldType }
  public static var placeholder: Wrapped? { nil }
  public static var isRequired: Bool { false }
  public static var fieldChoices: [Choice]? { Wrapped.fieldChoices }
}

extension Optional: WholeNumber where Wrapped: WholeNumber {}
extension Optional: RealNumber where Wrapped: RealNumber {}
extension Optional: TextLike where Wrapped: TextLike {}

/// An enumeration of strings is a field whose choices are its cases: `enum Size: String, FieldChoice { case s, m, l }`.
public protocol FieldChoice: FieldValue, RawRepresentable, CaseIterable where RawValue == String {
  /// What people read; the raw value unless the author says otherwise.
  var title: Text { get }
}

extension FieldChoice {
  public var title: Text { Text(rawValue) }
  public static var fieldType: FieldType { .string }
  // An enumeration without cases has no values, so no field of its type can be made.
  public static var placeholder: Self { allCases.first! }
  public static var fieldChoices: [Choice]? { allCases.map { Choice($0.rawValue, title: $0.title) } }
}
