internal import Suggestions
internal import Values

// The rules that the keywords of a schema mean.
extension SchemaReader {
  mutating func typeRules(_ schema: KeywordReader) -> [Rule] {
    guard let value = schema[.type] else { return [] }
    let pointer = schema.pointer(to: .type)
    guard value.kind == .text || value.kind == .array, value.kind == .text || value.count > 0 else {
      report("type must be a name, or a list of names such as [string, \"null\"].", at: pointer)
      return []
    }
    guard value.kind == .array else { return type(value, at: pointer).map { [.types([$0])] } ?? [] }
    var types: Set<SchemaType> = []
    for (index, element) in value.elements.enumerated() {
      guard let type = type(element, at: "\(pointer)/\(index)") else { continue }
      if !types.insert(type).inserted { report("type has a name twice. Remove one.", at: "\(pointer)/\(index)") }
    }
    return [.types(SchemaType.allCases.filter(types.contains))]
  }

  private mutating func type(_ value: Value, at pointer: String) -> SchemaType? {
    let names = SchemaType.allCases.map(\.rawValue)
    if let name = value.text {
      if let type = SchemaType(rawValue: name) { return type }
      let suggestion = Suggestion.text(for: name, among: names)
      report(
        "There is no type \(name)."
          + (suggestion.isEmpty ? " Write one of \(names.joined(separator: ", "))." : suggestion),
        at: pointer)
    } else {
      report("A type must be one of the strings \(names.joined(separator: ", ")).", at: pointer)
    }
    return nil
  }

  mutating func valueRules(_ schema: KeywordReader) -> [Rule] {
    var rules: [Rule] = []
    if let value = schema[.const] {
      rules.append(.constant(ComparableValue(value), text: Sentence.text(of: value)))
    }
    guard let list = list(.enumeration, of: schema) else { return rules }
    let pointer = schema.pointer(to: .enumeration)
    if list.count == 0 { report("enum must have at least one value.", at: pointer) }
    var indices: [ComparableValue: Int] = [:]
    for (index, value) in list.elements.enumerated() {
      let earlier = indices.updateValue(index, forKey: ComparableValue(value))
      if let earlier {
        report("enum has this value twice, also at \(pointer)/\(earlier). Remove one.", at: "\(pointer)/\(index)")
      }
    }
    return rules + [.enumeration(Set(indices.keys), text: Sentence.text(ofChoices: list))]
  }

  mutating func numberRules(_ schema: KeywordReader) -> [Rule] {
    let minimums = [Keyword.minimum, .exclusiveMinimum].map { ($0, number($0, of: schema)) }
    let maximums = [Keyword.maximum, .exclusiveMaximum].map { ($0, number($0, of: schema)) }
    for (lower, minimum) in minimums {
      for (upper, maximum) in maximums {
        guard let minimum, let maximum else { continue }
        let isExclusive = lower == .exclusiveMinimum || upper == .exclusiveMaximum
        guard isExclusive ? minimum >= maximum : minimum > maximum else { continue }
        report(
          "No number is valid, because \(lower.rawValue) \(minimum.text) is "
            + "\(isExclusive ? "not less" : "greater") than \(upper.rawValue) \(maximum.text). Change one of them.",
          at: schema.pointer(to: lower))
      }
    }
    var rules = (minimums + maximums).compactMap { keyword, number in number.map { Rule.bound(keyword, $0) } }
    if let divisor = number(.multipleOf, of: schema) {
      if divisor > .integer(0) {
        rules.append(.multiple(divisor))
      } else {
        report("multipleOf must be greater than 0.", at: schema.pointer(to: .multipleOf))
      }
    }
    return rules
  }

  mutating func textRules(_ schema: KeywordReader) -> [Rule] {
    var rules = countRules(.minLength, .maxLength, of: schema)
    if let source = text(.pattern, of: schema), let pattern = pattern(source, at: schema.pointer(to: .pattern)) {
      let maximumLength = rules.lazy.compactMap { if case .count(.maxLength, let count) = $0 { count } else { nil } }
      rules.append(.pattern(pattern, source: source, maximumLength: maximumLength.first))
    }
    if let name = text(.format, of: schema) {
      if let format = StandardFormat(rawValue: name) {
        if assertsFormats { rules.append(.format(format)) }
      } else if let message = StandardFormat.message(forUnknown: name) {
        report(message, at: schema.pointer(to: .format))
      }
    }
    return rules
  }

  mutating func arrayRules(_ schema: KeywordReader) -> [Rule] {
    var rules = countRules(.minItems, .maxItems, of: schema)
    let prefix = schemas(.prefixItems, of: schema) ?? []
    let rest = self.schema(.items, of: schema)
    if !prefix.isEmpty || rest != nil { rules.append(.items(prefix: prefix, rest: rest)) }
    let (minimum, maximum) = (count(.minContains, of: schema), count(.maxContains, of: schema))
    if let contained = self.schema(.contains, of: schema) {
      rules.append(.contains(contained, minimum: minimum ?? 1, maximum: maximum))
    }
    if flag(.uniqueItems, of: schema) == true { rules.append(.uniqueItems) }
    return rules
  }

  mutating func objectRules(_ schema: KeywordReader) -> [Rule] {
    var rules = countRules(.minProperties, .maxProperties, of: schema)
    if let names = schema[.required] {
      rules.append(.required(self.names(names, keyword: .required, at: schema.pointer(to: .required))))
    }
    if let members = members(.dependentRequired, of: schema) {
      let pointer = schema.pointer(to: .dependentRequired)
      rules.append(
        .dependentRequired(
          members.map { member in
            let pointer = JSONPointer.adding(member.key, to: pointer)
            return (member.keyValue, names(member.value, keyword: .dependentRequired, at: pointer))
          }))
    }
    if let properties = properties(schema) { rules.append(.properties(properties)) }
    if let name = self.schema(.propertyNames, of: schema) { rules.append(.propertyNames(name)) }
    if let schemas = namedSchemas(.dependentSchemas, of: schema) {
      rules.append(.dependentSchemas(schemas.map { ($0.name, $0.schema) }))
    }
    return rules
  }

  private mutating func properties(_ schema: KeywordReader) -> Rule.Properties? {
    var properties = Rule.Properties()
    for (name, property) in namedSchemas(.properties, of: schema) ?? [] { properties.named[name] = property }
    for (name, property) in namedSchemas(.patternProperties, of: schema) ?? [] {
      let source = name.text ?? ""
      let pointer = JSONPointer.adding(source, to: schema.pointer(to: .patternProperties))
      if let pattern = pattern(source, at: pointer) { properties.matching.append((pattern, property)) }
    }
    properties.additional = self.schema(.additionalProperties, of: schema)
    let isEmpty = properties.named.isEmpty && properties.matching.isEmpty && properties.additional == nil
    return isEmpty ? nil : properties
  }

  private mutating func countRules(_ minimum: Keyword, _ maximum: Keyword, of schema: KeywordReader) -> [Rule] {
    let (least, most) = (count(minimum, of: schema), count(maximum, of: schema))
    if let least, let most, least > most {
      report(
        "No value is valid, because \(minimum.rawValue) \(least) is greater than \(maximum.rawValue) \(most). "
          + "Change one of them.", at: schema.pointer(to: minimum))
    }
    return [least.map { .count(minimum, $0) }, most.map { .count(maximum, $0) }].compactMap(\.self)
  }
}
