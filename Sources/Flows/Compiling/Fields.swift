internal import CEL
internal import JSONSchema
internal import Navigation
internal import Values
internal import YAML

/// A declared field with its type.
struct FieldDeclarationModel: Sendable {
  let name: YAMLKey
  let node: YAMLNode
  let type: CEL.ValueType
  /// The schema of the values; nil if it has a fault.
  let schema: JSONSchema?
  /// The value of a field that is not given; nil if it has to be. A field that may be null is null.
  let defaultValue: Value?
  /// Whether the schema demands more of a value than its type.
  var hasLimits = false

  /// Returns the keyword of a limit of another field that values of this one may exceed. Only numbers and free texts are
  /// compared: a pattern, a format or choices may imply the limit.
  func limit(exceeding other: FieldDeclarationModel) -> String? {
    guard node["$ref"] == nil, other.node["$ref"] == nil else { return nil }
    let implied = ["pattern", "format", "enum", "oneOf", "choices", "const"]
    guard implied.allSatisfy({ node[$0] == nil }) else { return nil }
    func bound(_ keyword: String, _ node: YAMLNode) -> Double? { node[keyword]?.value.double }
    // A required text has a character.
    let atLeast: [(keyword: String, least: Double)] = [("minimum", -.infinity), ("minLength", 1), ("minItems", 0)]
    for (keyword, least) in atLeast {
      if let limit = bound(keyword, other.node), (bound(keyword, node) ?? least) < limit { return keyword }
    }
    for keyword in ["maximum", "maxLength", "maxItems"] {
      if let limit = bound(keyword, other.node), (bound(keyword, node) ?? .infinity) > limit { return keyword }
    }
    return ["pattern", "format", "enum"].first { other.node[$0] != nil }
  }
}

/// Declared fields in their order.
typealias FieldSet = Declarations<FieldDeclarationModel>

extension FieldSet {
  init(_ fields: [FieldDeclarationModel] = []) { self.init(fields, by: \.name.name) }

  /// The schemas by the names of the fields, as they are written.
  var declaration: Value { .object(map { ($0.name.name, $0.node.value) }) }

  /// The values of the fields before they are set.
  var defaults: [(String, Value)] { map { ($0.name.name, $0.defaultValue ?? .null) } }

  var types: [String: CEL.ValueType] {
    Dictionary(map { ($0.name.name, $0.type) }) { first, _ in first }
  }

  /// The type of a value with these fields.
  func objectType(named name: String) -> CEL.ValueType {
    .object(CEL.ObjectType(name, types.mapValues { CEL.ObjectType.Field($0) }))
  }

  /// Returns the stored values of another version as values of these fields: without those that are no longer declared,
  /// and with the defaults of those that are new.
  ///
  /// - Throws: for a value that does not have its schema, and for a field without a value and a default.
  func adapted(_ values: Value) throws -> [(String, Value)] {
    try map { field in
      let name = field.name.name
      if let value = values[name]?.converted(to: field.type), !value.isNull {
        if let fault = field.schema?.faults(of: value).first {
          throw ResultError("\(name)\(field.type.publicPath(fault.pointer)) \(fault.message).")
        }
        return (name, value)
      }
      // A state that is null stays so.
      if values[name] != nil, field.type.acceptsNull { return (name, .null) }
      guard let value = field.defaultValue else { throw ResultError("\(name) has no value and no default.") }
      return (name, value)
    }
  }

  /// The adaptation of values that have these fields only.
  func schema(named name: String) -> SchemaDefinition {
    SchemaDefinition(name) { try Value(members: try adapted($0)) }
  }
}

extension CEL.ValueType {
  var acceptsNull: Bool {
    switch self {
    case .null, .dyn, .nullable: true
    default: false
    }
  }
}

/// The declaration of a field, with that of the type to which it refers.
struct FieldSource {
  let name: String
  let node: YAMLNode
  /// The schema of `$ref`.
  let reference: YAMLNode?
  let mark: SourceMark
  /// Whether the field is a question of a journey, whose title may depend on answers.
  var isQuestion = false

  init(_ entry: YAMLNode.Entry, types: [String: YAMLNode]) {
    (name, node, mark) = (entry.key.name, entry.value, entry.key.mark)
    reference = node.reference(in: types)
  }

  /// The value of a keyword, of the field itself before that of its type.
  subscript(keyword: String) -> YAMLNode? { node[keyword] ?? reference?[keyword] }

  func text(_ keyword: String) -> TextModel? { self[keyword].map { TextModel($0) } }

  func number(_ keyword: String) -> Double? { self[keyword]?.value.double }

  /// The name of the type without null.
  var typeName: String? {
    guard let type = self["type"] else { return nil }
    return type.text ?? type.elements?.compactMap(\.text).first { $0 != "null" }
  }

  var isNullable: Bool {
    (self["type"]?.elements?.contains { $0.text == "null" } ?? false) || (self["default"]?.isNull ?? false)
  }
}

extension YAMLNode {
  /// Returns the schema to which `$ref` leads, through other types.
  func reference(in types: [String: YAMLNode]) -> YAMLNode? {
    var node: YAMLNode? = self
    // A circle of references is a fault of the schema.
    for _ in 0...types.count {
      guard let target = node?["$ref"]?.text, target.hasPrefix("#/types/") else { break }
      node = types[String(target.dropFirst("#/types/".count))]
    }
    return self["$ref"] == nil ? nil : node
  }
}
