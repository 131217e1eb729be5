internal import YAML

/// A kind of values in a flow file, and the reading of one.
///
/// The reading leaves out parts of another kind, which the ``FormatReader`` reports.
struct Format<Value> {
  let kind: FormatValue
  let read: (FormatSource) -> Value?

  init(_ kind: FormatValue, _ read: @escaping (FormatSource) -> Value?) { (self.kind, self.read) = (kind, read) }
}

/// A value to read.
struct FormatSource {
  let node: YAMLNode
  /// The key of the value.
  let name: YAMLKey
  /// The value as the owner of keys in messages, such as `the screen order`; nil for a name made of its format.
  var owner: String?
  /// Whether the value is an element of a list, whose faults are not at the key.
  var isElement = false
  let reader: FormatReader

  /// Returns the source of an element of the value.
  func element(_ node: YAMLNode) -> FormatSource {
    FormatSource(node: node, name: name, isElement: true, reader: reader)
  }
}

/// A value with its location.
struct Placed<Value> {
  let value: Value
  let mark: SourceMark
}

/// An entry of a mapping whose keys are not known.
struct NamedValue<Value> {
  let name: YAMLKey
  /// The value; nil if it is of another kind.
  let value: Value?
}

extension Placed: Sendable where Value: Sendable {}
extension NamedValue: Sendable where Value: Sendable {}

// MARK: Values that are compiled where their variables are known

extension Format<YAMLNode> {
  /// A value that is kept as it is written.
  static func node(_ kind: FormatValue) -> Format { Format(kind) { $0.node } }

  static var string: Format { node(.string) }
  static var value: Format { node(.value) }
  static var schema: Format { node(.schema) }
  static var fields: Format { node(.fields) }
  static var inputs: Format { node(.inputs) }

  static func expression(_ type: String) -> Format { node(.expression(type)) }

  /// A mapping of names to values.
  static func values(of keys: String) -> Format { node(.map(of: keys, .value)) }
}

// MARK: Values of one type

extension Format {
  /// One of several texts, each with its value.
  static func choice(_ values: KeyValuePairs<String, Value>) -> Format {
    Format(.choice(values.map(\.key))) { source in values.first { $0.key == source.node.text }?.value }
  }

  static func name(_ kind: String) -> Format<YAMLKey> { .init(.name(kind)) { $0.node.key } }
  static func integer(_ range: ClosedRange<Int64>) -> Format<Int64> { .init(.integer(range)) { $0.node.integer } }
  static var boolean: Format<Bool> { .init(.boolean) { $0.node.boolean } }
  static var duration: Format<Duration> { .init(.duration) { $0.node.text.flatMap { FlowDuration.duration($0) } } }
  static var pauses: Format<FlowDuration.Pauses> {
    .init(.pauses) { $0.node.text.flatMap { FlowDuration.pauses($0) } }
  }
  static var text: Format<TextModel> { .init(.text) { $0.reader.text($0.node) } }
  static var commands: Format<[CommandModel]> { .init(.commands) { $0.reader.commands($0.node) } }
  static var blocks: Format<[BlockModel]> { .init(.blocks) { $0.reader.blocks($0.node) } }
}

// MARK: Collections

extension Format {
  /// A mapping with known keys.
  ///
  /// - Parameter isKept: whether a value of another kind is kept as a mapping without keys.
  static func object(_ form: Form<Value>, isKept: Bool = false) -> Format {
    Format(.object(form.table)) { source in
      if source.node.entries == nil { return isKept ? form.empty(source.name, at: source.node.mark) : nil }
      return source.reader.object(source, form, source.owner ?? "the \(form.table.name)")
    }
  }

  /// A mapping with known keys, or null for one without keys.
  ///
  /// - Parameter isKept: whether a value of another kind is kept as a mapping without keys.
  static func object(orNull form: Form<Value>, isKept: Bool = false) -> Format {
    let object = object(form, isKept: isKept)
    return Format(.either([object.kind, .null])) { source in
      source.node.isNull ? form.empty(source.name, at: source.node.mark) : object.read(source)
    }
  }

  /// A mapping with known keys, or the value of one of them alone.
  static func object<Part>(
    _ form: Form<Value>, or part: Format<Part>, _ property: WritableKeyPath<Value, Part>
  ) -> Format {
    let short = made(of: part) { name, value in
      var model = form.empty(name, at: name.mark)
      model[keyPath: property] = value
      return model
    }
    return either(short, object(form))
  }

  static func list<Element>(_ element: Format<Element>) -> Format where Value == [Element] {
    Format(.list(element.kind)) { source in
      (source.node.elements ?? []).compactMap { source.reader.read(source.element($0), element) }
    }
  }

  /// A mapping of names that the format does not know.
  static func map<Element>(of keys: String, _ element: Format<Element>) -> Format where Value == [NamedValue<Element>] {
    let (kind, table) = (element.kind, element.kind.table?.name)
    return Format(.map(of: keys, kind)) { source in
      (source.node.entries ?? []).map { entry in
        source.reader.checkKey(entry.key, of: keys, kind)
        let owner = table.map { "the \($0) \(entry.key.name)" }
        let value = FormatSource(node: entry.value, name: entry.key, owner: owner, reader: source.reader)
        return NamedValue(name: entry.key, value: source.reader.read(value, element))
      }
    }
  }

  /// Models by their names, which they have themselves.
  static func models<Model>(of keys: String, _ model: Format<Model>) -> Format where Value == [Model] {
    let map = Format<[NamedValue<Model>]>.map(of: keys, model)
    return Format(map.kind) { map.read($0)?.compactMap(\.value) }
  }

  /// A value with its location.
  static func placed<Other>(_ format: Format<Other>) -> Format where Value == Placed<Other> {
    Format(format.kind) { source in
      // A value of another kind is a fault already. A list would read it as empty, which is a second one.
      guard format.kind.fits(source.node) else { return nil }
      return format.read(source).map { Placed(value: $0, mark: source.node.mark) }
    }
  }

  static func orNull(_ format: Format) -> Format {
    Format(.either([format.kind, .null])) { $0.node.isNull ? nil : format.read($0) }
  }

  /// One of two kinds. A value of another kind is read as the first one.
  static func either(_ first: Format, _ second: Format) -> Format {
    Format(.either([first.kind, second.kind])) { source in
      second.kind.fits(source.node) ? second.read(source) : first.read(source)
    }
  }

  static func made<Other>(
    of format: Format<Other>, _ make: @escaping (_ name: YAMLKey, _ value: Other) -> Value
  ) -> Format {
    Format(format.kind) { source in format.read(source).map { make(source.name, $0) } }
  }
}
