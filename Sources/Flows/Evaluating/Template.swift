internal import CEL
internal import JSONSchema
internal import Navigation
internal import Values
internal import YAML

typealias NamedTemplate = (name: String, template: Template)

/// A value of a file, in which texts may be expressions.
indirect enum Template: Sendable {
  case constant(Value)
  case expression(CompiledExpression)
  /// A value of which more is demanded than the types of its expressions tell.
  case checked(Template, JSONSchema, CEL.ValueType, SourceMark)
  case list([Template])
  /// A mapping. With `omitsNull`, members that are null are left out, as the optional ones in the inputs of actions.
  case object([NamedTemplate], omitsNull: Bool = false)

  func value(_ scope: Scope) throws(FlowError) -> Value {
    switch self {
    case .constant(let value): return value
    case .expression(let expression): return try expression.value(scope)
    case .checked(let template, let schema, let type, let mark):
      let value = try template.value(scope).converted(to: type)
      if value.isNull, type.acceptsNull { return value }
      guard let fault = value.fault(as: type, schema) else { return value }
      throw FlowError(mark, "The value\(fault.path) \(fault.message).")
    case .list(let templates):
      var values: [Value] = []
      for template in templates { values.append(try template.value(scope)) }
      return try Value(elements: values, at: mark)
    case .object(let members, let omitsNull):
      if members.isEmpty { return .emptyObject }
      var values: [(String, Value)] = []
      for member in members {
        let value = try member.template.value(scope)
        if !omitsNull || !value.isNull { values.append((member.name, value)) }
      }
      return try Value(members: values, at: mark)
    }
  }

  /// The location of its first expression, for an error of the whole value; a constant has none, and cannot fail.
  private var mark: SourceMark {
    switch self {
    case .constant: SourceMark(file: "flow.yaml", line: 1, column: 1)
    case .expression(let expression): expression.mark
    case .checked(_, _, _, let mark): mark
    case .list(let elements): (elements.first { $0.constant == nil } ?? .constant(.null)).mark
    case .object(let members, _): (members.first { $0.template.constant == nil }?.template ?? .constant(.null)).mark
    }
  }

  /// Returns the template with a check, if its result may not be a value of the field.
  ///
  /// - Parameters:
  ///   - type: the type of the field, with null if it may be.
  ///   - mark: the location of the template.
  func checked(for field: FieldDeclarationModel, _ type: CEL.ValueType, at mark: SourceMark) -> Template {
    guard constant == nil, let schema = field.schema, field.hasLimits || hasUnknownParts else { return self }
    return .checked(self, schema, type, mark)
  }

  /// The template without the check of its value.
  var unchecked: Template { if case .checked(let template, _, _, _) = self { template } else { self } }

  /// Whether an expression may have values that its type does not tell.
  private var hasUnknownParts: Bool {
    switch self {
    case .constant: false
    case .expression(let expression): expression.program.type.hasUnknownParts
    case .checked(let template, _, _, _): template.hasUnknownParts
    case .list(let elements): elements.contains { $0.hasUnknownParts }
    case .object(let members, _): members.contains { $0.template.hasUnknownParts }
    }
  }

  var constant: Value? { if case .constant(let value) = self { value } else { nil } }

  /// Joins the parts of a value. Constant parts make a constant.
  static func joining(_ members: [NamedTemplate]) -> Template {
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

  /// The text, if it does not depend on values.
  var fixed: Text? { if case .fixed(let text) = self { text } else { nil } }

  func text(_ scope: Scope) throws -> Text {
    switch self {
    case .fixed(let text): text
    case .made(let make): try make(scope)
    }
  }
}
