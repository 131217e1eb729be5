public import Values

/// Something that can be done on a screen or in a prompt.
public struct Action: Decodable, Sendable {
  public let name: String
  public let title: String
  public let role: Role
  public let enabled: Bool
  /// Why it cannot be done now.
  public let reason: String?
  public let href: String
  public let input: Input

  public enum Role: String, Decodable, Sendable {
    case primary, secondary, destructive, cancel

    /// One that this client does not know is secondary.
    public init(from decoder: any Decoder) throws {
      self = Role(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .secondary
    }
  }

  /// What an action asks for, in the order of the form (JSON Schema 2020-12).
  public struct Input: Decodable, Sendable {
    public let fields: [Field]

    public init(from decoder: any Decoder) throws {
      let schema = try Value(from: decoder)
      let required = Set(schema["required"]?.elements.compactMap(\.text) ?? [])
      fields =
        schema["properties"]?.members.map { member in
          Field(name: member.key, isRequired: required.contains(member.key), schema: member.value)
        } ?? []
    }
  }
}

/// One field of an input.
public struct Field: Sendable {
  public let name: String
  public let isRequired: Bool
  /// The field's JSON Schema.
  public let schema: Value

  /// Whether nobody is to read what is typed, such as a PIN.
  public var isSecret: Bool { schema["writeOnly"]?.bool == true }

  public enum Kind: String, Sendable { case integer, number, string, boolean }

  /// What the author says of it.
  public var description: String? { schema["description"]?.text }

  public var title: String { schema["title"]?.text ?? name }

  public var kind: Kind {
    let type = schema["type"]
    let name = type?.text ?? type?.elements.compactMap(\.text).first { $0 != "null" }
    return name.flatMap { Kind(rawValue: $0) } ?? .string
  }

  /// The texts that it can have, each with what people read in its place; nil where any will do.
  public var choices: [(value: String, title: String)]? {
    if let titled = schema["oneOf"]?.elements {
      return titled.compactMap { choice in
        choice["const"]?.text.map { ($0, choice["title"]?.text ?? $0) }
      }
    }
    return schema["enum"].map { $0.elements.compactMap(\.text).map { ($0, $0) } }
  }

  /// What a person typed, as the value that is sent; nil for a field that was left empty. What does not fit is sent as it is, and
  /// refused with a reason.
  public func value(of typed: String) -> Value? {
    if typed.isEmpty { return nil }
    switch kind {
    case .integer, .number:
      return JSONParser.number(typed) ?? Value(typed)
    case .boolean:
      let words: [String: Value] = ["yes": true, "y": true, "true": true, "no": false, "n": false, "false": false]
      return words[typed.lowercased()] ?? Value(typed)
    case .string:
      let place = Int(typed).map { $0 - 1 }
      guard let choices, !choices.contains(where: { $0.value == typed }) else { return Value(typed) }
      if let place, choices.indices.contains(place) { return Value(choices[place].value) }
      return Value(choices.first { $0.title.lowercased() == typed.lowercased() }?.value ?? typed)
    }
  }
}
