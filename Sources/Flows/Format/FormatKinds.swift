internal import Suggestions

// The kinds of nodes that values have.
extension FormatValue {
  var isValue: Bool { if case .value = self { true } else { false } }

  var isCommands: Bool { if case .commands = self { true } else { false } }

  /// The object of the value, or of one of its forms.
  var object: FormatObject? {
    switch self {
    case .object(let object): object
    case .either(let formats): formats.lazy.compactMap(\.object).first
    default: nil
    }
  }

  /// Whether a command with this value may be its verb alone.
  var takesNull: Bool {
    switch self {
    case .null: true
    case .either(let formats): formats.contains { $0.takesNull }
    default: false
    }
  }

  /// Whether the value has declarations or commands in it.
  var hasContent: Bool {
    switch self {
    case .commands, .blocks, .object, .fields, .inputs, .list, .name: true
    case .map(_, let value): !value.isValue
    case .either(let formats): formats.contains { $0.hasContent }
    default: false
    }
  }

  /// Whether the node is of the kind of this value.
  func fits(_ node: YAMLNode) -> Bool {
    switch self {
    case .text: node.text != nil || !(node.entries?.isEmpty ?? true)
    case .string, .choice: node.text != nil
    case .name: node.literal != nil
    case .duration: node.literal != nil
    case .expression("any"), .value: true
    case .expression: node.expression != nil
    case .schema, .fields, .inputs, .object, .map: node.entries != nil
    case .boolean: node.boolean != nil
    case .integer: node.integer != nil
    case .commands, .blocks, .list: node.elements != nil
    case .either(let formats): formats.contains { $0.fits(node) }
    case .null: node.isNull
    }
  }

  /// The kind in messages.
  var kindName: String {
    switch self {
    case .text, .string, .choice: "a text"
    case .name(let kind): "the name of \(kind.replacing("service.operation", with: "operation").withArticle)"
    case .duration: "a duration such as 15m"
    case .expression: "an expression that begins with ="
    case .value: "a value"
    case .schema: "a schema such as {type: string}"
    case .fields, .inputs: "a mapping of names to schemas"
    case .map, .object: "a mapping"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .commands: "a list of commands"
    case .blocks: "a list of blocks"
    case .list: "a list"
    case .either(let formats): formats.map(\.kindName).reduced.listed
    case .null: "null"
    }
  }
}

extension [String] {
  /// The words, each once.
  fileprivate var reduced: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

// A wrong key is read as the one that it was probably meant to be, so that it causes no other faults.
extension FormatValue {
  /// Returns the node with the keys that were probably meant.
  func repaired(_ node: YAMLNode) -> YAMLNode {
    switch self {
    case .text: node.entries == nil ? node : FormatObject.repaired(node, among: FlowFormat.texts)
    case .object(let object): object.repaired(node)
    case .map(_, let value): node.replacingValues { _, node in value.repaired(node) }
    case .list(let value): node.replacingElements { value.repaired($0) }
    case .commands: node.replacingElements { FormatObject.repaired($0, among: FlowFormat.commands) }
    case .blocks: node.replacingElements { FormatObject.repaired($0, among: FlowFormat.blocks) }
    case .either(let formats): formats.first { $0.fits(node) }?.repaired(node) ?? node
    default: node
    }
  }
}

extension FormatObject {
  /// Returns the object that a mapping is by its first key. Another order is forgiven.
  static func variant(of node: YAMLNode, among variants: [FormatObject]) -> FormatObject? {
    for entry in node.entries ?? [] {
      if let object = variants.first(where: { $0.name == entry.key.name }) { return object }
    }
    return nil
  }

  /// The number of keys above which none is repaired: the comparison of names takes long.
  private static let maximumRepairs = 100

  /// Returns the absent key that an unknown one was probably meant to be.
  func repair(of name: String, in node: YAMLNode) -> String? {
    guard node.entries.map({ $0.count <= Self.maximumRepairs }) ?? false else { return nil }
    return self[name] == nil ? nearest(name, among: keys.map(\.name).filter { node[$0] == nil }) : nil
  }

  fileprivate func repaired(_ node: YAMLNode) -> YAMLNode {
    node.renamingKeys { repair(of: $0, in: node) ?? $0 }
      .replacingValues { key, value in self[key]?.value.repaired(value) ?? value }
  }

  fileprivate static func repaired(_ node: YAMLNode, among variants: [FormatObject]) -> YAMLNode {
    let names = variants.map(\.name)
    if let verb = node.text, !names.contains(verb), let near = nearest(verb, among: names) {
      return node.replacing(.string(near, .plain))
    }
    if let object = variant(of: node, among: variants) { return object.repaired(node) }
    guard let first = node.entries?.first, let near = nearest(first.key.name, among: names),
      let object = variants.first(where: { $0.name == near })
    else { return node }
    return object.repaired(node.renamingKeys { $0 == first.key.name ? near : $0 })
  }
}

extension YAMLNode {
  fileprivate func renamingKeys(_ name: (String) -> String) -> YAMLNode {
    guard let entries else { return self }
    return replacing(
      .mapping(entries.map { Entry(key: YAMLKey(name: name($0.key.name), mark: $0.key.mark), value: $0.value) }))
  }

  fileprivate func replacingValues(_ make: (String, YAMLNode) -> YAMLNode) -> YAMLNode {
    guard let entries else { return self }
    return replacing(.mapping(entries.map { Entry(key: $0.key, value: make($0.key.name, $0.value)) }))
  }

  fileprivate func replacingElements(_ make: (YAMLNode) -> YAMLNode) -> YAMLNode {
    guard let elements else { return self }
    return replacing(.sequence(elements.map(make)))
  }
}
