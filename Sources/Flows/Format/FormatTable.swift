internal import Suggestions
internal import YAML

/// The value of a key in a flow file.
///
/// The ``FormatReader`` checks files with these values. The JSON Schema for editors and the reference in the documentation
/// are made from them.
indirect enum FormatValue: Sendable {
  /// A text for people: a literal, a key of `texts/`, an expression, or a mapping.
  case text
  /// A string that is not shown to users, such as a URL; it may be an expression.
  case string
  /// The name of a declaration, such as `catalogue`.
  case name(String)
  /// An expression with a result of a type, such as `bool`.
  case expression(String)
  /// Any value, in which texts that begin with `=` are expressions.
  case value
  case schema
  /// Fields by their names, each with a schema.
  case fields
  /// Fields of a form.
  case inputs
  case duration
  /// Two durations with `..` between them, such as `200ms..30s`, or one for both.
  case pauses
  case boolean
  case integer(ClosedRange<Int64>)
  case choice([String])
  case commands
  case blocks
  case object(FormatTable)
  /// A mapping with any keys.
  case map(of: String, FormatValue)
  case list(FormatValue)
  /// One of several, which differ in their kind of node.
  case either([FormatValue])
  case null

  var isValue: Bool { if case .value = self { true } else { false } }

  /// The keys of the value, or of one of its forms.
  var table: FormatTable? {
    switch self {
    case .object(let table): return table
    case .either(let formats):
      // A loop: the optimizer inlines a recursive closure many times, which doubles the time of the build.
      for format in formats { if let table = format.table { return table } }
      return nil
    default: return nil
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

  /// Whether a fault of the value may hide declarations or uses of them.
  var hasContent: Bool {
    switch self {
    case .commands, .blocks, .object, .fields, .inputs, .list, .name: true
    case .map(_, let value): !value.isValue
    case .either(let formats): formats.contains { $0.hasContent }
    default: false
    }
  }

  /// Returns whether the node is of the kind of this value.
  func fits(_ node: YAMLNode) -> Bool {
    switch self {
    case .text: node.text != nil || !(node.entries?.isEmpty ?? true)
    case .string, .choice: node.text != nil
    case .name: node.literal != nil
    case .duration, .pauses: node.literal != nil
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
    case .pauses: "two durations such as 200ms..30s"
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

/// A key of a mapping.
struct FormatKey: Sendable {
  let name: String
  let value: FormatValue
  let isRequired: Bool
  let summary: String

  init(_ name: String, _ value: FormatValue, isRequired: Bool = false, _ summary: String) {
    (self.name, self.value, self.isRequired, self.summary) = (name, value, isRequired, summary)
  }
}

/// A mapping with known keys.
struct FormatTable: Sendable {
  /// The name in messages and in the documentation, such as `coordinator`.
  let name: String
  let summary: String
  let keys: [FormatKey]
  /// The advice for keys that authors write here although they belong elsewhere, by the key.
  let adviceByKey: [String: String]

  init(_ name: String, _ summary: String, _ keys: [FormatKey], adviceByKey: [String: String] = [:]) {
    (self.name, self.summary, self.keys, self.adviceByKey) = (name, summary, keys, adviceByKey)
  }

  subscript(name: String) -> FormatKey? { keys.first { $0.name == name } }

  /// The number of keys above which none is repaired: the comparison of names takes long.
  private static let maximumRepairs = 100

  /// Returns the absent key that an unknown one was probably meant to be.
  func repair(of name: String, in node: YAMLNode) -> String? {
    guard let entries = node.entries, entries.count <= Self.maximumRepairs else { return nil }
    return nearest(name, among: keys.map(\.name).filter { node[$0] == nil })
  }
}

extension [String] {
  /// The words, each once.
  fileprivate var reduced: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
