internal import Suggestions
internal import Values

private typealias Limit = Validator.Limit

// The rules that the keywords about single values mean.
extension SchemaReader {
  mutating func types(_ schema: KeywordReader) -> [SchemaType]? {
    guard let value = schema[.type] else { return nil }
    let pointer = schema.pointer(to: .type)
    guard value.kind == .text || value.kind == .array, value.kind == .text || value.count > 0 else {
      report("type must be a name, or a list of names such as [string, \"null\"].", at: pointer)
      return nil
    }
    guard value.kind == .array else { return type(value, at: pointer).map { [$0] } }
    var types: Set<SchemaType> = []
    for (index, element) in value.elements.enumerated() {
      guard let type = type(element, at: "\(pointer)/\(index)") else { continue }
      if !types.insert(type).inserted { report("type has a name twice. Remove one.", at: "\(pointer)/\(index)") }
    }
    return SchemaType.allCases.filter(types.contains)
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
      let (constant, text) = (ComparableValue(value), Sentence.text(of: value))
      rules.add { (validator, value) throws(Limit) in
        try validator.charge(forBytesOf: value)
        if constant != ComparableValue(value) {
          validator.fail(.const, "must be \(text ?? "the value of the schema")")
        }
      }
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
    let (values, text) = (Set(indices.keys), Sentence.text(ofChoices: list))
    rules.add { (validator, value) throws(Limit) in
      try validator.charge(forBytesOf: value)
      if !values.contains(ComparableValue(value)) {
        validator.fail(.enumeration, "must be one of \(text ?? "the \(values.count) values of the schema")")
      }
    }
    return rules
  }

  private static let bounds: [(keyword: Keyword, phrase: String, holds: @Sendable (Number, Number) -> Bool)] = [
    (.minimum, "at least", { $0 >= $1 }), (.exclusiveMinimum, "greater than", { $0 > $1 }),
    (.maximum, "at most", { $0 <= $1 }), (.exclusiveMaximum, "less than", { $0 < $1 }),
  ]

  mutating func numberRules(_ schema: KeywordReader) -> [Rule] {
    let bounds = Self.bounds.map { (bound: $0, limit: number($0.keyword, of: schema)) }
    for (lower, minimum) in bounds.prefix(2) {
      for (upper, maximum) in bounds.suffix(2) {
        guard let minimum, let maximum else { continue }
        let isExclusive = lower.keyword == .exclusiveMinimum || upper.keyword == .exclusiveMaximum
        guard isExclusive ? minimum >= maximum : minimum > maximum else { continue }
        report(
          "No number is valid, because \(lower.keyword.rawValue) \(minimum.text) is "
            + "\(isExclusive ? "not less" : "greater") than \(upper.keyword.rawValue) \(maximum.text). Change one of "
            + "them.", at: schema.pointer(to: lower.keyword))
      }
    }
    var rules: [Rule] = []
    for case (let bound, let limit?) in bounds {
      rules.add { validator, value in
        guard let number = Number(value), !bound.holds(number, limit) else { return }
        validator.fail(bound.keyword, "must be \(bound.phrase) \(limit.text)")
      }
    }
    guard let divisor = number(.multipleOf, of: schema) else { return rules }
    guard divisor > .integer(0) else {
      report("multipleOf must be greater than 0.", at: schema.pointer(to: .multipleOf))
      return rules
    }
    rules.add { (validator, value) throws(Limit) in
      guard let number = Number(value) else { return }
      // The division of 1e300 by 1e-300 takes a digit after the other.
      try validator.charge(8)
      if !number.isMultiple(of: divisor) { validator.fail(.multipleOf, "must be a multiple of \(divisor.text)") }
    }
    return rules
  }

  mutating func textRules(_ schema: KeywordReader) -> [Rule] {
    var (rules, maximumLength) = countRules(.minLength, .maxLength, of: schema, on: .text, ("character", "characters"))
    if let source = text(.pattern, of: schema), let pattern = pattern(source, at: schema.pointer(to: .pattern)) {
      rules.add { [maximumLength] (validator, value) throws(Limit) in
        guard let text = value.text else { return }
        try validator.charge(forBytesOf: value)
        // Another fault says that the text is too long, and the match would take time.
        if let maximumLength, text.unicodeScalars.count > maximumLength { return }
        if try !validator.matches(text, pattern) { validator.fail(.pattern, "must match the pattern \(source)") }
      }
    }
    guard let name = text(.format, of: schema) else { return rules }
    guard let format = StandardFormat(rawValue: name) else {
      if let message = StandardFormat.message(forUnknown: name) {
        report(message, at: schema.pointer(to: .format))
      }
      return rules
    }
    guard assertsFormats else { return rules }
    rules.add { (validator, value) throws(Limit) in
      guard let text = value.text else { return }
      try validator.charge(forBytesOf: value)
      if !format.matches(text) { validator.fail(.format, "must be \(format.noun)") }
    }
    return rules
  }

  /// Returns the rules for the number of characters, items or properties, and the maximum.
  mutating func countRules(
    _ minimum: Keyword, _ maximum: Keyword, of schema: KeywordReader, on kind: Value.Kind,
    _ nouns: (one: String, several: String)
  ) -> (rules: [Rule], maximum: Int?) {
    let (least, most) = (count(minimum, of: schema), count(maximum, of: schema))
    if let least, let most, least > most {
      report(
        "No value is valid, because \(minimum.rawValue) \(least) is greater than \(maximum.rawValue) \(most). "
          + "Change one of them.", at: schema.pointer(to: minimum))
    }
    var rules: [Rule] = []
    if let least {
      let demand = least == 1 ? "must not be empty" : "must have at least \(least) \(nouns.several)"
      rules.add(count: minimum, on: kind, demand) { $0 >= least }
    }
    if let most {
      let demand = most == 0 ? "must be empty" : "must have at most \(most) \(most == 1 ? nouns.one : nouns.several)"
      rules.add(count: maximum, on: kind, demand) { $0 <= most }
    }
    return (rules, most)
  }
}

extension [Rule] {
  /// Adds a demand on the number of characters, items or properties.
  fileprivate mutating func add(
    count keyword: Keyword, on kind: Value.Kind, _ demand: String, _ holds: @escaping @Sendable (Int) -> Bool
  ) {
    add(on: kind) { (validator, value) throws(Limit) in
      var count = value.count
      if let text = value.text {
        try validator.charge(forBytesOf: value)
        // The length is in code points (JSON Schema Validation, section 6.3.1).
        count = text.unicodeScalars.count
      }
      if !holds(count) { validator.fail(keyword, demand) }
    }
  }
}
