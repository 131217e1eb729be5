internal import Suggestions
internal import Values

extension Validator {
  // MARK: Arrays

  mutating func applyArrayRule(_ rule: Rule, to array: Value) throws(Limit) {
    switch rule {
    case .items(let prefix, let rest):
      for (index, element) in array.elements.enumerated() {
        guard let schema = index < prefix.count ? prefix[index] : rest, !isDone else { return }
        try validate(element, at: .index(index), by: schema)
      }
    case .contains(let schema, let minimum, let maximum):
      var count = 0
      for element in array.elements where try matches(element, schema: schema) { count += 1 }
      if count < minimum || count > maximum ?? .max {
        fail(.contains, Sentence.demand(ofContained: minimum, maximum))
      }
    case .uniqueItems:
      try charge(forBytesOf: array)
      var indices: [ComparableValue: Int] = [:]
      for (index, element) in array.elements.enumerated() {
        try charge()
        guard let earlier = indices.updateValue(index, forKey: ComparableValue(element)) else { continue }
        return fail(.uniqueItems, at: .index(index), "must differ from the item \(earlier)")
      }
    default: break
    }
  }

  // MARK: Objects

  mutating func applyObjectRule(_ rule: Rule, to object: Value) throws(Limit) {
    switch rule {
    case .properties(let properties): try apply(properties, to: object)
    case .propertyNames(let schema):
      for member in object.members where !isDone {
        guard let faults = try faults(of: member.keyValue, schema: schema) else { continue }
        let demands = faults.map { "its name \($0.message)" }.joined(separator: ", and ")
        fail(.propertyNames, at: .key(member.keyValue), "must be left out, because \(demands)")
      }
    case .required(let names): try require(names, of: object, keyword: .required, "is required")
    case .dependentRequired(let dependencies):
      for (property, names) in dependencies where try has(property, object) {
        try require(names, of: object, keyword: .dependentRequired, "is required beside \(property.text ?? "")")
      }
    case .dependentSchemas(let dependencies):
      for (property, schema) in dependencies where try has(property, object) { try validate(object, by: schema) }
    default: break
    }
  }

  private mutating func apply(_ properties: Rule.Properties, to object: Value) throws(Limit) {
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
      if case .never? = nodes[schema].rules.first {
        if collectsFaults { try charge(Suggestion.stepCount(for: member.key, among: properties.named.count)) }
        fail(
          .additionalProperties, at: .key(member.keyValue),
          Sentence.demand(withoutAdditional: member.key, known: properties.named.keys.compactMap(\.text)))
      } else {
        try validate(member.value, at: .key(member.keyValue), by: schema)
      }
    }
  }

  private mutating func has(_ property: Value, _ object: Value) throws(Limit) -> Bool {
    try charge(1 + object.count / 16)
    return property.text.flatMap { object[$0] } != nil
  }

  private mutating func require(
    _ names: [Value], of object: Value, keyword: Keyword, _ message: @autoclosure () -> String
  ) throws(Limit) {
    try charge(names.count + object.count)
    let present = Set(object.members.map(\.keyValue))
    for name in names where !present.contains(name) { fail(keyword, at: .key(name), message()) }
  }
}
