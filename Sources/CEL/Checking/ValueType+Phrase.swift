extension CEL.ValueType {
  /// The type in a sentence, in the words of authors: `a whole number`.
  package var phrase: String {
    switch self {
    case .list(let element): element.plural.map { "a list of \($0)" } ?? "a list"
    case .map(_, let value): value.plural.map { "a mapping to \($0)" } ?? "a mapping"
    case .object(let object): "the object \(object.name)"
    case .nullable(let type): "\(type.phrase) or null"
    default: simple?.phrase ?? "any value"
    }
  }

  /// Several values of the type; nil if their type is unknown or has no plain name.
  var plural: String? {
    switch self {
    case .list: "lists"
    case .map: "mappings"
    case .object(let object): "the objects \(object.name)"
    case .nullable(let type): type.plural.map { "\($0) and nulls" }
    default: simple?.plural
    }
  }

  /// The advice to convert a value of this type, with a space before it; empty if no function converts it.
  func conversion(to expected: CEL.ValueType) -> String {
    switch (self, expected.withoutNull) {
    case (.bool, .string), (.int, .string), (.uint, .string), (.double, .string), (.timestamp, .string),
      (.duration, .string):
      " Convert it with string(…)."
    case (.double, .int), (.uint, .int), (.string, .int): " Convert it with int(…)."
    case (.string, .double): " Convert it with double(…)."
    case (.string, .duration): " Convert it with duration(…)."
    case (.string, .timestamp): " Convert it with timestamp(…)."
    default: ""
    }
  }
}
