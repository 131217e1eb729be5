internal import Patterns
internal import Values

/// A schema in the form in which it is applied. Other schemas are named by their index, so that they can refer to each
/// other in circles.
struct SchemaNode: Sendable {
  /// In the order in which they are applied.
  var rules: [Rule] = []

  /// The schemas that are applied to the same value.
  var schemasInPlace: [Int] { rules.flatMap(\.schemasInPlace) }
}

/// The demand of a keyword, or of several keywords that belong together, on a value.
enum Rule: Sendable {
  /// The schema is false.
  case never
  case types([SchemaType])
  case enumeration(Set<ComparableValue>, text: String?)
  case constant(ComparableValue, text: String?)
  /// One of `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum`.
  case bound(Keyword, Number)
  case multiple(Number)
  /// The minimum or maximum number of characters, items or properties.
  case count(Keyword, Int)
  /// With the `maxLength` beside it.
  case pattern(Automaton, source: String, maximumLength: Int?)
  case format(StandardFormat)
  case items(prefix: [Int], rest: Int?)
  case contains(Int, minimum: Int, maximum: Int?)
  case uniqueItems
  case properties(Properties)
  case propertyNames(Int)
  case required([Value])
  case dependentRequired([(property: Value, required: [Value])])
  case dependentSchemas([(property: Value, schema: Int)])
  case all([Int])
  case any([Int])
  case one([Int])
  case not(Int)
  case conditional(condition: Int, consequence: Int?, alternative: Int?)
  case reference(Int)

  /// The keywords `properties`, `patternProperties` and `additionalProperties`.
  struct Properties: Sendable {
    var named: [Value: Int] = [:]
    var matching: [(pattern: Automaton, schema: Int)] = []
    var additional: Int?
  }

  /// The schemas that are applied to the same value.
  var schemasInPlace: [Int] {
    switch self {
    case .all(let schemas), .any(let schemas), .one(let schemas): schemas
    case .not(let schema), .reference(let schema): [schema]
    case .conditional(let condition, let consequence, let alternative):
      [condition] + [consequence, alternative].compactMap(\.self)
    case .dependentSchemas(let schemas): schemas.map(\.schema)
    default: []
    }
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
