internal import Values

/// One field of an ``InputSchema``.
public struct FieldSchema: Sendable, Equatable {
  public let name: String
  public let type: FieldType
  public let isRequired: Bool
  public private(set) var rules: FieldRules

  init(name: String, _ declaration: FieldDeclaration) {
    self.name = name
    type = declaration.type
    isRequired = declaration.isRequired
    rules = declaration.rules
  }

  /// The same, and secret.
  var secret: FieldSchema {
    var copy = self
    copy.rules.isSecret = true
    return copy
  }

  /// The field as a JSON Schema.
  var jsonSchema: Value {
    var members: [(String, Value)] = [
      ("type", isRequired ? Value(type.rawValue) : .array([Value(type.rawValue), "null"])),
      ("title", Value(rules.title.string)),
    ]
    if let description = rules.description { members.append(("description", Value(description.string))) }
    if let minimum = rules.minimum { members.append(("minimum", number(minimum))) }
    if let above = rules.exclusiveMinimum { members.append(("exclusiveMinimum", number(above))) }
    if let maximum = rules.maximum { members.append(("maximum", number(maximum))) }
    if let length = rules.length {
      members.append(("minLength", Value(length.lowerBound)))
      members.append(("maxLength", Value(length.upperBound)))
      if rules.digitsOnly { members.append(("pattern", Value("^[0-9]{\(length.lowerBound)}$"))) }
    }
    if let choices = rules.choices {
      members.append(("enum", .array(choices.map { Value($0.value) } + (isRequired ? [] : [.null]))))
      if choices.contains(where: { $0.title.string != $0.value }) {
        let titled = choices.map { Value.object([("const", Value($0.value)), ("title", Value($0.title.string))]) }
        members.append(("oneOf", .array(titled + (isRequired ? [] : [.object([("const", .null)])]))))
      }
    }
    if rules.isSecret { members += [("writeOnly", true), ("format", "password")] }
    return .object(members)
  }

  private func number(_ limit: Double) -> Value {
    Int64(exactly: limit).map { Value($0) } ?? Value(finite: limit) ?? .null
  }

  /// Appends what is wrong with `value`; nil is an absent member.
  func check(_ value: Value?, into failures: inout [InvalidInput.Failure]) {
    func fail(_ keyword: String, _ detail: String) {
      failures.append(.init(pointer: "/\(name)", keyword: keyword, detail: detail))
    }
    guard let value else {
      if isRequired { fail("required", "\(name) is missing.") }
      return
    }
    if value.isNull, !isRequired { return }
    switch type {
    case .boolean:
      if value.bool == nil { fail("type", "\(name) is not true or false.") }
    case .integer:
      guard value.isWholeNumber else { return fail("type", "\(name) is not a whole number.") }
      let known = failures.count
      checkLimits(of: value, fail)
      if value.wholeNumber == nil, failures.count == known {
        fail(value.double! < 0 ? "minimum" : "maximum", "\(name) does not fit in 64 bits.")
      }
    case .number:
      guard value.double != nil else { return fail("type", "\(name) is not a number.") }
      checkLimits(of: value, fail)
    case .string:
      guard let text = value.text else { return fail("type", "\(name) is not a string.") }
      checkText(text, fail)
    }
  }

  /// The one form in which a checked value is stored: an absent one is null, and a whole number is an integer however it was
  /// written.
  func stored(_ value: Value?) -> Value {
    guard let value else { return .null }
    guard type == .integer, value.kind == .double, let number = value.wholeNumber else { return value }
    return Value(number)
  }

  private func checkLimits(of value: Value, _ fail: (String, String) -> Void) {
    guard let number = value.double else { return }
    if let minimum = rules.minimum, number < minimum { fail("minimum", "\(name) is below \(formatted(minimum)).") }
    if let above = rules.exclusiveMinimum, number <= above {
      fail("exclusiveMinimum", "\(name) is not above \(formatted(above)).")
    }
    if let maximum = rules.maximum, number > maximum { fail("maximum", "\(name) is above \(formatted(maximum)).") }
  }

  private func checkText(_ text: String, _ fail: (String, String) -> Void) {
    if let length = rules.length {
      let count = text.unicodeScalars.count
      if count < length.lowerBound { fail("minLength", "\(name) is shorter than \(length.lowerBound) characters.") }
      if count > length.upperBound { fail("maxLength", "\(name) is longer than \(length.upperBound) characters.") }
    }
    if rules.digitsOnly, !text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      fail("pattern", "\(name) has characters that are no digits.")
    }
    if let choices = rules.choices, !choices.contains(where: { $0.value == text }) {
      fail("enum", "\(name) is none of \(choices.map(\.value).joined(separator: ", ")).")
    }
  }

  /// A limit, as people write it.
  public func formatted(_ limit: Double) -> String {
    Int64(exactly: limit).map { String($0) } ?? String(limit)
  }
}

extension Value {
  /// Whether the value is an integer or a double without a fraction, which JSON Schema counts as one.
  fileprivate var isWholeNumber: Bool {
    if kind == .integer { return true }
    guard kind == .double, let number = double else { return false }
    return number.rounded(.towardZero) == number
  }

  /// The whole number that the value is, if it fits in 64 bits.
  fileprivate var wholeNumber: Int64? { kind == .double ? double.flatMap { Int64(exactly: $0) } : int }
}
