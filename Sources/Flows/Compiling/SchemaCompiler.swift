internal import CEL
internal import JSONSchema
internal import Values
internal import YAML

/// A compiler of declared fields, of their schemas, and of forms.
final class SchemaCompiler: PartCompiler {
  /// The schemas of `types`.
  private(set) lazy var types = typeNodes.mapValues { Self.document($0) }
  /// The nodes of those schemas.
  private(set) lazy var typeNodes = Dictionary(declaredTypes.map { ($0.key.name, $0.value) }) { first, _ in first }
  private var declaredTypes: [YAMLNode.Entry] { model.types }
  /// The locations of schemas with a fault, which cause no other faults.
  var faultySchemas: Set<SourceMark> = []
  /// The first schema that is too large or too deep with the types that it refers to.
  private var limitFault: FlowFault?
  /// The schemas that have been read.
  private var readSchemas: [SchemaKey: (type: CEL.ValueType, schema: JSONSchema?)] = [:]
  /// The parts of all schemas that were read, each with the types to which it leads.
  private(set) var partCount = 0

  /// Reads the schemas of `types`.
  func readTypes() {
    for type in declaredTypes { _ = schema(type.value, named: type.key.name, at: type.value.mark) }
    // The faults of types are reported at the type, but a long or endless chain of references has no such location.
    reportLimit()
    if flow.faults.isEmpty, let circle = declaredTypes.first(where: { faultySchemas.contains($0.value.mark) }) {
      fault(circle.key.mark, "The type \(circle.key.name) is nothing but a reference to itself. Write its schema.")
    }
  }

  /// Reports a schema that exceeds a limit, if there is no other fault.
  func reportLimit() {
    if flow.faults.isEmpty, let limitFault { report(limitFault) }
  }

  /// Reads declared fields.
  ///
  /// - Parameters:
  ///   - isForm: whether the fields are those of a form.
  ///   - reserved: the names of the variables of their own that expressions see beside the fields.
  ///   - needsDefaults: whether each field needs a default.
  func fields(
    _ node: YAMLNode?, isForm: Bool = false, reserving reserved: Set<String> = [], needsDefaults: Bool = false
  ) -> FieldSet {
    var fields: [FieldDeclarationModel] = []
    for entry in node?.entries ?? [] {
      var visited: Set<String> = []
      let name = entry.key.name
      guard entry.value.entries != nil else {
        // A field without a schema is a fault already, and may have any value.
        fields.append(
          FieldDeclarationModel(
            name: entry.key, node: entry.value, type: .dyn, schema: nil, defaultValue: Value.null))
        continue
      }
      if reserved.contains(name) {
        fault(entry.key.mark, "The name \(name) is that of a variable of its own. Choose another one.")
      }
      if !isForm, let secret = entry.value.entry("writeOnly") {
        fault(secret.key.mark, "Only a field of a form has writeOnly: nothing hides the value here. Remove it.")
      }
      let (type, schema) = schema(entry.value, named: name, at: entry.value.mark, isForm: isForm)
      let given = entry.value["default"]
      var defaultValue = given.map { $0.value.converted(to: type) }
      if defaultValue == nil, type.acceptsNull { defaultValue = .null }
      if let given, let value = defaultValue, !isValid(given, value, type, schema, "The default of \(name)") {
        faultySchemas.insert(entry.value.mark)
      }
      if needsDefaults, defaultValue == nil {
        fault(entry.key.mark, "The state \(name) has no default. Add one, such as `default: \(type.example)`.")
      }
      fields.append(
        FieldDeclarationModel(
          name: entry.key, node: entry.value, type: type, schema: schema, defaultValue: defaultValue,
          hasLimits: hasLimits(entry.value, &visited)))
    }
    return FieldSet(fields)
  }

  /// Returns whether a schema demands more of a value than its type.
  ///
  /// - Parameter visited: the types that were searched.
  private func hasLimits(_ schema: YAMLNode, _ visited: inout Set<String>) -> Bool {
    (schema.entries ?? []).contains { entry in
      switch entry.key.name {
      case "type", "title", "description", "default", "examples", "required", "writeOnly": return false
      case "properties": return (entry.value.entries ?? []).contains { hasLimits($0.value, &visited) }
      case "items", "additionalProperties": return entry.value.entries != nil && hasLimits(entry.value, &visited)
      case "$ref":
        let name = entry.value.text.map { String($0.dropFirst("#/types/".count)) } ?? ""
        guard visited.insert(name).inserted, let type = typeNodes[name] else { return false }
        return hasLimits(type, &visited)
      default: return !Self.formKeywords.contains(entry.key.name)
      }
    }
  }

  /// Reads a schema.
  ///
  /// - Returns: the type of its values, `dyn` for a schema with a fault.
  func schema(
    _ node: YAMLNode, named name: String, at mark: SourceMark, isForm: Bool = false
  ) -> (type: CEL.ValueType, schema: JSONSchema?) {
    guard hasKnownKeywords(node, isForm: isForm) else {
      faultySchemas.insert(node.mark)
      return (.dyn, nil)
    }
    var document = Self.document(node)
    // Titles are texts for people, which may be mappings.
    let excluded = isForm ? Self.formKeywords.union(["title", "description"]) : []
    if isForm {
      // JSON Schema has no bounds that are texts: those of dates, and expressions.
      document = .object(
        document.members.filter { member in
          !excluded.contains(member.key) && !(Self.bounds.contains(member.key) && member.value.text != nil)
        }.map { ($0.key, $0.value) })
    }
    // Fields often refer to one type, which may be large.
    let key = SchemaKey(document: document, name: document["$ref"] == nil ? name : "")
    if let known = readSchemas[key] { return known }
    let size = size(of: document)
    partCount += size
    guard model.budget.visit(2 * size) else { return (.dyn, nil) }
    let schema: JSONSchema
    do throws(JSONSchema.SchemaError) {
      schema = try JSONSchema(document, definitions: types)
    } catch {
      faultySchemas.insert(node.mark)
      // The fault of a type is reported at the type.
      for found in error.faults where !found.pointer.hasPrefix("/types/") {
        fault(node.mark(atPointer: found.pointer), found.message)
      }
      return (.dyn, nil)
    }
    let types = types
    do throws(CEL.SchemaError) {
      let type = try CEL.ValueType(schema: CEL.Value(document), name: name) { reference in
        guard reference.hasPrefix("#/types/") else { return nil }
        let name = String(reference.dropFirst("#/types/".count))
        return types[name].map { (name, CEL.Value($0)) }
      }
      readSchemas[key] = (type, schema)
      return (type, schema)
    } catch {
      faultySchemas.insert(node.mark)
      if error.pointer.contains("/$ref/") {
        limitFault = limitFault ?? FlowFault(node.mark, error.message)
      } else {
        fault(node.mark(atPointer: error.pointer), error.message)
      }
      return (.dyn, nil)
    }
  }

  /// Returns the number of parts of a schema and of the types to which it leads. To read a schema takes time and memory
  /// in proportion to them.
  private func size(of schema: Value) -> Int {
    var count = 0
    var visited: Set<String> = []
    var open = [schema]
    while let value = open.popLast() {
      count += 1
      open += value.elements
      for member in value.members {
        guard member.key == "$ref", let target = member.value.text else {
          open.append(member.value)
          continue
        }
        let name = String(target.dropFirst("#/types/".count))
        if let type = types[name], visited.insert(name).inserted { open.append(type) }
      }
    }
    return count
  }
}

/// The key of a read schema. The name is a part of the key, because messages call the types inside by it; a `$ref` has
/// the name of its type.
struct SchemaKey: Hashable {
  let document: Value
  let name: String
}

extension CEL.ValueType {
  /// A literal of the type in YAML.
  fileprivate var example: String {
    switch self {
    case .string: "\"\""
    case .int, .double: "0"
    case .bool: "false"
    case .list: "[]"
    default: "null"
    }
  }
}
