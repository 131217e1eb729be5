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
  case types(TypeSet)
  case enumeration(Set<ComparableValue>, text: String?)
  case constant(ComparableValue, text: String?)
  /// One of `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum`.
  case bound(Keyword, Number)
  case multiple(Number)
  /// The minimum or maximum number of characters, items or properties.
  case count(Keyword, Int)
  /// With the `maxLength` beside it.
  case pattern(Pattern, maximumLength: Int?)
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
    var matching: [(pattern: Pattern, schema: Int)] = []
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

/// A set of the types of JSON Schema.
struct TypeSet: OptionSet, Sendable {
  let rawValue: UInt8

  static let null = TypeSet(rawValue: 1)
  static let boolean = TypeSet(rawValue: 2)
  static let integer = TypeSet(rawValue: 4)
  static let number = TypeSet(rawValue: 8)
  static let string = TypeSet(rawValue: 16)
  static let array = TypeSet(rawValue: 32)
  static let object = TypeSet(rawValue: 64)

  /// The types with their names and their noun phrases.
  static let all: [(type: TypeSet, name: String, noun: String)] = [
    (.string, "string", "a string"), (.integer, "integer", "an integer"), (.number, "number", "a number"),
    (.boolean, "boolean", "a boolean"), (.array, "array", "an array"), (.object, "object", "an object"),
    (.null, "null", "null"),
  ]

  func accepts(_ value: Value) -> Bool {
    switch value.kind {
    case .null: contains(.null)
    case .boolean: contains(.boolean)
    case .integer: !isDisjoint(with: [.integer, .number])
    case .double: contains(.number) || contains(.integer) && Number(value)?.isWhole == true
    case .text: contains(.string)
    case .array: contains(.array)
    case .map: contains(.object)
    }
  }

  /// The noun phrases, such as `an integer or null`.
  var noun: String {
    let nouns = Self.all.filter { contains($0.type) }.map(\.noun)
    return nouns.count < 2 ? nouns.joined() : nouns.dropLast().joined(separator: ", ") + " or " + (nouns.last ?? "")
  }
}
