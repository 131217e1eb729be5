@testable import YAML

extension YAMLNode {
  /// The structure of the node in one line. A letter marks texts in quotes (`q`) and blocks (`b`).
  var outline: String {
    switch content {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text, .plain): text.debugDescription
    case .string(let text, .quoted): "q\(text.debugDescription)"
    case .string(let text, .block): "b\(text.debugDescription)"
    case .sequence(let nodes): "[\(nodes.map(\.outline).joined(separator: ", "))]"
    case .mapping(let entries): "{\(entries.map { "\($0.key.name): \($0.value.outline)" }.joined(separator: ", "))}"
    case .invalid: "invalid"
    }
  }

  /// The values of the entries and elements of the node, and of those inside of them, after the node itself.
  var all: [YAMLNode] {
    switch content {
    case .sequence(let nodes): [self] + nodes.flatMap(\.all)
    case .mapping(let entries): [self] + entries.flatMap(\.value.all)
    default: [self]
    }
  }
}

/// Reads a text. The descriptions of the faults are without the name of the file and their severity.
func read(_ text: String) -> (outline: String?, faults: [String]) {
  let (node, faults) = YAMLReader.read(Array(text.utf8), file: "flow.yaml")
  return (node?.outline, faults.map { "\($0.mark.line):\($0.mark.column): \($0.message)" })
}
