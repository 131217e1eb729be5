internal import Values

/// A reader of schemas, which collects every fault.
struct SchemaReader {
  private static let dialect = "https://json-schema.org/draft/2020-12/schema"

  let annotations: Set<String>
  let assertsFormats: Bool
  var references: SchemaReferences
  var nodes: [SchemaNode] = []
  private var faults: [JSONSchema.SchemaFault] = []

  init(definitions: [String: Value], annotations: Set<String>, assertsFormats: Bool) {
    (self.annotations, self.assertsFormats) = (annotations, assertsFormats)
    references = SchemaReferences(definitions: definitions)
  }

  /// Returns the schemas, of which the first one is the document.
  mutating func read(_ document: Value) throws(JSONSchema.SchemaError) -> [SchemaNode] {
    _ = schema(document, at: "")
    resolveReferences()
    // Without a target, a reference has no part in a cycle.
    if faults.isEmpty { reportCycles() }
    guard faults.isEmpty else { throw JSONSchema.SchemaError(faults: faults) }
    return nodes
  }

  /// Whether further faults are not reported.
  var isFull: Bool { faults.count >= JSONSchema.faultLimit }

  mutating func report(_ message: String, at pointer: String) {
    // The rest of the schema is still read, since a reference may need it.
    if !isFull { faults.append(JSONSchema.SchemaFault(pointer: pointer, message: message)) }
  }

  /// Reads a schema, and returns its index.
  mutating func schema(_ value: Value, at pointer: String) -> Int {
    let index = nodes.count
    nodes.append(SchemaNode())
    references.add(schema: index, at: pointer)
    if value.bool == false {
      nodes[index].rules = [.never]
    } else if value.kind == .map {
      nodes[index].rules = rules(of: KeywordReader(schema: value, pointer: pointer), node: index)
    } else if value.bool == nil {
      report("A schema is an object, true or false.", at: pointer)
    }
    return index
  }

  private mutating func rules(of schema: KeywordReader, node: Int) -> [Rule] {
    for name in schema.unknownNames where !annotations.contains(name) && !isFull {
      report(
        Keyword.message(forUnknown: name, annotations: annotations), at: JSONPointer.adding(name, to: schema.pointer))
    }
    checkAnnotations(schema)
    if let target = text(.reference, of: schema) {
      references.add(target: target, of: node, at: schema.pointer(to: .reference))
    }
    // The definitions are targets of references, and have no rules of their own.
    _ = namedSchemas(.localDefinitions, of: schema)
    return typeRules(schema) + valueRules(schema) + numberRules(schema) + textRules(schema) + arrayRules(schema)
      + objectRules(schema) + combinations(schema)
  }

  private mutating func checkAnnotations(_ schema: KeywordReader) {
    for keyword in [Keyword.title, .description, .comment] { _ = text(keyword, of: schema) }
    for keyword in [Keyword.deprecated, .readOnly, .writeOnly] { _ = flag(keyword, of: schema) }
    _ = list(.examples, of: schema)
    if let dialect = text(.dialect, of: schema), dialect != Self.dialect, dialect != Self.dialect + "#" {
      report("The schema is of another version. Write \(Self.dialect).", at: schema.pointer(to: .dialect))
    }
  }

  private mutating func combinations(_ schema: KeywordReader) -> [Rule] {
    var rules: [Rule] = []
    if let schemas = schemas(.allOf, of: schema) { rules.append(.all(schemas)) }
    if let schemas = schemas(.anyOf, of: schema) { rules.append(.any(schemas)) }
    if let schemas = schemas(.oneOf, of: schema) { rules.append(.one(schemas)) }
    if let excluded = self.schema(.not, of: schema) { rules.append(.not(excluded)) }
    let consequence = self.schema(.consequence, of: schema)
    let alternative = self.schema(.alternative, of: schema)
    if let condition = self.schema(.condition, of: schema) {
      rules.append(.conditional(condition: condition, consequence: consequence, alternative: alternative))
    }
    return rules
  }
}

/// The keywords of one schema.
struct KeywordReader {
  /// The pointer to the schema.
  let pointer: String
  private var values: [Keyword: Value] = [:]
  private(set) var unknownNames: [String] = []

  init(schema: Value, pointer: String) {
    self.pointer = pointer
    // One pass, because each look-up in a value takes time in proportion to its size.
    for member in schema.members {
      let name = member.key
      if let keyword = Keyword(rawValue: name) { values[keyword] = member.value } else { unknownNames.append(name) }
    }
  }

  subscript(keyword: Keyword) -> Value? { values[keyword] }

  func pointer(to keyword: Keyword) -> String { JSONPointer.adding(keyword.rawValue, to: pointer) }
}
