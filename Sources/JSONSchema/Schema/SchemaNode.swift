internal import Values

/// A schema in the form in which it is applied. Other schemas are named by their index, so that they can refer to each
/// other in circles.
struct SchemaNode: Sendable {
  /// The types of valid values; nil for every type.
  var types: [SchemaType]?
  /// The rules in the order in which they are applied.
  var rules: [Rule] = []
  /// The schema to which `$ref` leads, which is applied last.
  var reference: Int?

  /// The schemas that are applied to the same value.
  var schemasInPlace: [Int] { rules.flatMap(\.schemasInPlace) + [reference].compactMap(\.self) }
}

/// The demand of a keyword, or of several keywords that belong together, on a value.
struct Rule: Sendable {
  typealias Application = @Sendable (inout Validator, Value) throws(Validator.Limit) -> Void

  /// The kind of the values on which the keyword makes demands; nil for every kind.
  let kind: Value.Kind?
  /// The schemas that are applied to the same value.
  let schemasInPlace: [Int]
  /// Reports the faults of a value.
  let apply: Application
}

extension [Rule] {
  mutating func add(
    on kind: Value.Kind? = nil, schemasInPlace: [Int] = [], _ apply: @escaping Rule.Application
  ) {
    append(Rule(kind: kind, schemasInPlace: schemasInPlace, apply: apply))
  }
}

/// A type of JSON Schema.
enum SchemaType: String, CaseIterable, Sendable {
  case string, integer, number, boolean, array, object, null

  func accepts(_ value: Value) -> Bool {
    switch self {
    case .string: value.kind == .text
    case .integer: value.kind == .integer || value.kind == .double && Number(value)?.isWhole == true
    case .number: value.kind == .integer || value.kind == .double
    case .boolean: value.kind == .boolean
    case .array: value.kind == .array
    case .object: value.kind == .map
    case .null: value.kind == .null
    }
  }

  fileprivate var noun: String {
    switch self {
    case .null: "null"
    case .integer, .array, .object: "an \(rawValue)"
    case .string, .number, .boolean: "a \(rawValue)"
    }
  }
}

extension [SchemaType] {
  /// The noun phrases, such as `an integer or null`.
  var noun: String {
    let nouns = map(\.noun)
    return nouns.count < 2 ? nouns.joined() : nouns.dropLast().joined(separator: ", ") + " or " + (nouns.last ?? "")
  }
}
