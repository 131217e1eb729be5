internal import Values

/// A value whose equality is that of JSON Schema: 1 equals 1.0, and the order of members does not matter (JSON Schema
/// Core, section 4.2.2).
enum ComparableValue: Sendable, Hashable {
  /// Null, a boolean or a text, whose bytes decide.
  case simple(Value)
  case number(Number)
  case array([ComparableValue])
  case object([Value: ComparableValue])

  init(_ value: Value) {
    switch value.kind {
    case .null, .boolean, .text: self = .simple(value)
    case .integer, .double: self = Number(value).map { .number($0) } ?? .simple(value)
    case .array: self = .array(value.elements.map { ComparableValue($0) })
    case .map:
      var members: [Value: ComparableValue] = [:]
      for member in value.members { members[member.keyValue] = ComparableValue(member.value) }
      self = .object(members)
    }
  }
}
