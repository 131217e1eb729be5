internal import Values

/// A reader of schemas, which collects every fault.
struct SchemaReader {
  private static let dialect = "https://json-schema.org/draft/2020-12/schema"

  let definitions: [String: Value]
  let assertsFormats: Bool
  var nodes: [SchemaNode] = []
  /// The indices of the schemas by their pointers, which are compared byte by byte.
  var indices: [Value: Int] = [:]
  var references: [SchemaReference] = []
  /// The pointer to the document that is read.
  var document = ""
  private var faults: [JSONSchema.SchemaFault] = []

  init(definitions: [String: Value], assertsFormats: Bool) {
    (self.definitions, self.assertsFormats) = (definitions, assertsFormats)
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
    indices[Value(pointer)] = index
    if value.bool == false {
      nodes[index].rules.add { validator, _ in validator.fail("false", "must be left out") }
    } else if value.kind == .map {
      nodes[index].rules = rules(of: KeywordReader(schema: value, pointer: pointer), node: index)
    } else if value.bool == nil {
      report("A schema is an object, true or false.", at: pointer)
    }
    return index
  }

  private mutating func rules(of schema: KeywordReader, node: Int) -> [Rule] {
    for name in schema.unknownNames where !isFull {
      report(Keyword.message(forUnknown: name), at: JSONPointer.adding(name, to: schema.pointer))
    }
    checkAnnotations(schema)
    if let target = text(.reference, of: schema) {
      let pointer = schema.pointer(to: .reference)
      references.append(SchemaReference(target: target, node: node, pointer: pointer, document: document))
    }
    // The definitions are targets of references, and have no rules of their own.
    _ = namedSchemas(.localDefinitions, of: schema)
    nodes[node].types = types(schema)
    return valueRules(schema) + numberRules(schema) + textRules(schema) + arrayRules(schema) + objectRules(schema)
      + combinations(schema)
  }

  private mutating func checkAnnotations(_ schema: KeywordReader) {
    for keyword in [Keyword.title, .description, .comment] { _ = text(keyword, of: schema) }
    for keyword in [Keyword.deprecated, .readOnly, .writeOnly] { _ = flag(keyword, of: schema) }
    _ = list(.examples, of: schema)
    if let dialect = text(.dialect, of: schema), dialect != Self.dialect, dialect != Self.dialect + "#" {
      report("The schema is of another version. Write \(Self.dialect).", at: schema.pointer(to: .dialect))
    }
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
