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
struct FieldRules: Sendable, Equatable {
  var title: Text
  var description: Text?
  var minimum: Double?
  var exclusiveMinimum: Double?
  var maximum: Double?
  /// In Unicode code points.
  var length: ClosedRange<Int>?
  var digitsOnly = false
  var choices: [String]?
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

  init(of input: Any) {
    var fields: [FieldSchema] = []
    for child in Mirror(reflecting: input).children {
      // A wrapped property `name` is stored as `_name`.
      let label = child.label ?? ""
      if let declaration = (child.value as? any DeclaredField)?.fieldDeclaration {
        fields.append(FieldSchema(name: String(label.drop { $0 == "_" }), declaration))
      } else {
        undeclared.append(label)
      }
    }
    schema = InputSchema(fields: fields)
  }
}
