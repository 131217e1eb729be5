internal import Values

private typealias Limit = Validator.Limit

// The rules that apply further schemas, to the same value or to its parts, and those of arrays and objects.
extension SchemaReader {
  // MARK: Arrays

  mutating func arrayRules(_ schema: KeywordReader) -> [Rule] {
    var rules = countRules(.minItems, .maxItems, of: schema, on: .array, ("item", "items")).rules
    let prefix = schemas(.prefixItems, of: schema) ?? []
    let rest = self.schema(.items, of: schema)
    if !prefix.isEmpty || rest != nil {
      rules.add(on: .array) { (validator, array) throws(Limit) in
        for (index, element) in array.elements.enumerated() {
          guard let schema = index < prefix.count ? prefix[index] : rest, !validator.isDone else { return }
          try validator.validate(element, at: .index(index), by: schema)
        }
      }
    }
    let (minimum, maximum) = (count(.minContains, of: schema) ?? 1, count(.maxContains, of: schema))
    if let contained = self.schema(.contains, of: schema) {
      rules.add(on: .array) { (validator, array) throws(Limit) in
        var count = 0
        for element in array.elements where try validator.matches(element, schema: contained) { count += 1 }
        if count < minimum || count > maximum ?? .max {
          validator.fail(.contains, Sentence.demand(ofContained: minimum, maximum))
        }
      }
    }
    guard flag(.uniqueItems, of: schema) == true else { return rules }
    rules.add(on: .array) { (validator, array) throws(Limit) in
      try validator.charge(forBytesOf: array)
      var indices: [ComparableValue: Int] = [:]
      for (index, element) in array.elements.enumerated() {
        try validator.charge()
        guard let earlier = indices.updateValue(index, forKey: ComparableValue(element)) else { continue }
        return validator.fail(.uniqueItems, at: .index(index), "must differ from the item \(earlier)")
      }
    }
    return rules
  }

  // MARK: Objects

  mutating func objectRules(_ schema: KeywordReader) -> [Rule] {
    var rules = countRules(.minProperties, .maxProperties, of: schema, on: .map, ("property", "properties")).rules
    if let value = schema[.required] {
      let names = names(value, keyword: .required, at: schema.pointer(to: .required))
      rules.add(on: .map) { (validator, object) throws(Limit) in
        try validator.require(names, of: object, keyword: .required, "is required")
      }
    }
    if let members = members(.dependentRequired, of: schema) {
      let pointer = schema.pointer(to: .dependentRequired)
      let dependencies = members.map { member in
        let pointer = JSONPointer.adding(member.key, to: pointer)
        return (property: member.key, names: names(member.value, keyword: .dependentRequired, at: pointer))
      }
      rules.add(on: .map) { (validator, object) throws(Limit) in
        for (property, names) in dependencies where try validator.has(property, object) {
          try validator.require(names, of: object, keyword: .dependentRequired, "is required beside \(property)")
        }
      }
    }
    if let properties = properties(schema) {
      rules.add(on: .map) { (validator, object) throws(Limit) in try validator.apply(properties, to: object) }
    }
    if let name = self.schema(.propertyNames, of: schema) {
      rules.add(on: .map) { (validator, object) throws(Limit) in
        for member in object.members where !validator.isDone {
          guard let faults = try validator.faults(of: member.keyValue, schema: name) else { continue }
          let demands = faults.map { "its name \($0.message)" }.joined(separator: ", and ")
          validator.fail(
            .propertyNames, at: .key(member.keyValue), "must be left out, because \(demands)")
        }
      }
    }
    guard let dependencies = namedSchemas(.dependentSchemas, of: schema) else { return rules }
    rules.add(on: .map, schemasInPlace: dependencies.map(\.schema)) { (validator, object) throws(Limit) in
      for (property, schema) in dependencies where try validator.has(property.text ?? "", object) {
        try validator.validate(object, by: schema)
      }
    }
    return rules
  }

  private mutating func properties(_ schema: KeywordReader) -> PropertySchemas? {
    var properties = PropertySchemas()
    for (name, property) in namedSchemas(.properties, of: schema) ?? [] { properties.named[name] = property }
    for (name, property) in namedSchemas(.patternProperties, of: schema) ?? [] {
      let source = name.text ?? ""
      let pointer = JSONPointer.adding(source, to: schema.pointer(to: .patternProperties))
      if let pattern = pattern(source, at: pointer) { properties.matching.append((pattern, property)) }
    }
    properties.allowsOthers = schema[.additionalProperties]?.bool != false
    properties.additional = self.schema(.additionalProperties, of: schema)
    let isEmpty = properties.named.isEmpty && properties.matching.isEmpty && properties.additional == nil
    return isEmpty ? nil : properties
  }

  // MARK: Combinations

  mutating func combinations(_ schema: KeywordReader) -> [Rule] {
    var rules: [Rule] = []
    if let all = schemas(.allOf, of: schema) {
      rules.add(schemasInPlace: all) { (validator, value) throws(Limit) in
        for schema in all where !validator.isDone { try validator.validate(value, by: schema) }
      }
    }
    if let any = schemas(.anyOf, of: schema) {
      rules.add(schemasInPlace: any) { (validator, value) throws(Limit) in
        try validator.applyAny(any, to: value, keyword: .anyOf)
      }
    }
    if let one = schemas(.oneOf, of: schema) {
      rules.add(schemasInPlace: one) { (validator, value) throws(Limit) in try validator.applyOne(one, to: value) }
    }
    if let excluded = self.schema(.not, of: schema) {
      rules.add(schemasInPlace: [excluded]) { (validator, value) throws(Limit) in
        if try validator.matches(value, schema: excluded) {
          validator.fail(.not, "must not match the schema of not")
        }
      }
    }
    let consequence = self.schema(.consequence, of: schema)
    let alternative = self.schema(.alternative, of: schema)
    guard let condition = self.schema(.condition, of: schema) else { return rules }
    let schemas = [condition] + [consequence, alternative].compactMap(\.self)
    rules.add(schemasInPlace: schemas) { (validator, value) throws(Limit) in
      let isMatch = try validator.matches(value, schema: condition)
      if let schema = isMatch ? consequence : alternative { try validator.validate(value, by: schema) }
    }
    return rules
  }
}
