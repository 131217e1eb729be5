internal import YAML

/// A mapping of the format with known keys: the table of the keys, and the model that is read from them.
///
/// A model reads its keys one after the other, and so declares them:
///
///     init(_ keys: inout Keys) {
///       problem = keys("problem", .text, "The sentence after a failure; by default a text of the service.")
///     }
///
/// The table has the keys that a model reads where there is no mapping.
struct Form<Model>: Sendable {
  let table: FormatTable
  private let make: @Sendable (inout Keys) -> Model

  init(_ name: String, _ summary: String, _ make: @escaping @Sendable (inout Keys) -> Model) {
    var keys = Keys()
    _ = make(&keys)
    table = FormatTable(name, summary, keys.declared)
    self.make = make
  }

  func model(_ keys: consuming Keys) -> Model { make(&keys) }

  /// Returns the model of a mapping without keys.
  func empty(_ name: YAMLKey, at mark: SourceMark) -> Model { model(Keys(name, at: mark)) }
}

/// The forms of a mapping that its first key tells from each other, such as commands.
struct Forms<Model>: Sendable {
  let all: [Form<Model>]
  private let byName: [String: Form<Model>]

  init(_ all: [Form<Model>]) {
    self.all = all
    byName = Dictionary(uniqueKeysWithValues: all.map { ($0.table.name, $0) })
  }

  subscript(name: String) -> Form<Model>? { byName[name] }

  var names: [String] { all.map(\.table.name) }

  var tables: [FormatTable] { all.map(\.table) }
}

/// The keys of a mapping while a model is read from them.
struct Keys {
  /// An entry of the mapping under the key that its author meant.
  struct Entry {
    let name: String
    let entry: YAMLNode.Entry
    /// Whether the key is written differently. The fault of the key stands for those of its value.
    let isMisspelt: Bool
  }

  /// The key of the mapping itself.
  let name: YAMLKey
  /// The place of the mapping.
  let mark: SourceMark
  /// Whether the value is a mapping, and not another value in its place.
  let isMapping: Bool
  private let entries: [Entry]
  private let reader: FormatReader?
  /// The keys that a model has read where there is no mapping.
  private(set) var declared: [FormatKey] = []

  /// The keys of a table.
  fileprivate init() {
    let nowhere = SourceMark(file: "", line: 0, column: 0)
    self.init(YAMLKey(name: "", mark: nowhere), at: nowhere)
  }

  fileprivate init(_ name: YAMLKey, at mark: SourceMark) {
    (self.name, self.mark, isMapping, entries, reader) = (name, mark, false, [], nil)
  }

  init(_ name: YAMLKey, at mark: SourceMark, _ entries: [Entry], _ reader: FormatReader) {
    (self.name, self.mark, isMapping, self.entries, self.reader) = (name, mark, true, entries, reader)
  }

  /// Declares a key, and reads its value; nil without one.
  mutating func callAsFunction<Value>(
    _ name: String, _ format: Format<Value>, isRequired: Bool = false, _ summary: String
  ) -> Value? {
    read(FormatKey(name, format.kind, isRequired: isRequired, summary), format)
  }

  /// Declares a key with a list, and reads its elements; none without one.
  mutating func callAsFunction<Element>(
    _ name: String, _ format: Format<[Element]>, isRequired: Bool = false, _ summary: String
  ) -> [Element] {
    read(FormatKey(name, format.kind, isRequired: isRequired, summary), format) ?? []
  }

  private mutating func read<Value>(_ key: FormatKey, _ format: Format<Value>) -> Value? {
    guard let reader else {
      declared.append(key)
      return nil
    }
    guard let found = entry(key.name) else { return nil }
    let name = YAMLKey(name: key.name, mark: found.entry.key.mark)
    let source = FormatSource(node: found.entry.value, name: name, reader)
    return found.isMisspelt ? reader.quietly { format.read(source) } : reader.read(source, format)
  }

  /// Returns the place of a key; nil for an absent one.
  func mark(of name: String) -> SourceMark? { entry(name)?.entry.key.mark }

  /// Returns the value of a key as it is written.
  func node(of name: String) -> YAMLNode? { entry(name)?.entry.value }

  private func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }
}
