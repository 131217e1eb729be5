public import Values

/// The input of an action, a link or an app: its fields in the order of the form.
public struct InputSchema: Sendable, Equatable {
  public let fields: [FieldSchema]

  public init(fields: [FieldSchema]) { self.fields = fields }

  /// Checks an input, and brings it into the one form that is stored and compared: the declared fields in their order, an
  /// absent optional one as null. Members that no field declares are left out, as JSON Schema allows them by default.
  ///
  /// - Throws: every failure and not only the first.
  public func check(_ input: Value) throws(InvalidInput) -> Value {
    guard input.kind == .map else {
      throw InvalidInput([.init(pointer: "", keyword: "type", detail: "The input is not an object.")])
    }
    if fields.isEmpty { return .emptyObject }
    var failures: [InvalidInput.Failure] = []
    var members: [(String, Value)] = []
    for field in fields {
      let value = input[field.name]
      field.check(value, into: &failures)
      members.append((field.name, field.stored(value)))
    }
    guard failures.isEmpty else { throw InvalidInput(failures) }
    return .object(members)
  }

  /// The input without the members that no field declares; anything else than an object as it is.
  public func declared(of input: Value) -> Value {
    guard input.kind == .map, input.count > 0 else { return input }
    let declared = fields.compactMap { field in input[field.name].map { (field.name, $0) } }
    return declared.count == input.count ? input : .object(declared)
  }

  /// The input as it may be shown: bullets stand for what is in secret fields, and for what no field declares, which an earlier
  /// version of the app may have kept secret.
  public func hidingSecrets(of input: Value) -> Value {
    guard input.kind == .map else { return input.isNull ? input : Self.hidden }
    return .object(
      input.members.map { member in
        let field = fields.first { $0.name == member.key }
        let isShown = member.value.isNull || field.map { !$0.rules.isSecret } ?? false
        return (member.key, isShown ? member.value : Self.hidden)
      })
  }

  private static let hidden: Value = "••••"

  /// The fields of both; of two of one name the first, which is secret if either is.
  func adding(_ other: InputSchema) -> InputSchema {
    let both = fields.map { field in
      other.fields.contains { $0.name == field.name && $0.rules.isSecret } ? field.secret : field
    }
    return InputSchema(fields: both + other.fields.filter { field in !fields.contains { $0.name == field.name } })
  }

  /// The schema as clients see it (JSON Schema 2020-12).
  public var jsonSchema: Value {
    .object([
      ("type", "object"),
      ("properties", .object(fields.map { ($0.name, $0.jsonSchema) })),
      ("required", .array(fields.filter(\.isRequired).map { Value($0.name) })),
    ])
  }
}

/// An input that does not fit its schema.
public struct InvalidInput: Error, Sendable, Equatable {
  public struct Failure: Sendable, Equatable {
    /// A JSON Pointer into the input (RFC 6901); empty for the input itself.
    public let pointer: String
    /// The keyword of JSON Schema that failed.
    public let keyword: String
    public let detail: String
  }
  public let failures: [Failure]

  init(_ failures: [Failure]) { self.failures = failures }
}
