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

  init(_ name: String, _ summary: String, _ keys: [FormatKey]) {
    (self.name, self.summary, self.keys) = (name, summary, keys)
  }

  subscript(name: String) -> FormatKey? { keys.first { $0.name == name } }
}
