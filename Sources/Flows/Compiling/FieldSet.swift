internal import CEL
internal import JSONSchema
internal import Values

/// A declared field with its type.
struct FieldDeclarationModel: Sendable {
  let name: YAMLKey
  let node: YAMLNode
  let type: CEL.ValueType
  /// Nil for a schema with a fault.
  let schema: JSONSchema?
  /// The value of a field that is not given; nil if it has to be. A field that may be null is null.
  let defaultValue: Value?
}

/// Declared fields in their order.
struct FieldSet: Sendable {
  let fields: [FieldDeclarationModel]

  init(_ fields: [FieldDeclarationModel] = []) { self.fields = fields }

  subscript(name: String) -> FieldDeclarationModel? { fields.first { $0.name.name == name } }

  var names: [String] { fields.map(\.name.name) }

  var types: [String: CEL.ValueType] {
    Dictionary(fields.map { ($0.name.name, $0.type) }) { first, _ in first }
  }

  /// The type of a value with these fields.
  func objectType(named name: String) -> CEL.ValueType {
    .object(CEL.ObjectType(name, types.mapValues { CEL.ObjectType.Field($0) }))
  }

  /// Throws if a stored value does not have these fields.
  func check(_ value: Value) throws {
    for field in fields {
      let found = value[field.name.name] ?? .null
      if found.isNull, field.type.acceptsNull || field.defaultValue != nil { continue }
      guard let fault = field.schema?.faults(of: found).first else { continue }
      throw ResultError("\(field.name.name)\(fault.pointer) \(fault.message).")
    }
  }
}

extension CEL.ValueType {
  var acceptsNull: Bool {
    switch self {
    case .null, .dyn, .nullable: true
    default: false
    }
  }

  /// The type without null.
  var nonNull: CEL.ValueType { if case .nullable(let type) = self { type } else { self } }
}
