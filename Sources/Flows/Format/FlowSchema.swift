internal import Values
internal import YAML

/// The JSON Schema of `flow.yaml` (2020-12), with which editors complete and check a file while it is typed.
package enum FlowSchema {
  /// The schema as JSON.
  package static let json = document.json

  static var document: Value {
    var schema = SchemaWriter()
    let flow = schema.object(FlowModel.form.table)
    return .object(
      [
        ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "Usher flow"),
        ("description", Value(FlowModel.form.table.summary)),
      ] + flow.members.map { ($0.key, $0.value) } + [("$defs", .object(schema.definitions))])
  }
}

private struct SchemaWriter {
  private(set) var definitions: [(String, Value)] = []

  private static let expression: Value = ["type": "string", "pattern": "^="]

  mutating func object(_ object: FormatTable) -> Value {
    var properties: [(String, Value)] = []
    for key in object.keys {
      let value = schema(key.value)
      let described = [("description", Value(key.summary))] + value.members.map { ($0.key, $0.value) }
      properties.append((key.name, .object(described)))
    }
    let required = object.keys.filter(\.isRequired).map { Value($0.name) }
    return .object(
      [("type", "object"), ("properties", .object(properties)), ("additionalProperties", false)]
        + (required.isEmpty ? [] : [("required", .array(required))]))
  }

  mutating func schema(_ value: FormatValue) -> Value {
    switch value {
    case .text: return reference("text") { schema in schema.text() }
    case .string, .name: return ["type": "string"]
    case .expression("any"), .value: return .emptyObject
    case .expression: return Self.expression
    case .schema: return schema(.object(SchemaFormat.schema))
    case .fields: return schema(.map(of: "NAME", .schema))
    case .inputs: return schema(.map(of: "NAME", .object(SchemaFormat.field)))
    case .duration: return ["type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"]
    case .pauses: return ["type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)(\\.\\.[0-9]+(ms|s|m|h|d))?$"]
    case .boolean: return ["type": "boolean"]
    case .integer(let range):
      return .object([("type", "integer"), ("minimum", Value(range.lowerBound)), ("maximum", Value(range.upperBound))])
    case .choice(let choices): return .object([("enum", .array(choices.map { Value($0) }))])
    case .commands: return reference("commands") { schema in schema.list(of: CommandModel.forms.tables) }
    case .blocks: return reference("blocks") { schema in schema.list(of: BlockModel.forms.tables) }
    case .object(let object): return reference(object.name) { schema in schema.object(object) }
    case .map(_, let value): return .object([("type", "object"), ("additionalProperties", schema(value))])
    case .list(let value): return .object([("type", "array"), ("items", schema(value))])
    case .either(let values): return .object([("anyOf", .array(values.map { schema($0) }))])
    case .null: return ["type": "null"]
    }
  }

  /// Returns a reference to a definition, which is written once.
  private mutating func reference(_ name: String, _ write: (inout SchemaWriter) -> Value) -> Value {
    if !definitions.contains(where: { $0.0 == name }) {
      let index = definitions.count
      // Present before it is written, because it may contain itself.
      definitions.append((name, .null))
      definitions[index].1 = write(&self)
    }
    return .object([("$ref", Value("#/$defs/\(name)"))])
  }

  private mutating func text() -> Value {
    let forms = TextModel.forms.tables.map { object($0) }
    return .object([("anyOf", .array([["type": "string"]] + forms))])
  }

  /// A list of mappings that their first key tells from each other. A mapping whose first key takes null may be a text.
  private mutating func list(of tables: [FormatTable]) -> Value {
    let plain = tables.filter { $0.keys[0].value.takesNull }.map { Value($0.name) }
    var forms: [Value] = plain.isEmpty ? [] : [.object([("enum", .array(plain))])]
    for table in tables { forms.append(variant(table)) }
    return .object([("type", "array"), ("items", .object([("anyOf", .array(forms))]))])
  }

  /// An object that its first key tells from others.
  private mutating func variant(_ object: FormatTable) -> Value {
    let schema = self.object(object)
    if object.keys[0].isRequired { return schema }
    return .object(schema.members.map { ($0.key, $0.value) } + [("required", .array([Value(object.name)]))])
  }
}
