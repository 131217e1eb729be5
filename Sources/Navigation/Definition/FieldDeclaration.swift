internal import Values

/// What an author wrote beside a field. A class, so that a decoded field carries one nil pointer and no rules.
final class FieldDeclaration: Sendable {
  let rules: FieldRules
  let type: FieldType
  let isRequired: Bool

  init(rules: FieldRules, type: FieldType, isRequired: Bool) {
    self.rules = rules
    self.type = type
    self.isRequired = isRequired
  }
}

/// The limits of a field; nil where there is none.
public struct FieldRules: Sendable, Equatable {
  public internal(set) var title: Text
  public internal(set) var description: Text?
  public internal(set) var minimum: Double?
  public internal(set) var exclusiveMinimum: Double?
  public internal(set) var maximum: Double?
  /// In Unicode code points.
  public internal(set) var length: ClosedRange<Int>?
  public internal(set) var digitsOnly = false
  public internal(set) var choices: [Choice]?
  /// Whether nobody is to read what was typed, as in ``Field``.
  public internal(set) var isSecret = false
}

/// A property that carries a field's declaration.
protocol DeclaredField {
  var fieldDeclaration: FieldDeclaration? { get }
}

/// The fields of an input type, read from a fresh value of it.
struct FieldDeclarations: Sendable {
  var schema: InputSchema
  /// The stored properties that are no ``Field``s.
  var undeclared: [String] = []
  /// The fields that are encoded under another name than their property's: no input under the declared one reaches them.
  var renamed: [String] = []

  init<Input: Encodable>(of input: Input) {
    let encoded = try? Value(encoding: input)
    var fields: [FieldSchema] = []
    for child in Mirror(reflecting: input).children {
      // A wrapped property `name` is stored as `_name`.
      let label = child.label ?? ""
      if let declaration = (child.value as? any DeclaredField)?.fieldDeclaration {
        let name = String(label.hasPrefix("_") ? label.dropFirst() : label[...])
        fields.append(FieldSchema(name: name, declaration))
        if encoded?[name] == nil { renamed.append(name) }
      } else {
        undeclared.append(label)
      }
    }
    schema = InputSchema(fields: fields)
  }
}
