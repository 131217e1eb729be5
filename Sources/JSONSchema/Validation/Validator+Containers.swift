internal import Patterns
internal import Suggestions
internal import Values

/// The schemas of the keywords `properties`, `patternProperties` and `additionalProperties`.
struct PropertySchemas: Sendable {
  var named: [Value: Int] = [:]
  var matching: [(pattern: Automaton, schema: Int)] = []
  var additional: Int?
  /// Whether `additionalProperties` is not false.
  var allowsOthers = true
}

extension Validator {
  /// The number of similar names above which none is proposed, because each comparison takes microseconds.
  private static let comparisonLimit = 256

  mutating func apply(_ properties: PropertySchemas, to object: Value) throws(Limit) {
    for member in object.members where !isDone {
      try charge()
      var isNamed = false
      if let schema = properties.named[member.keyValue] {
        isNamed = true
        try validate(member.value, at: .key(member.keyValue), by: schema)
      }
      for (pattern, schema) in properties.matching where try matches(member.key, pattern) {
        isNamed = true
        try validate(member.value, at: .key(member.keyValue), by: schema)
      }
      guard !isNamed, let schema = properties.additional else { continue }
      if !properties.allowsOthers {
        if collectsFaults { try charge(Suggestion.stepCount(for: member.key, among: properties.named.count)) }
        fail(
          .additionalProperties, at: .key(member.keyValue),
          "must be left out, because the schema has no such property."
            + Suggestion.text(
              for: member.key, among: properties.named.keys.compactMap(\.text), comparisonLimit: Self.comparisonLimit))
      } else {
        try validate(member.value, at: .key(member.keyValue), by: schema)
      }
    }
  }

  mutating func has(_ property: String, _ object: Value) throws(Limit) -> Bool {
    try charge(1 + object.count / 16)
    return object[property] != nil
  }

  mutating func require(
    _ names: [Value], of object: Value, keyword: Keyword, _ message: @autoclosure () -> String
  ) throws(Limit) {
    try charge(names.count + object.count)
    let present = Set(object.members.map(\.keyValue))
    for name in names where !present.contains(name) { fail(keyword, at: .key(name), message()) }
  }
}
