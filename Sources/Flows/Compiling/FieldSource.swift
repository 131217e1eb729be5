internal import Values
internal import YAML

/// The declaration of a field, with that of the type to which it refers.
struct FieldSource {
  let name: String
  let node: YAMLNode
  /// The schema of `$ref`.
  let reference: YAMLNode?
  let mark: SourceMark

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
