/// An action of a screen or a prompt.
public struct Action: Sendable {
  public let name: String
  public let title: String
  public let role: Role
  public let isEnabled: Bool
  /// The reason why the action is disabled.
  public let reason: String?
  public let href: String
  public let input: Input

  public enum Role: String, Sendable { case primary, secondary, destructive, cancel }

  /// The input of an action (JSON Schema 2020-12).
  public struct Input: Sendable {
    /// In the order of the form.
    public let fields: [Field]
  }
}

extension Action {
  init(_ action: ObjectReader) throws(ViewError) {
    name = try action.string("name")
    title = try action.string("title")
    // A role that this version does not know counts as secondary.
    role = Role(rawValue: try action.string("role")) ?? .secondary
    isEnabled = try action.bool("enabled")
    reason = try action.optionalString("reason")
    href = try action.string("href")
    let schema = try action.value("input")
    let required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
    let properties = schema["properties"]?.members ?? []
    input = Input(
      fields: properties.map { Field(name: $0.name, isRequired: required.contains($0.name), schema: $0.value) })
  }
}

/// A field of an action's input.
public struct Field: Sendable {
  public let name: String
  public let isRequired: Bool
  /// The field's JSON Schema.
  public let schema: JSONValue

  public enum Kind: String, Sendable { case integer, number, string, boolean }

  /// Whether the input must not be shown while it is typed, such as a PIN.
  public var isSecret: Bool { schema["writeOnly"]?.bool == true }

  /// The author's explanation of the field.
  public var description: String? { schema["description"]?.string }

  public var title: String { schema["title"]?.string ?? name }

  public var kind: Kind {
    let type = schema["type"]
    let name = type?.string ?? type?.elements.compactMap(\.string).first { $0 != "null" }
    return name.flatMap { Kind(rawValue: $0) } ?? .string
  }

  /// The values that the field allows, each with its title; nil if the field allows any text.
  public var choices: [(value: String, title: String)]? {
    if let titled = schema["oneOf"]?.elements {
      return titled.compactMap { choice in
        choice["const"]?.string.map { ($0, choice["title"]?.string ?? $0) }
      }
    }
    return schema["enum"].map { $0.elements.compactMap(\.string).map { ($0, $0) } }
  }

  /// Returns the value that typed text stands for, or nil if the text is empty.
  ///
  /// Text that is not valid for the field is returned as a string: the service refuses it with a reason.
  public func value(of typed: String) -> JSONValue? {
    if typed.isEmpty { return nil }
    switch kind {
    case .integer, .number:
      return JSONValue.number(typed) ?? .string(typed)
    case .boolean:
      switch typed.lowercased() {
      case "yes", "y", "true": return true
      case "no", "n", "false": return false
      default: return .string(typed)
      }
    case .string:
      guard let choices, !choices.contains(where: { $0.value == typed }) else { return .string(typed) }
      if let number = Int(typed), number >= 1, number <= choices.count { return .string(choices[number - 1].value) }
      return .string(choices.first { $0.title.lowercased() == typed.lowercased() }?.value ?? typed)
    }
  }
}
