package import Languages

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
  /// The reasons for which the app has refused the form after it was sent. The fields begin with the refused values.
  public let errors: [InputError]

  public enum Role: String, Sendable { case primary, secondary, destructive, cancel }

  /// The input of an action (JSON Schema 2020-12).
  public struct Input: Sendable {
    /// In the order of the form.
    public let fields: [Field]
  }

  /// A reason for which the app has refused an input.
  public struct InputError: Sendable, Equatable {
    /// The name of the field; nil for the input as a whole.
    public let field: String?
    /// A sentence for people.
    public let detail: String
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
    let rules = schema["allOf"]?.elements ?? []
    input = Input(
      fields: (schema["properties"]?.members ?? []).map { property in
        let field = Field(name: property.name, isRequired: required.contains(property.name), schema: property.value)
        return rules.lazy.compactMap { field.asked(by: $0) }.first ?? field
      })
    errors = try action.optionalObjects("errors") { error throws(ViewError) in
      let pointer = try error.string("pointer")
      return InputError(field: pointer.isEmpty ? nil : String(pointer.dropFirst()), detail: try error.string("detail"))
    }
  }
}

/// A field of an action's input.
public struct Field: Sendable {
  public let name: String
  /// Whether an input without the field is invalid, if it needs the field.
  public let isRequired: Bool
  /// The field's JSON Schema.
  public let schema: JSONValue
  /// The JSON Schema of the inputs that need the field; nil for all inputs. The service ignores its value in others.
  public let condition: JSONValue?

  package init(name: String, isRequired: Bool, schema: JSONValue, condition: JSONValue? = nil) {
    (self.name, self.isRequired, self.schema, self.condition) = (name, isRequired, schema, condition)
  }

  /// Returns the field with its condition; nil if a rule of the input, an `if` with a `then`, is about another field.
  fileprivate func asked(by rule: JSONValue) -> Field? {
    guard let condition = rule["if"], let then = rule["then"], let schema = then["properties"]?[name] else {
      return nil
    }
    let isRequired = then["required"]?.elements.contains { $0.string == name } ?? false
    return Field(name: name, isRequired: isRequired, schema: schema, condition: condition)
  }

  /// Returns whether the form asks for the field, after the fields before it.
  public func isAsked(after input: JSONValue) -> Bool { condition.map { input.fulfills($0) } ?? true }

  public enum Kind: String, Sendable { case integer, number, string, boolean, array }

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

  /// The values that the field or each item of it allows, each with its title and its hint; nil if the field allows
  /// others.
  public var choices: [(value: JSONValue, title: String, hint: String?)]? {
    let schema = kind == .array ? schema["items"] ?? schema : schema
    if let titled = schema["oneOf"]?.elements {
      return titled.compactMap { choice -> (value: JSONValue, title: String, hint: String?)? in
        guard let value = choice["const"], !value.isNull else { return nil }
        return (value, choice["title"]?.string ?? value.typed, choice["description"]?.string)
      }
    }
    return schema["enum"].map { $0.elements.filter { !$0.isNull }.map { ($0, $0.typed, nil) } }
  }

  /// The number of decimal places of an amount, which is sent as a whole number of its smallest unit; nil for any other
  /// field.
  public var decimals: Int? {
    schema["decimals"]?.integer.map { Int(min(max($0, 0), Int64(DecimalText.mostDecimals))) }
  }

  /// The unit of an amount.
  public var unit: String? { schema["unit"]?.string }

  /// The value with which a form begins; nil for an empty field.
  public var initial: JSONValue? { schema["default"] }

  /// The initial value as people read and type it; nil for an empty field.
  public var initialText: String? { initialText(in: .english) }

  package func initialText(in words: ServiceLanguage) -> String? { initial.flatMap { text(of: $0, in: words) } }

  /// Returns the hint beside the field: the author's explanation or else the limits, and an example where people type a
  /// text of some form. Returns nil for a field without.
  package func hint(in words: ServiceLanguage) -> String? {
    let isChosen = kind != .array && choices != nil
    var hints = isChosen || description != nil ? [] : limits(in: words)
    if !isChosen, let example { hints.append(words(.hintPattern, ["example": .text(example)])) }
    let sentence = hints.joined(separator: ", ")
    guard !sentence.isEmpty else { return description }
    let hint: String = sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
    return description.map { "\($0) \(hint)" } ?? hint
  }

  /// The limits that people do not see from the choices, as clauses.
  private func limits(in words: ServiceLanguage) -> [String] {
    if let digits { return [words(.hintDigits, ["count": .integer(digits)])] }
    let keywords: [(String, ServiceText)] = [
      ("minimum", .hintMinimum), ("exclusiveMinimum", .hintExclusiveMinimum), ("maximum", .hintMaximum),
      ("minItems", .hintMinimum), ("maxItems", .hintMaximum), ("formatMinimum", .hintEarliest),
      ("formatMaximum", .hintLatest),
    ]
    return keywords.compactMap { keyword, text in
      guard let limit = schema[keyword], limit != 0 || keyword != "minItems" else { return nil }
      let value: String? =
        switch keyword {
        case "minItems", "maxItems": limit.integer.map { "\($0)" }
        case "formatMinimum", "formatMaximum": limit.string.map { Self.date($0, in: words) }
        default: self.text(of: limit, in: words)
        }
      return value.map { words(text, ["limit": .text($0)]) }
    }
  }

  /// The number of digits that the text has; nil for any other text.
  private var digits: Int? {
    guard let length = schema["minLength"]?.integer else { return nil }
    return schema["pattern"]?.string == "^[0-9]{\(length)}$" ? Int(length) : nil
  }

  /// A text that the field takes; nil if people need none.
  private var example: String? {
    switch schema["format"]?.string {
    case "date": "2026-11-25"
    case "date-time": "2026-11-25T09:30:00+01:00"
    default: schema["examples"]?.elements.first?.string
    }
  }

  /// Returns a date of RFC 3339 as people of the language read it.
  private static func date(_ text: String, in words: ServiceLanguage) -> String {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    return parts.count == 3 ? words.text(.date(year: parts[0], month: parts[1], day: parts[2])) : text
  }

  /// Returns whether the value can be the initial value of a form: one of the choices, or a boolean for a question of
  /// yes or no.
  package func mayBegin(with value: JSONValue) -> Bool {
    if value.isNull { return true }
    guard let choices else { return kind != .boolean || value.bool != nil }
    return (kind == .array ? value.elements : [value]).allSatisfy { item in choices.contains { $0.value == item } }
  }

  /// Returns a value as people read and type it; nil for one of another type.
  package func text(of value: JSONValue, in words: ServiceLanguage) -> String? {
    let choices = choices
    func title(of value: JSONValue) -> String? { choices?.first { $0.value == value }?.title }
    if let title = title(of: value) { return title }
    return switch kind {
    case .array: value.elements.map { title(of: $0) ?? $0.typed }.joined(separator: ", ")
    case .boolean: value.bool.map { words($0 ? .terminalYes : .terminalNo) } ?? value.string
    case .integer: value.integer.map { words.number($0, decimals: decimals ?? 0) } ?? value.string
    case .number: value.string ?? words.localized("\(value)")
    case .string: value.string
    }
  }

  /// The value of a field that a person has emptied; nil for an absent one, which has its default.
  public var emptied: JSONValue? {
    if schema["type"]?.elements.contains("null") == true { return .null }
    switch kind {
    case .array: return .array([])
    case .string: return choices == nil ? "" : nil
    case .boolean, .integer, .number: return nil
    }
  }

  /// Returns the value that typed text stands for, or nil if the text is empty.
  ///
  /// Text that is not valid for the field is returned as a string: the service refuses it with a reason.
  public func value(of typed: String) -> JSONValue? { value(of: typed, in: .english) }

  package func value(of typed: String, in words: ServiceLanguage) -> JSONValue? {
    if typed.isEmpty { return kind == .array && isRequired ? .array([]) : nil }
    if kind != .array, let choice = chosen(typed) { return choice }
    switch kind {
    case .array:
      return .array(parts(of: typed).map { chosen($0) ?? .string($0) })
    case .integer:
      if let decimals {
        return words.smallestUnits(typed, decimals: decimals).flatMap { JSONValue.number($0) } ?? .string(typed)
      }
      guard !DecimalText.isFraction(typed), let number = JSONValue.number(DecimalText.json(typed)) else {
        return .string(typed)
      }
      return number
    case .number:
      return words.numberText(typed).flatMap { JSONValue.number(DecimalText.json($0)) } ?? .string(typed)
    case .boolean:
      return Self.answer(typed, in: words).map { .boolean($0) } ?? .string(typed)
    case .string: return .string(typed)
    }
  }

  /// Returns the answer to a question of yes or no: a word of the language or of English, or its first letter.
  private static func answer(_ typed: String, in words: ServiceLanguage) -> Bool? {
    let typed = typed.lowercased()
    func isMeant(_ answer: ServiceText) -> Bool {
      [words(answer), ServiceLanguage.english(answer)].contains { typed == $0 || typed == $0.prefix(1) }
    }
    if typed == "true" || isMeant(.terminalYes) { return true }
    return typed == "false" || isMeant(.terminalNo) ? false : nil
  }

  /// Whether people can name a choice by its number in the list: no title is itself such a number.
  public var hasNumberedChoices: Bool {
    guard let choices else { return false }
    return !choices.contains { Int($0.title).map { (1...choices.count).contains($0) } ?? false }
  }

  /// Splits typed text at its commas, but for those in the title of a choice.
  private func parts(of typed: String) -> [String] {
    let pieces = typed.piecesBetweenCommas
    let lowercased = pieces.map { $0.lowercased() }
    let titles = (choices ?? []).map { $0.title.lowercased().piecesBetweenCommas }.filter { $0.count > 1 }
    var parts: [String] = []
    var start = 0
    while start < pieces.count {
      let end = start + (titles.filter { lowercased[start...].starts(with: $0) }.map(\.count).max() ?? 1)
      parts.append(pieces[start..<end].joined(separator: ", "))
      start = end
    }
    return parts
  }

  /// Returns the choice that typed text stands for, by its number, its title or its value; nil if the text is none.
  private func chosen(_ typed: String) -> JSONValue? {
    guard let choices else { return nil }
    if hasNumberedChoices, let number = Int(typed), number >= 1, number <= choices.count {
      return choices[number - 1].value
    }
    let title = typed.lowercased().piecesBetweenCommas
    let choice = choices.first { $0.title.lowercased().piecesBetweenCommas == title }
    return (choice ?? choices.first { $0.value.typed == typed })?.value
  }
}

extension JSONValue {
  /// Returns whether the value fulfills a JSON Schema, as far as the conditions of fields use its keywords.
  fileprivate func fulfills(_ schema: JSONValue) -> Bool {
    schema.members.allSatisfy { keyword in
      let rule = keyword.value
      return switch keyword.name {
      case "allOf": rule.elements.allSatisfy { fulfills($0) }
      case "anyOf": rule.elements.contains { fulfills($0) }
      case "not": !fulfills(rule)
      case "properties": rule.members.allSatisfy { property in self[property.name]?.fulfills(property.value) ?? true }
      case "required": rule.elements.allSatisfy { name in members.contains { $0.name == name.string } }
      case "const": isSame(as: rule)
      case "enum": rule.elements.contains { isSame(as: $0) }
      case "type": rule == "array" ? isArray : number != nil
      case "contains": elements.contains { $0.fulfills(rule) }
      case "minimum": compares(with: rule, >=)
      case "exclusiveMinimum": compares(with: rule, >)
      case "maximum": compares(with: rule, <=)
      case "exclusiveMaximum": compares(with: rule, <)
      default: true
      }
    }
  }

  private var isArray: Bool { if case .array = self { true } else { false } }

  private func isSame(as other: JSONValue) -> Bool { self == other || number != nil && number == other.number }

  private func compares(with limit: JSONValue, _ isOrdered: (Double, Double) -> Bool) -> Bool {
    guard let number, let limit = limit.number else { return false }
    return isOrdered(number, limit)
  }

  /// The value of a choice as people type it.
  fileprivate var typed: String { string ?? "\(self)" }
}

extension String {
  fileprivate var piecesBetweenCommas: [String] { split(separator: ",").map(\.trimmingSpaces) }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
