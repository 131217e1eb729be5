internal import YAML

/// A mapping of the format with known keys: the table of the keys, and the model that is read from them.
///
/// A stored property of a model declares its key. Its initial value reads the key of the mapping for which a form makes
/// the model:
///
///     struct LoadModel {
///       let problem = key("problem", .text, "The sentence after a failure; by default a text of the service.")
///     }
///
/// `init` makes one model without a mapping, only to record the keys that the model reads: they are the table.
struct Form<Model>: Sendable {
  let table: FormatTable
  private let make: @Sendable () -> Model

  /// - Parameter adviceByKey: the advice for keys that authors write here although they belong elsewhere, by the key.
  init(
    _ name: String, _ summary: String, adviceByKey: [String: String] = [:], _ make: @escaping @Sendable () -> Model
  ) {
    let keys = Keys()
    _ = Keys.$current.withValue(keys, operation: make)
    table = FormatTable(name, summary, keys.declared, adviceByKey: adviceByKey)
    self.make = make
  }

  func model(_ keys: Keys) -> Model { Keys.$current.withValue(keys, operation: make) }

  /// Returns the model of a mapping without keys.
  func empty(_ name: YAMLKey, at mark: SourceMark) -> Model { model(Keys(name, at: mark)) }
}

/// The forms of a mapping that its first key tells from each other, such as commands.
struct Forms<Model>: Sendable {
  let tables: [FormatTable]
  private let byName: [String: Form<Model>]

  init(_ all: [Form<Model>]) {
    tables = all.map(\.table)
    byName = Dictionary(uniqueKeysWithValues: all.map { ($0.table.name, $0) })
  }

  subscript(name: String) -> Form<Model>? { byName[name] }

  var names: [String] { tables.map(\.name) }
}

/// Declares a key of a model, and reads its value; nil without one.
func key<Value>(_ name: String, _ format: Format<Value>, isRequired: Bool = false, _ summary: String) -> Value? {
  Keys.current.read(FormatKey(name, format.kind, isRequired: isRequired, summary), format)
}

/// Declares a key of a model with a list, and reads its elements; none without one.
func key<Element>(
  _ name: String, _ format: Format<[Element]>, isRequired: Bool = false, _ summary: String
) -> [Element] {
  Keys.current.read(FormatKey(name, format.kind, isRequired: isRequired, summary), format) ?? []
}

/// The keys of a mapping while a model is read from them.
final class Keys: @unchecked Sendable {  // One task makes a model.
  /// The mapping of the model that is made.
  @TaskLocal static var current = Keys()

  /// An entry of the mapping under the key that its author meant.
  struct Entry {
    let name: String
    let entry: YAMLNode.Entry
    /// Whether the key is written differently. The fault of the key stands for those of its value.
    let isMisspelt: Bool
  }

  /// The key of the mapping itself.
  let name: YAMLKey
  /// The location of the mapping.
  let mark: SourceMark
  /// Whether the value is a mapping, and not another value instead.
  let isMapping: Bool
  private let entries: [Entry]
  private let reader: FormatReader?
  /// The keys that a model has read where there is no mapping.
  fileprivate private(set) var declared: [FormatKey] = []

  init(_ name: YAMLKey, at mark: SourceMark, _ entries: [Entry] = [], _ reader: FormatReader? = nil) {
    (self.name, self.mark, self.entries, self.reader) = (name, mark, entries, reader)
    isMapping = reader != nil
  }

  /// The keys of a table.
  fileprivate convenience init() {
    let nowhere = SourceMark(file: "", line: 0, column: 0)
    self.init(YAMLKey(name: "", mark: nowhere), at: nowhere)
  }

  fileprivate func read<Value>(_ key: FormatKey, _ format: Format<Value>) -> Value? {
    guard let reader else {
      declared.append(key)
      return nil
    }
    guard let found = entry(key.name) else { return nil }
    let name = YAMLKey(name: key.name, mark: found.entry.key.mark)
    let source = FormatSource(node: found.entry.value, name: name, reader: reader)
    return found.isMisspelt ? reader.quietly { format.read(source) } : reader.read(source, format)
  }

  /// The budget of the walks over the models.
  var budget: WorkBudget { reader?.budget ?? WorkBudget() }

  /// Returns the location of a key; nil for an absent one.
  func mark(of name: String) -> SourceMark? { entry(name)?.entry.key.mark }

  /// Returns a key as it is written; nil for an absent one.
  func key(_ name: String) -> YAMLKey? { mark(of: name).map { YAMLKey(name: name, mark: $0) } }

  /// Returns the value of a key as it is written.
  func node(of name: String) -> YAMLNode? { entry(name)?.entry.value }

  private func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }
}
