package import Values

/// A condition about the other fields of a form, which clients can test: in the JSON Schema, on pages and in the terminal.
package indirect enum FieldCondition: Sendable, Equatable {
  case all([FieldCondition])
  case any([FieldCondition])
  case not(FieldCondition)
  /// The test of a value other than null. A field without a value fails it.
  case test(field: String, Test)
  /// A condition that only the service can test.
  case unknown

  package enum Test: Sendable, Equatable {
    case isGiven
    /// Texts, numbers or booleans.
    case isOneOf([Value])
    case isWithin(Bound, Value)
    /// The value is a list with this item.
    case contains(Value)
  }

  /// The bounds of numbers, as JSON Schema names them.
  package enum Bound: String, Sendable {
    case minimum, exclusiveMinimum, maximum, exclusiveMaximum
  }

  package static let always = FieldCondition.all([])
  package static let never = FieldCondition.any([])

  /// The maximum number of tests of a condition for clients. A chain of questions repeats the conditions before it.
  static let testLimit = 100

  package static func conjunction(of conditions: [FieldCondition]) -> FieldCondition {
    if conditions.contains(.never) { return .never }
    if conditions.contains(.unknown) { return .unknown }
    let parts = conditions.filter { $0 != .always }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  package static func disjunction(of conditions: [FieldCondition]) -> FieldCondition {
    if conditions.contains(.always) { return .always }
    if conditions.contains(.unknown) { return .unknown }
    let parts = conditions.filter { $0 != .never }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  package var negation: FieldCondition {
    if self == .always { return .never }
    if self == .never { return .always }
    return switch self {
    case .unknown: .unknown
    case .not(let condition): condition
    case .all, .any, .test: .not(self)
    }
  }

  /// Returns the condition for a form: a field that is not asked has no value, and one that is left out has its default.
  ///
  /// - Parameter fields: the fields of the form before this one, by their names. Others have no value yet.
  func resolved(among fields: [String: FieldSchema]) -> FieldCondition {
    let resolved: FieldCondition
    switch self {
    case .all(let parts): resolved = .conjunction(of: parts.map { $0.resolved(among: fields) })
    case .any(let parts): resolved = .disjunction(of: parts.map { $0.resolved(among: fields) })
    case .not(let part): resolved = part.resolved(among: fields).negation
    case .unknown: resolved = .unknown
    case .test(let name, let test):
      guard let field = fields[name] else { return .never }
      guard test.isPossible(for: field.kind) else { return .unknown }
      let isTrueIfAbsent = !field.absentValue.isNull && test.holds(for: field.absentValue)
      let absent = FieldCondition.not(.test(field: name, .isGiven))
      let own: FieldCondition = !isTrueIfAbsent ? self : test == .isGiven ? .always : .any([self, absent])
      resolved = .conjunction(of: [field.condition ?? .always, own])
    }
    return resolved.testCount > Self.testLimit ? .unknown : resolved
  }

  private var testCount: Int {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.testCount }
    case .not(let part): part.testCount
    case .test: 1
    case .unknown: 0
    }
  }

  /// Returns the JSON Schema of the inputs for which the condition is true.
  ///
  /// - Parameter write: returns the form in which a client has a value of the field with a name.
  package func schema(_ write: (String, Value) -> Value = { $1 }) -> Value {
    switch self {
    case .all(let parts): ["allOf": .array(parts.map { $0.schema(write) })]
    case .any(let parts): ["anyOf": .array(parts.map { $0.schema(write) })]
    case .not(let part): ["not": part.schema(write)]
    case .test(let field, let test):
      [
        "properties": .object([(field, test.schema { write(field, $0) })]), "required": [Value(field)],
      ]
    case .unknown: .emptyObject
    }
  }
}

extension FieldCondition.Test {
  /// Returns whether clients can test values of the kind: the service stores a moment, and a list, in a form of its own.
  fileprivate func isPossible(for kind: any FieldKind) -> Bool {
    if kind.control == .dateTime { return false }
    return switch self {
    case .isGiven: true
    case .contains: kind.type == "array"
    case .isOneOf: kind.type != "array"
    case .isWithin: kind.type == "integer" || kind.type == "number"
    }
  }

  /// Returns whether a value other than null passes the test.
  fileprivate func holds(for value: Value) -> Bool {
    switch self {
    case .isGiven: return true
    case .isOneOf(let values): return values.contains { $0.isSame(as: value) }
    case .contains(let item): return value.elements.contains { $0.isSame(as: item) }
    case .isWithin(let bound, let limit):
      guard let value = value.double, let limit = limit.double else { return false }
      return switch bound {
      case .minimum: value >= limit
      case .exclusiveMinimum: value > limit
      case .maximum: value <= limit
      case .exclusiveMaximum: value < limit
      }
    }
  }

  fileprivate func schema(_ write: (Value) -> Value) -> Value {
    switch self {
    case .isGiven: ["not": ["const": .null]]
    case .isOneOf(let values):
      values.count == 1 ? ["const": write(values[0])] : ["enum": .array(values.map { write($0) })]
    // Without a type, any value of another one passes.
    case .isWithin(let bound, let limit): .object([("type", "number"), (bound.rawValue, write(limit))])
    case .contains(let item): ["type": "array", "contains": ["const": write(item)]]
    }
  }
}

extension Value {
  /// Returns whether the values are equal in JSON Schema, where 1 is 1.0.
  fileprivate func isSame(as other: Value) -> Bool {
    self == other || double != nil && double == other.double
  }
}
