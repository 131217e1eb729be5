internal import Patterns
internal import Values

// The values of keywords. Each function returns nil for an absent keyword, and reports a value of the wrong type.
extension SchemaReader {
  mutating func text(_ keyword: Keyword, of schema: KeywordReader) -> String? {
    guard let value = schema[keyword] else { return nil }
    if value.text == nil { report("\(keyword.rawValue) must be a string.", at: schema.pointer(to: keyword)) }
    return value.text
  }

  mutating func flag(_ keyword: Keyword, of schema: KeywordReader) -> Bool? {
    guard let value = schema[keyword] else { return nil }
    if value.bool == nil { report("\(keyword.rawValue) must be true or false.", at: schema.pointer(to: keyword)) }
    return value.bool
  }

  mutating func list(_ keyword: Keyword, of schema: KeywordReader) -> Value? {
    guard let value = schema[keyword] else { return nil }
    guard value.kind == .array else {
      report("\(keyword.rawValue) must be a list.", at: schema.pointer(to: keyword))
      return nil
    }
    return value
  }

  mutating func number(_ keyword: Keyword, of schema: KeywordReader) -> Number? {
    guard let value = schema[keyword] else { return nil }
    let number = Number(value)
    if number == nil { report("\(keyword.rawValue) must be a number.", at: schema.pointer(to: keyword)) }
    return number
  }

  /// Reads a whole number of at least 0. One beyond the range of Int becomes the maximum.
  mutating func count(_ keyword: Keyword, of schema: KeywordReader) -> Int? {
    guard let value = schema[keyword] else { return nil }
    guard let number = Number(value), number.isWhole, number >= .integer(0) else {
      report("\(keyword.rawValue) must be a whole number of at least 0.", at: schema.pointer(to: keyword))
      return nil
    }
    return if case .integer(let integer) = number { Int(clamping: integer) } else { .max }
  }

  mutating func schema(_ keyword: Keyword, of schema: KeywordReader) -> Int? {
    guard let value = schema[keyword] else { return nil }
    return self.schema(value, at: schema.pointer(to: keyword))
  }

  mutating func schemas(_ keyword: Keyword, of schema: KeywordReader) -> [Int]? {
    guard let list = list(keyword, of: schema) else { return nil }
    let pointer = schema.pointer(to: keyword)
    if list.count == 0 { report("\(keyword.rawValue) must have at least one schema.", at: pointer) }
    return list.elements.enumerated().map { index, value in self.schema(value, at: "\(pointer)/\(index)") }
  }

  mutating func members(_ keyword: Keyword, of schema: KeywordReader) -> Value.Members? {
    guard let value = schema[keyword] else { return nil }
    guard value.kind == .map else {
      report("\(keyword.rawValue) must be an object.", at: schema.pointer(to: keyword))
      return nil
    }
    return value.members
  }

  mutating func namedSchemas(_ keyword: Keyword, of schema: KeywordReader) -> [(name: Value, schema: Int)]? {
    guard let members = members(keyword, of: schema) else { return nil }
    let pointer = schema.pointer(to: keyword)
    return members.map { ($0.keyValue, self.schema($0.value, at: JSONPointer.adding($0.key, to: pointer))) }
  }

  /// Reads a list of the names of properties, each once.
  mutating func names(_ value: Value, keyword: Keyword, at pointer: String) -> [Value] {
    guard value.kind == .array else {
      report("\(keyword.rawValue) must be a list of names, such as [id, name].", at: pointer)
      return []
    }
    var known: Set<Value> = []
    for (index, name) in value.elements.enumerated() {
      guard let text = name.text else {
        report("A name in \(keyword.rawValue) must be a string.", at: "\(pointer)/\(index)")
        continue
      }
      if !known.insert(name).inserted {
        report("\(keyword.rawValue) has \(text) twice. Remove one.", at: "\(pointer)/\(index)")
      }
    }
    return Array(value.elements)
  }

  mutating func pattern(_ source: String, at pointer: String) -> Pattern? {
    do throws(PatternFault) {
      return try Pattern(source)
    } catch {
      report(error.message, at: pointer)
      return nil
    }
  }

  /// Reports two counts that no value satisfies, such as `minLength` and `maxLength`.
  mutating func checkOrder(_ minimum: (Keyword, Int?), _ maximum: (Keyword, Int?), of schema: KeywordReader) {
    guard let least = minimum.1, let most = maximum.1, least > most else { return }
    report(
      "No value is valid, because \(minimum.0.rawValue) \(least) is greater than \(maximum.0.rawValue) \(most). "
        + "Change one of them.", at: schema.pointer(to: minimum.0))
  }
}
