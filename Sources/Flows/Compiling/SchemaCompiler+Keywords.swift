internal import CEL
internal import JSONSchema
internal import Navigation
internal import Values
internal import YAML

// The subset of JSON Schema that flows have.
extension SchemaCompiler {
  /// The keywords of JSON Schema that flows have.
  private static let keywords = Set(SchemaFormat.schema.keys.map(\.name))

  /// The keywords of the fields of forms, beside those of JSON Schema.
  static let formKeywords = Set(SchemaFormat.formKeys.map(\.name)).subtracting(keywords)

  /// The words for keywords of forms that other formats have.
  private static let otherWords = [
    "required": "A field is required unless it has a default or a type such as [string, \"null\"]. Remove the keyword.",
    "optional": "Write a type such as [string, \"null\"] for a field that may be empty.",
    "label": "Write title.", "hint": "Write description.", "mustBeTrue": "Write const: true.",
    "options": "Write enum, oneOf or choices.",
  ]

  /// The keywords of JSON Schema that flows do not have.
  private static let otherKeywords: Set<String> = [
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$schema", "$vocabulary", "allOf", "anyOf",
    "contains", "contentEncoding", "contentMediaType", "contentSchema", "definitions", "dependencies",
    "dependentRequired", "dependentSchemas", "deprecated", "else", "exclusiveMaximum", "if", "maxContains",
    "maxProperties", "minContains", "minProperties", "multipleOf", "not", "nullable", "patternProperties",
    "prefixItems", "propertyNames", "readOnly", "then", "unevaluatedItems", "unevaluatedProperties",
  ]

  /// Reports keywords that do not exist, and references to unknown types.
  ///
  /// - Parameters:
  ///   - isForm: whether the schema is that of a field of a form, which has further keywords.
  ///   - isChoice: whether the schema is one of `oneOf`.
  /// - Returns: whether the schema has no fault so far.
  func hasKnownKeywords(_ node: YAMLNode, isForm: Bool = false, isChoice: Bool = false) -> Bool {
    guard let entries = node.entries else { return !node.isInvalid }
    var isSound = true
    if let properties = node["properties"] {
      for name in node["required"]?.elements ?? [] {
        guard let key = name.key, properties.entry(key.name) == nil else { continue }
        unknown("property", key, of: "schema", among: (properties.entries ?? []).map(\.key.name))
        isSound = false
      }
    }
    for entry in entries {
      let isKnown = Self.keywords.contains(entry.key.name) || isForm && Self.formKeywords.contains(entry.key.name)
      if isForm, let advice = Self.otherWords[entry.key.name] {
        fault(entry.key.mark, "A field of a form has no \(entry.key.name). \(advice)")
        isSound = false
        continue
      }
      if !isChoice, entry.key.name == Self.keywordOfChoices {
        fault(entry.key.mark, "Only a choice of oneOf has \(entry.key.name). Remove the keyword.")
        isSound = false
        continue
      }
      if !isKnown { unknownKeyword(entry.key, isForm: isForm) }
      isSound = isKnown && hasKnownKeywords(inValueOf: entry) && isSound
    }
    return isSound
  }

  private func hasKnownKeywords(inValueOf entry: YAMLNode.Entry) -> Bool {
    let value = entry.value
    var isSound = !value.isInvalid
    switch entry.key.name {
    case "$ref": return isSound && isKnownReference(value)
    case "properties":
      for property in value.entries ?? [] { isSound = hasKnownKeywords(property.value) && isSound }
    case "items", "additionalProperties": isSound = hasKnownKeywords(value)
    case "oneOf":
      for choice in value.elements ?? [] { isSound = hasKnownKeywords(choice, isChoice: true) && isSound }
      isSound = isSound && areDistinct((value.elements ?? []).compactMap { $0["const"] })
    case Self.keywordOfChoices where value.boolean == nil && isSound:
      fault(value.mark, "The value is \(value.kindName), where true or false is expected.")
      isSound = false
    case "enum": isSound = isSound && areDistinct(value.elements ?? [])
    case "type":
      for type in [value] + (value.elements ?? []) {
        if type.isInvalid { isSound = false }
        guard let name = type.text, TextFormat(rawValue: name) != nil else { continue }
        fault(type.mark, "There is no type \(name). Write string, and add format: \(name).")
        isSound = false
      }
    default: isSound = isSound && !(value.elements ?? []).contains { $0.isInvalid }
    }
    return isSound
  }

  /// The keyword of the choices of forms, which JSON Schema does not have. Forms and data share types with choices.
  private static let keywordOfChoices = "excludesOthers"

  /// Returns a schema as JSON Schema has it.
  static func document(_ schema: YAMLNode) -> Value {
    guard let entries = schema.entries else { return schema.value }
    return .object(
      entries.filter { $0.key.name != keywordOfChoices }.map { ($0.key.name, valueInDocument(of: $0)) })
  }

  private static func valueInDocument(of entry: YAMLNode.Entry) -> Value {
    let value = entry.value
    switch (entry.key.name, value.content) {
    case ("items", _), ("additionalProperties", _): return document(value)
    case ("oneOf", .sequence(let choices)): return .array(choices.map { document($0) })
    case ("properties", .mapping(let entries)):
      return .object(entries.map { ($0.key.name, document($0.value)) })
    default: return value.value
    }
  }

  private func areDistinct(_ elements: [YAMLNode]) -> Bool {
    var values: Set<Value> = []
    for element in elements {
      if element.isInvalid { return false }
      if !values.insert(element.value).inserted {
        fault(element.mark, "The value \(element.value) occurs twice. Remove one of them.")
        return false
      }
    }
    return true
  }

  private func unknownKeyword(_ key: YAMLKey, isForm: Bool) {
    if !isForm, Self.formKeywords.contains(key.name) {
      return fault(key.mark, "The keyword \(key.name) is for the fields of forms. Remove it.")
    }
    if Self.otherKeywords.contains(key.name) {
      return fault(key.mark, "The keyword \(key.name) is not supported. Remove it.")
    }
    let names = isForm ? Self.keywords.union(Self.formKeywords) : Self.keywords
    let advice = advice(for: key.name, among: names, or: "The keywords are \(names.sorted().enumerated).")
    fault(key.mark, "There is no keyword \(key.name.shortened). \(advice)")
  }

  private func isKnownReference(_ node: YAMLNode) -> Bool {
    guard let target = node.text else { return true }
    let prefix = "#/types/"
    let name = target.hasPrefix(prefix) ? String(target.dropFirst(prefix.count)) : target
    if types[name] == nil {
      unknown("type", YAMLKey(name: name, mark: node.mark), among: types.keys.sorted())
      return false
    }
    if target != prefix + name { fault(node.mark, "A reference to a type has a path. Write \"\(prefix)\(name)\".") }
    return target == prefix + name
  }

  /// Returns the fields with any type for those that have a fault.
  func withoutFaultyTypes(_ fields: FieldSet) -> FieldSet {
    FieldSet(
      fields.map { field in
        guard faultySchemas.contains(field.node.mark) else { return field }
        return FieldDeclarationModel(
          name: field.name, node: field.node, type: .dyn, schema: nil, defaultValue: field.defaultValue ?? .null)
      })
  }

  /// Returns the schema of a variable, of a field in it, or of elements; nil for one without a declaration.
  func schema(at path: [String], _ types: ScopeTypes) -> YAMLNode? {
    var (schema, fields) = (YAMLNode?.none, path.dropFirst())
    switch types.declarations[path[0]] {
    case .schema(let node)?: schema = node
    case .fields(let declaration)?: schema = fields.popFirst().flatMap(declaration)
    case nil: break
    }
    for field in fields {
      schema = schema.flatMap { field == CEL.Program.elements ? elements(of: $0) : property(field, of: $0) }
    }
    return schema
  }

  /// Returns the schema of the elements of a list; nil for any other schema.
  func elements(of schema: YAMLNode) -> YAMLNode? { schema["items"] ?? schema.reference(in: typeNodes)?["items"] }

  /// Returns the schema of a property; nil for one that a schema does not declare.
  func property(_ name: String, of schema: YAMLNode) -> YAMLNode? {
    (schema["properties"] ?? schema.reference(in: typeNodes)?["properties"])?[name]
  }

  /// Returns the values that a schema lists; nil for a schema that allows others.
  func listedValues(of schema: YAMLNode) -> [Value]? {
    let reference = schema.reference(in: typeNodes)
    if let values = Self.listedValues(schema) ?? reference.flatMap({ Self.listedValues($0) }) { return values }
    guard let alternatives = (schema["oneOf"] ?? reference?["oneOf"])?.elements else { return nil }
    var values: [Value] = []
    for alternative in alternatives where alternative["type"]?.text != "null" {
      guard let listed = Self.listedValues(alternative) else { return nil }
      values += listed
    }
    return values
  }

  private static func listedValues(_ schema: YAMLNode) -> [Value]? {
    schema["const"].map { [$0.value] } ?? schema["enum"]?.elements?.map(\.value)
  }

  /// Requires that a literal is a value of a schema.
  func isValid(
    _ node: YAMLNode, _ value: Value, _ type: CEL.ValueType, _ schema: JSONSchema?, _ subject: String
  ) -> Bool {
    if node.expression != nil {
      fault(node.mark, "The value is an expression, where a literal is expected.")
      return false
    }
    let count = flow.faults.count
    _ = templates.template(node, ScopeTypes(), expecting: type, subject)
    guard flow.faults.count == count else { return false }
    guard !value.isNull, let fault = schema?.faults(of: value).first else { return true }
    self.fault(node.mark(atPointer: fault.pointer), "\(subject)\(fault.pointer) \(fault.message).")
    return false
  }
}
