internal import Patterns
internal import Values

// The values of keywords. Each function returns nil for an absent keyword, and reports a value of the wrong type.
extension SchemaReader {
  private mutating func value<Read>(
    _ keyword: Keyword, of schema: KeywordReader, _ demand: String, _ read: (Value) -> Read?
  ) -> Read? {
    guard let value = schema[keyword] else { return nil }
    let result = read(value)
    if result == nil { report("\(keyword.rawValue) must be \(demand).", at: schema.pointer(to: keyword)) }
    return result
  }

  mutating func text(_ keyword: Keyword, of schema: KeywordReader) -> String? {
    value(keyword, of: schema, "a string", \.text)
  }

  mutating func flag(_ keyword: Keyword, of schema: KeywordReader) -> Bool? {
    value(keyword, of: schema, "true or false", \.bool)
  }

  mutating func list(_ keyword: Keyword, of schema: KeywordReader) -> Value? {
    value(keyword, of: schema, "a list") { $0.kind == .array ? $0 : nil }
  }

  mutating func number(_ keyword: Keyword, of schema: KeywordReader) -> Number? {
    value(keyword, of: schema, "a number") { Number($0) }
  }

  mutating func members(_ keyword: Keyword, of schema: KeywordReader) -> Value.Members? {
    value(keyword, of: schema, "an object") { $0.kind == .map ? $0.members : nil }
  }

  /// Reads a whole number of at least 0. A number beyond the range of Int becomes the maximum.
  mutating func count(_ keyword: Keyword, of schema: KeywordReader) -> Int? {
    value(keyword, of: schema, "a whole number of at least 0") { value in
      guard let number = Number(value), number.isWhole, number >= .integer(0) else { return nil }
      return if case .integer(let integer) = number { Int(clamping: integer) } else { .max }
    }
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

  mutating func pattern(_ source: String, at pointer: String) -> Automaton? {
    do throws(PatternFault) {
      return try ECMAPatternParser.automaton(of: source)
    } catch {
      report(error.message, at: pointer)
      return nil
    }
  }
}
