import Values

@testable import Fuzzing
@testable import YAML

/// Reads any bytes as a file of a flow. It is read, or it has faults with places inside of the file. A JSON text that
/// the service writes is read as the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let bytes = input.remainder()
  let (node, faults) = YAMLReader.read(bytes, file: "flow.yaml")
  let lines = lines(of: bytes)
  for fault in faults { hold(isInside(fault.mark, lines), "\(fault) is outside of the file") }
  hold(faults.map(\.mark) == faults.map(\.mark).sorted(), "the faults are in another order than in the file")
  hold(!faults.contains { $0.message.contains("malformed") }, "a fault has no words of its own: \(faults)")
  hold(node != nil || !faults.isEmpty, "a file that cannot be read has no fault")
  if let node {
    hold(levels(of: node) <= YAMLReader.maximumDepth, "\(levels(of: node)) levels were read")
    check(node, lines, isSound: faults.isEmpty)
  }
  if let value = try? JSONParser.parse(bytes) { checkJSON(value) }
  return 0
}

private typealias Lines = [[Unicode.Scalar]]

/// Divides the code points of a file into lines.
private func lines(of bytes: [UInt8]) -> Lines {
  let text = String(decoding: bytes, as: UTF8.self)
  let codePoints = text.unicodeScalars.dropFirst(text.unicodeScalars.first == "\u{FEFF}" ? 1 : 0)
  var lines: Lines = [[]]
  var previous: Unicode.Scalar?
  for codePoint in codePoints {
    if codePoint == "\n" || codePoint == "\r" {
      if codePoint == "\r" || previous != "\r" { lines.append([]) }
    } else {
      lines[lines.count - 1].append(codePoint)
    }
    previous = codePoint
  }
  return lines
}

private func isInside(_ mark: SourceMark, _ lines: Lines) -> Bool {
  guard mark.line >= 1, mark.line <= lines.count else { return false }
  // The first code point of a line break is after the last column, and its second after that.
  return mark.column >= 1 && mark.column <= lines[mark.line - 1].count + 2
}

private func check(_ node: YAMLNode, _ lines: Lines, isSound: Bool) {
  hold(isInside(node.mark, lines) && isInside(node.end, lines), "a node is outside of the file")
  hold(node.mark <= node.end, "a node ends before it begins")
  switch node.content {
  case .sequence(let nodes): for node in nodes { check(node, lines, isSound: isSound) }
  case .mapping(let entries):
    hold(Set(entries.map(\.key.name)).count == entries.count, "two entries have the same key")
    for entry in entries {
      hold(isInside(entry.key.mark, lines), "a key is outside of the file")
      check(entry.value, lines, isSound: isSound)
    }
  case .string(let text, let style): if isSound { checkPlaces(of: text, style, node, lines) }
  case .double(let number): hold(number.isFinite, "\(number) is not finite")
  case .invalid: hold(!isSound, "an invalid value has no fault")
  case .null, .boolean, .integer: break
  }
}

/// Checks that each place inside of a text is the one of the same code point in the file.
private func checkPlaces(of text: String, _ style: YAMLNode.Style, _ node: YAMLNode, _ lines: Lines) {
  for (offset, codePoint) in text.unicodeScalars.enumerated() where !" \t\r\n".unicodeScalars.contains(codePoint) {
    let mark = node.mark(ofCodePoint: offset)
    // A text with escapes has the place of its quote.
    guard style != .quoted || mark != node.mark else { return }
    let line = lines[mark.line - 1]
    hold(mark.column <= line.count && line[mark.column - 1] == codePoint, "\(mark) is the place of another code point")
  }
}

private func levels(of node: YAMLNode) -> Int {
  switch node.content {
  case .sequence(let nodes): 1 + (nodes.map(levels).max() ?? 0)
  case .mapping(let entries): 1 + (entries.map { levels(of: $0.value) }.max() ?? 0)
  default: 0
  }
}

// MARK: - JSON

/// Checks that a value is read from its JSON text, unless YAML cannot express it.
private func checkJSON(_ value: Value) {
  let text = String(decoding: value.json, as: UTF8.self)
  guard isYAML(text, value) else { return }
  let (node, faults) = YAMLReader.read(Array(text.utf8), file: "flow.json")
  hold(faults.isEmpty, "a JSON text has faults: \(faults)")
  hold(node.map(Value.init(reading:)) == value, "\(text) is read as \(String(describing: node))")
}

/// Returns whether the text has only characters of a file, and keys that are short enough for libyaml.
private func isYAML(_ text: String, _ value: Value) -> Bool {
  let isPrintable = text.unicodeScalars.allSatisfy { codePoint in
    let isInvisible =
      (0x7F...0x9F).contains(codePoint.value) || "\u{2028}\u{2029}\u{FEFF}".unicodeScalars.contains(codePoint)
    return !isInvisible && codePoint != "\u{FFFE}" && codePoint != "\u{FFFF}"
  }
  return isPrintable && text.utf8.count <= YAMLReader.maximumSize && hasShortKeys(value)
}

private func hasShortKeys(_ value: Value) -> Bool {
  // An escape has up to six characters for each byte.
  value.members.allSatisfy { $0.key.utf8.count < 160 && hasShortKeys($0.value) }
    && value.elements.allSatisfy(hasShortKeys)
}

extension Value {
  fileprivate init(reading node: YAMLNode) {
    self =
      switch node.content {
      case .null, .invalid: .null
      case .boolean(let flag): Value(flag)
      case .integer(let number): Value(number)
      case .double(let number): Value(finite: number)!
      case .string(let text, _): Value(text)
      case .sequence(let nodes): .array(nodes.map(Value.init(reading:)))
      case .mapping(let entries): .object(entries.map { ($0.key.name, Value(reading: $0.value)) })
      }
  }
}
