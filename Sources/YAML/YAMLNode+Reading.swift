package import Values

// Readings of a node as one kind, which are nil for a node of another kind.
extension YAMLNode {
  package var text: String? { if case .string(let text, _) = content { text } else { nil } }

  /// The text of the node as a name with its location.
  package var key: YAMLKey? { text.map { YAMLKey(name: $0, mark: mark) } }

  package var elements: [YAMLNode]? { if case .sequence(let elements) = content { elements } else { nil } }

  package var entries: [Entry]? { if case .mapping(let entries) = content { entries } else { nil } }

  // Swift 6.3.1 crashes if it inlines this into a chain of optionals.
  @inline(never) package var integer: Int64? { if case .integer(let number) = content { number } else { nil } }

  package var boolean: Bool? { if case .boolean(let flag) = content { flag } else { nil } }

  package var isNull: Bool { if case .null = content { true } else { false } }

  /// Whether the reader has reported a fault of the value.
  package var isInvalid: Bool { if case .invalid = content { true } else { false } }

  package subscript(key: String) -> YAMLNode? { entry(key)?.value }

  package func entry(_ key: String) -> Entry? { entries?.first { $0.key.name == key } }

  /// The kind of the node in messages.
  package var kindName: String {
    switch content {
    case .null: "null"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .double: "a fraction"
    case .string: "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .invalid: "an invalid value"
    }
  }

  /// The source of the expression that the node holds; nil for a node that holds none.
  package var expression: String? {
    guard let text, text.hasPrefix("=") else { return nil }
    return String(text.dropFirst())
  }

  /// The text that the node holds: `\=` begins a text that starts with `=`. Nil for an expression and for any other kind.
  package var literal: String? {
    guard let text, !text.hasPrefix("=") else { return nil }
    return text.hasPrefix("\\=") ? String(text.dropFirst()) : text
  }

  /// The node as a value, in which an expression is its text.
  package var value: Value {
    switch content {
    case .null, .invalid: .null
    case .boolean(let flag): Value(flag)
    case .integer(let number): Value(number)
    case .double(let number): Value(finite: number) ?? .null
    case .string(let text, _): Value(text.hasPrefix("\\=") ? String(text.dropFirst()) : text)
    case .sequence(let elements): .array(elements.map(\.value))
    case .mapping(let entries): .object(entries.map { ($0.key.name, $0.value.value) })
    }
  }
}
