internal import CEL
internal import JSONSchema
internal import Navigation
internal import Values

/// A value of a file, in which texts may be expressions.
indirect enum Template: Sendable {
  case constant(Value)
  case expression(CompiledExpression)
  /// An expression of whose result more is demanded than its type tells.
  case checked(CompiledExpression, JSONSchema, CEL.ValueType)
  case list([Template])
  case object([(name: String, template: Template)])

  func value(_ scope: Scope) throws(FlowError) -> Value {
    switch self {
    case .constant(let value): return value
    case .expression(let expression): return try expression.value(scope)
    case .checked(let expression, let schema, let type):
      let value = try expression.value(scope).converted(to: type)
      if value.isNull, type.acceptsNull { return value }
      if let fault = schema.faults(of: value).first {
        throw FlowError(expression.mark, "The value\(type.place(fault.pointer)) \(fault.message).")
      }
      guard let pointer = value.pointerToLargeNumber(in: type) else { return value }
      throw FlowError(expression.mark, "The value\(type.place(pointer)) must be a whole number of at most 64 bits.")
    case .list(let templates):
      var values: [Value] = []
      for template in templates { values.append(try template.value(scope)) }
      return .array(values)
    case .object(let members):
      var values: [(String, Value)] = []
      for member in members { values.append((member.name, try member.template.value(scope))) }
      return .object(values)
    }
  }

  /// Returns the template with the check of an expression whose result may not be a value of the field.
  ///
  /// - Parameter type: the type of the field, with null if it may be.
  func checked(for field: FieldDeclarationModel, _ type: CEL.ValueType) -> Template {
    guard case .expression(let expression) = self, let schema = field.schema,
      field.hasLimits || expression.program.type.hasUnknownParts
    else { return self }
    return .checked(expression, schema, type)
  }

  var constant: Value? { if case .constant(let value) = self { value } else { nil } }

  /// Joins the parts of a value. Constant parts make a constant.
  static func joining(_ members: [(name: String, template: Template)]) -> Template {
    let constants = members.compactMap { member in member.template.constant.map { (member.name, $0) } }
    return constants.count == members.count ? .constant(.object(constants)) : .object(members)
  }

  static func joining(_ elements: [Template]) -> Template {
    let constants = elements.compactMap(\.constant)
    return constants.count == elements.count ? .constant(.array(constants)) : .list(elements)
  }
}

/// A text for people of a file.
enum TextTemplate: Sendable {
  case fixed(Text)
  case made(@Sendable (Scope) throws -> Text)

  func text(_ scope: Scope) throws -> Text {
    switch self {
    case .fixed(let text): text
    case .made(let make): try make(scope)
    }
  }
}

/// The values of declared fields: those that a command gives, and the defaults of the others.
struct FieldValues: Sendable {
  private let members: [(name: String, template: Template)]
  /// Whether members that are null are left out, as in the data of screens.
  private let omitsNull: Bool

  init(_ members: [(name: String, template: Template)], omittingNull omitsNull: Bool = false) {
    self.members = members
    self.omitsNull = omitsNull
  }

  func value(_ scope: Scope) throws(FlowError) -> Value {
    if members.isEmpty { return .emptyObject }
    var values: [(String, Value)] = []
    for member in members {
      let value = try member.template.value(scope)
      if !omitsNull || !value.isNull { values.append((member.name, value)) }
    }
    return .object(values)
  }
}
