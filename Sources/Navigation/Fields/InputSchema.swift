public import Values

/// The input of an action, a link or an app: its fields in the order of the form.
public struct InputSchema: Sendable {
  public let fields: [FieldSchema]

  public init(fields: [FieldSchema]) { self.fields = fields }

  /// Validates an input, and returns the one form that is stored and compared: the declared fields in their order, with
  /// the default of an absent one, or else null. Members that no field declares are left out, as JSON Schema allows them
  /// by default.
  ///
  /// - Throws: every failure and not only the first.
  public func check(_ input: Value) throws(InvalidInput) -> Value {
    guard input.kind == .map else { throw InvalidInput(failures: [.init(pointer: "", title: nil, fault: .noObject)]) }
    if fields.isEmpty { return .emptyObject }
    var failures: [InvalidInput.Failure] = []
    var members: [(String, Value)] = []
    var steps = Pattern.stepLimit
    let fields = fields.span
    for index in fields.indices {
      let value = input[fields[index].name].map { fields[index].kind.cleaned($0) }
      fields[index].check(value, &steps, into: &failures)
      members.append((fields[index].name, value.map { fields[index].kind.stored($0) } ?? fields[index].absentValue))
    }
    guard failures.isEmpty else { throw InvalidInput(failures: failures) }
    return .object(members)
  }

  /// Returns the input without the members that no field declares. Returns any other value than an object unchanged.
  public func declared(of input: Value) -> Value {
    guard input.kind == .map, input.count > 0 else { return input }
    let declared = fields.compactMap { field in input[field.name].map { (field.name, $0) } }
    return declared.count == input.count ? input : .object(declared)
  }

  /// Returns the input with bullets instead of every secret or sensitive value. Members that no field declares are
  /// hidden too, because an earlier version of the app may have kept them secret.
  public func hidingSecrets(of input: Value) -> Value {
    guard input.kind == .map else { return input.isNull ? input : Self.hidden }
    return .object(
      input.members.map { member in
        let field = fields.first { $0.name == member.key }
        let isShown = member.value.isNull || field.map { !$0.isHidden } ?? false
        return (member.key, isShown ? member.value : Self.hidden)
      })
  }

  private static let hidden = Value(hiddenText)
  /// The text instead of a hidden value.
  static let hiddenText = "••••"

  /// Returns the fields of both schemas. Of two fields of one name the first counts, and is secret or sensitive if
  /// either is.
  func adding(_ other: InputSchema) -> InputSchema {
    let both = fields.map { field in
      other.fields.reduce(field) { $1.name == field.name ? $0.hidden(as: $1) : $0 }
    }
    return InputSchema(fields: both + other.fields.filter { field in !fields.contains { $0.name == field.name } })
  }

  /// Returns the schema with further limits of some of its fields.
  func limited(by limits: [ScreenLimit]) -> InputSchema {
    InputSchema(
      fields: fields.map { field in
        limits.first { $0.field == field.name }.map { field.limited(by: $0.kind) } ?? field
      })
  }

  /// Returns an input without its secrets, with which no form begins.
  func withoutSecrets(of input: Value) -> Value {
    guard fields.contains(where: \.isSecret) else { return input }
    let members = input.members.filter { member in !fields.contains { $0.name == member.key && $0.isSecret } }
    return .object(members.map { ($0.key, $0.value) })
  }

  /// Returns the schema whose fields begin with the members of the same names, as far as they are valid.
  ///
  /// - Parameter isTyped: whether a field begins empty for a null, which a person has left empty.
  package func beginning(with values: Value, isTyped: Bool = false) -> InputSchema {
    var steps = Pattern.stepLimit
    return InputSchema(
      fields: fields.map { field in
        guard let value = values[field.name] else { return field }
        return isTyped && value.isNull ? field.beginningEmpty : field.beginning(with: value, &steps)
      })
  }

  /// The JSON Schema for clients (2020-12). A field with a condition has its limits where the condition is true, because
  /// the service ignores the value otherwise.
  public var jsonSchema: Value {
    var members: [(String, Value)] = [
      ("type", "object"),
      ("properties", .object(fields.map { ($0.name, $0.isAskedByClients ? $0.titleSchema : $0.jsonSchema) })),
      ("required", .array(fields.filter(\.isRequired).map { Value($0.name) })),
    ]
    let rules = fields.filter(\.isAskedByClients).map(\.rule)
    if !rules.isEmpty { members.append(("allOf", .array(rules))) }
    return .object(members)
  }
}

/// One field of an ``InputSchema``.
public struct FieldSchema: Sendable {
  public private(set) var name: String
  public private(set) var title: Text
  public private(set) var description: Text?
  public private(set) var kind: any FieldKind
  /// Whether an input without the field is invalid.
  public private(set) var isRequired: Bool
  /// Whether null is a value.
  public let isNullable: Bool
  /// Whether clients and histories hide the value.
  public private(set) var isSecret: Bool
  /// Whether histories hide the value, which clients show.
  public private(set) var isSensitive: Bool
  public let autofill: Autofill?
  /// Whether only a start address or a program fills in the field, and people see no control for it.
  public let isFromAddress: Bool
  /// The field's own sentences for its errors.
  private(set) var errors: FieldErrors
  /// The value of an input without the field; nil for none.
  private var defaultValue: Value?
  /// The value with which a form begins; nil for an empty field.
  public private(set) var initial: Value?
  /// The condition under which the form asks for the field; nil for always. The handler of the form tests it, too.
  package private(set) var condition: FieldCondition?
  /// Whether an input without the field is invalid if the condition is true.
  private var isRequiredIfAsked = false

  /// - Parameter defaultValue: the value of an input without the field; nil or null for none.
  package init(
    _ name: String, title: Text, description: Text? = nil, kind: any FieldKind, isNullable: Bool = false,
    isSensitive: Bool = false, autofill: Autofill? = nil, isFromAddress: Bool = false, errors: FieldErrors = [:],
    defaultValue: Value? = nil
  ) {
    self.name = name
    self.title = title
    self.description = description
    self.kind = kind
    self.isNullable = isNullable
    self.isSensitive = isSensitive
    self.autofill = autofill
    self.isFromAddress = isFromAddress
    self.errors = errors
    self.defaultValue = defaultValue.flatMap { $0.isNull ? nil : $0 }
    isRequired = !isNullable && self.defaultValue == nil
    isSecret = kind.isSecret
    initial = isSecret ? nil : self.defaultValue
  }

  /// Whether histories and the console hide the value.
  package var isHidden: Bool { isSecret || isSensitive }

  /// The value of an input without the field.
  var absentValue: Value { defaultValue.map { kind.stored($0) } ?? .null }

  /// The faults in the declaration, as sentences with the path to the keyword of JSON Schema that each is about.
  package var faultSentences: [(path: [String], sentence: String)] {
    declarationFaults.map { fault in
      let path =
        switch fault {
        case .noChoices, .repeatedChoice, .choiceOfOtherType: ["enum"]
        case .negativeLength: ["minLength"]
        case .minimumAboveMaximum: ["minimum"]
        case .emptyRange: ["exclusiveMinimum"]
        case .invalidPattern: ["pattern"]
        case .exampleDoesNotMatch: ["examples"]
        case .invalidDefault: ["default"]
        case .errorWithoutLimit(let keyword): ["errors", keyword.rawValue]
        case .requiredFromAddress, .secretFromAddress: ["fromAddress"]
        }
      return (path, fault.description)
    }
  }

  /// The faults in the declaration.
  var declarationFaults: [DeclarationFault] {
    let faultsOfDefault: [DeclarationFault] =
      (defaultValue.map { kind.faults(of: $0) } ?? []).prefix(1).map { .invalidDefault(keyword: $0.keyword) }
    let faultsOfAddress: [DeclarationFault] =
      !isFromAddress ? [] : (isRequired ? [.requiredFromAddress] : []) + (isSecret ? [.secretFromAddress] : [])
    return kind.declarationFaults + faultsOfDefault + errorsWithoutLimit + faultsOfAddress
  }

  /// The field as one that an input may leave out.
  var optional: FieldSchema { copy(of: self) { $0.isRequired = false } }

  /// Returns the field as one that a form asks for under a condition. An input may leave it out otherwise.
  func asked(if condition: FieldCondition) -> FieldSchema {
    copy(of: self) { ($0.condition, $0.isRequiredIfAsked, $0.isRequired) = (condition, isRequired, false) }
  }

  /// Whether clients can test the condition of the field.
  fileprivate var isAskedByClients: Bool { condition != nil && condition != .unknown }

  /// Returns the field with another title.
  func titled(_ title: Text) -> FieldSchema { copy(of: self) { $0.title = title } }

  /// Returns the field under another name.
  func named(_ name: String) -> FieldSchema { copy(of: self) { $0.name = name } }

  /// Returns the field with other texts for its own.
  func withTexts(_ write: (Text) -> Text) -> FieldSchema {
    var copy = self
    (copy.title, copy.description) = (write(title), description.map(write))
    copy.kind = kind.withTexts(write)
    copy.errors = errors.withTexts(write)
    return copy
  }

  /// Returns the field, hidden where the other one is.
  fileprivate func hidden(as other: FieldSchema) -> FieldSchema {
    var copy = self
    copy.isSecret = isSecret || other.isSecret
    copy.isSensitive = isSensitive || other.isSensitive
    return copy
  }

  var beginningEmpty: FieldSchema { copy(of: self) { $0.initial = nil } }

  func beginning(with value: Value, _ steps: inout Int) -> FieldSchema {
    guard !isSecret, !value.isNull, kind.faults(of: value, stepsLeft: &steps).isEmpty else { return self }
    return copy(of: self) { $0.initial = kind.stored(value) }
  }

  func limited(by limit: ScreenLimit.Kind) -> FieldSchema {
    var copy = self
    let limited: (any FieldKind)?
    switch limit {
    case .choices(let choices, _):
      // A list of the backend may repeat an id.
      var known: Set<Value> = []
      limited = kind.limited(to: choices.filter { known.insert($0.value).inserted })
    case .bounds(let minimum, let maximum): limited = kind.bounded(minimum: minimum, maximum: maximum)
    }
    guard let kind = limited else { return self }
    copy.kind = kind
    if let initial, !kind.faults(of: initial).isEmpty { copy.initial = nil }
    if let defaultValue, !kind.faults(of: defaultValue).isEmpty {
      copy.defaultValue = nil
      copy.isRequired = !isNullable
    }
    return copy
  }

  /// The JSON Schema of a field that any value may have.
  fileprivate var titleSchema: Value { ["title": Value(title.string)] }

  /// The rule for a field with a condition.
  fileprivate var rule: Value {
    var then: [(String, Value)] = [("properties", .object([(name, jsonSchema)]))]
    if isRequiredIfAsked { then.append(("required", [Value(name)])) }
    return ["if": condition?.schema() ?? true, "then": .object(then)]
  }

  /// The JSON Schema of the field.
  var jsonSchema: Value {
    var members: [(String, Value)] = [
      ("type", isNullable ? .array([Value(kind.type), "null"]) : Value(kind.type)), ("title", Value(title.string)),
    ]
    if let description { members.append(("description", Value(description.string))) }
    for limit in kind.limits { members += limit.schema(isNullable: isNullable) }
    if isSecret { members.append(("writeOnly", true)) }
    if isSensitive { members.append(("sensitive", true)) }
    if let format = kind.format { members.append(("format", Value(format))) }
    members += kind.annotations
    if let errorMessage { members.append(("errorMessage", errorMessage)) }
    if let autofill { members.append(("autocomplete", Value(autofill.rawValue))) }
    if isFromAddress { members.append(("fromAddress", true)) }
    if let initial { members.append(("default", initial)) }
    return .object(members)
  }

  /// Appends the failures of `value`; nil is an absent member.
  func check(_ value: Value?, _ steps: inout Int, into failures: inout [InvalidInput.Failure]) {
    guard let value else {
      if isRequired { failures.append(failure(kind.limits == [.isTrue] ? .missingConsent : .missing, of: nil)) }
      return
    }
    if value.isNull, isNullable { return }
    for fault in kind.faults(of: value, stepsLeft: &steps) { failures.append(failure(fault, of: value)) }
  }

  func failure(_ fault: FieldFault, of value: Value?) -> InvalidInput.Failure {
    let own = ownSentence(for: fault, of: value)
    return InvalidInput.Failure(pointer: "/\(name)", title: title, fault: fault, ownSentence: own)
  }
}

/// The failures of an input.
public struct InvalidInput: Error, Sendable, Equatable {
  public struct Failure: Sendable, Equatable {
    /// A JSON Pointer into the input (RFC 6901); empty for the input itself.
    public let pointer: String
    /// The title of the field; nil for the input itself.
    public let title: Text?
    public let fault: FieldFault
    /// The field's own sentence for the fault; nil for that of the service.
    public var ownSentence: Text?
  }
  public let failures: [Failure]
}

/// The fields of an input type, read from a fresh value of it.
package struct FieldDeclarations: Sendable {
  var schema: InputSchema
  /// The stored properties without a ``Field``.
  var undeclared: [String] = []
  /// The fields that are encoded under another name than their property's: no input under the declared name reaches
  /// them.
  var renamed: [String] = []

  package init(schema: InputSchema) { self.schema = schema }

  init<Input: Encodable>(of input: Input) {
    schema = InputSchema(fields: [])
    // Most actions have no fields, and reflection takes some 50 µs for each type.
    guard MemoryLayout<Input>.size > 0 else { return }
    lazy var encoded = try? Value(encoding: input)
    var fields: [FieldSchema] = []
    for child in Mirror(reflecting: input).children {
      // A wrapped property `name` is stored as `_name`.
      let label = child.label ?? ""
      let name = String(label.hasPrefix("_") ? label.dropFirst() : label[...])
      if let field = (child.value as? any DeclaredField)?.schema(named: name) {
        fields.append(field)
        if encoded?[name] == nil { renamed.append(name) }
      } else {
        undeclared.append(label)
      }
    }
    schema = InputSchema(fields: fields)
  }
}
