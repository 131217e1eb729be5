internal import CEL
internal import JSONSchema
internal import Navigation
internal import TimeZones
internal import Values
internal import YAML

/// A compiler of expressions, of values with expressions in them, and of texts for people.
final class TemplateCompiler: PartCompiler {
  /// The keys of texts that the flow names.
  var usedTexts: Set<String> = []

  /// Compiles the expression of a node; nil for one with a fault, and for a node without an expression.
  func expression(
    _ node: YAMLNode, _ types: ScopeTypes, expecting type: CEL.ValueType? = nil
  ) -> CompiledExpression? {
    guard let source = node.expression else { return nil }
    let environment = environment(types, for: source)
    let isTested =
      source.contains("type(failure.body) == map") || types.notNull.contains { $0.hasPrefix("failure.body.") }
    if source.contains("failure.body."), !isTested {
      warn(
        node.mark,
        "The body of a failure may have any form. Test it first, as in type(failure.body) == map && "
          + "has(failure.body.message) ? … : ….")
    }
    do throws(CEL.ProgramError) {
      let program = try CEL.Program(source, in: environment, expecting: type)
      types.noted?.note(program)
      for found in program.constantFaults { fault(node.mark(of: found.location, in: source), found.message) }
      for (name, location) in types.laterAnswers(in: program) {
        fault(
          node.mark(of: location, in: source),
          "The answer \(name) comes later, and is null here. Read an earlier answer, or ask \(name) before.")
      }
      for (name, location) in types.variablesNamedLikeAnswers(in: program) {
        warn(
          node.mark(of: location, in: source),
          "\(name) is a value of the coordinator. Write item.\(name) for that of the item, or rename one of them.")
      }
      return CompiledExpression(program, at: node.mark)
    } catch {
      // The name is a fault already: an expression reads has-helper as has - helper.
      if flow.invalidNames.contains(where: { source.contains($0) }) { return nil }
      for found in error.faults { fault(node.mark(of: found.location, in: source), message(of: found, types)) }
      return nil
    }
  }

  func environment(_ types: ScopeTypes, for source: String) -> CEL.Environment {
    var environment = CEL.Environment(types.variables, timeZoneData: { NamedTimeZone($0)?.data })
    // Only the fault that a later answer is read is reported, and not that the answer may be null.
    let later = types.laterAnswers
    environment.notNull = later.isEmpty ? types.notNull : types.notNull.union(later)
    environment.objects = types.objects
    if let noted = types.noted, source.contains(noted.name) { environment.variables[noted.name] = noted.type }
    return environment
  }

  /// Returns the message of a fault of an expression, with what the flow knows about it.
  private func message(of found: CEL.Fault, _ types: ScopeTypes) -> String {
    switch found.kind {
    case .unknownFunction("callback"):
      return "callback is the whole value of a parameter of perform, as in =callback(\"paid\"). Write it alone."
    case .unknownFunction("resumeAddress"):
      return "resumeAddress is the whole value of a parameter of perform, as in =resumeAddress(). Write it alone."
    case .fieldOfNull where types.variables["output"] == .null:
      return found.message + " The operation declares no response."
    case .unknownVariable("state", _): return found.message + " A value of the state has its name alone."
    case .unknownVariable("data", _): return found.message + " A value of the data has its name alone."
    case .unknownVariable("response", _): return found.message + " A response is output."
    case .unknownVariable("screen", _):
      return found.message + " Only the handler of an action that no prompt offers has the screen, outside of steps."
    case .unknownVariable("call", _):
      return found.message + " Only the commands of an outcome have the call, outside of steps."
    case .unknownVariable(let name, isSimilarToAnother: false):
      let owner = model.coordinators.names.first { coordinator in
        declared.inputs[coordinator]?[name] != nil || declared.states[coordinator]?[name] != nil
      }
      guard let owner else { return found.message }
      return found.message + " It is a value of the coordinator \(owner), which gives it by with or fills."
    default: return found.message
    }
  }

  /// Compiles a value of a type.
  ///
  /// - Parameter subject: the value in messages.
  func template(
    _ node: YAMLNode, _ types: ScopeTypes, expecting type: CEL.ValueType, _ subject: String
  ) -> Template {
    if node.expression != nil {
      return expression(node, types, expecting: type).map { .expression($0) } ?? .constant(.null)
    }
    switch node.content {
    case .invalid: return .constant(.null)
    case .sequence(let elements):
      return list(elements, types, expecting: type, node, subject)
    case .mapping(let entries): return object(entries, types, expecting: type, node, subject)
    case .string:
      let text = node.literal ?? ""
      if let variable = types.variables[text],
        type == .dyn || variable.withoutNull == .string && type.withoutNull == .string
      {
        warn(node.mark, "The value is the text \(text), and not the variable of this name. Did you mean =\(text)?")
      }
      checkLiteral(text, at: node.mark, types)
      return constant(Value(text), type, node, subject)
    default: return constant(node.value.converted(to: type), type, node, subject)
    }
  }

  /// Warns about personal data under a name that does not hide it.
  func checkSecrecy(of node: YAMLNode, as name: String) {
    guard let source = node.expression, let field = source.split(separator: ".").last.map(String.init),
      flow.sensitiveFields.contains(field),
      ["", "input.", "screen.", "call."].contains(where: { source == $0 + field }),
      !flow.sensitiveFields.contains(name)
    else { return }
    warn(
      node.mark,
      "\(field) is sensitive, and histories and the console hide it under this name only. Name the value \(field), and "
        + "not \(name).")
  }

  private func constant(
    _ value: Value, _ type: CEL.ValueType, _ node: YAMLNode, _ subject: String
  ) -> Template {
    let found: CEL.ValueType =
      switch value.kind {
      case .null: .null
      case .boolean: .bool
      case .integer: .int
      case .double: .double
      default: .string
      }
    if !found.isAssignable(to: type) {
      fault(node.mark, "The value is \(node.kindName), where \(type.withoutNull.phrase) is expected.")
    }
    return .constant(value)
  }

  private func list(
    _ elements: [YAMLNode], _ types: ScopeTypes, expecting type: CEL.ValueType, _ node: YAMLNode, _ subject: String
  ) -> Template {
    let element: CEL.ValueType
    switch type.withoutNull {
    case .list(let type): element = type
    case .dyn: element = .dyn
    default:
      fault(node.mark, "The value is a list, where \(type.withoutNull.phrase) is expected.")
      element = .dyn
    }
    return .joining(elements.map { template($0, types, expecting: element, subject) })
  }

  private func object(
    _ entries: [YAMLNode.Entry], _ types: ScopeTypes, expecting type: CEL.ValueType, _ node: YAMLNode,
    _ subject: String
  ) -> Template {
    switch type.withoutNull {
    case .object(let object):
      let members = entries.compactMap { entry -> NamedTemplate? in
        guard let field = object.fields[entry.key.name] else {
          unknown("field", entry.key, of: "value of \(subject)", among: object.fields.keys.sorted())
          return nil
        }
        return member(entry, types, expecting: field.isRequired ? field.type : field.type.orNull)
      }
      for (name, field) in object.fields.sorted(by: { $0.key < $1.key })
      where field.isRequired && !entries.contains(where: { $0.key.name == name }) {
        fault(node.mark, "The value of \(subject) needs \(name). Add it.")
      }
      return .joining(members)
    case .map(_, let element): return .joining(entries.map { member($0, types, expecting: element) })
    default:
      if type.withoutNull != .dyn {
        fault(node.mark, "The value is a mapping, where \(type.withoutNull.phrase) is expected.")
      }
      return .joining(entries.map { member($0, types, expecting: .dyn) })
    }
  }

  /// Compiles a value under its name.
  func member(_ entry: YAMLNode.Entry, _ types: ScopeTypes, expecting type: CEL.ValueType) -> NamedTemplate {
    (entry.key.name, template(entry.value, types, expecting: type, entry.key.name))
  }

  /// Compiles the values for declared fields.
  ///
  /// - Parameters:
  ///   - node: the mapping of the values; nil for none.
  ///   - mark: the location for a field without a value.
  ///   - owner: the declaration of the fields in messages, such as `screen order`.
  ///   - isOptional: whether a field needs no value, because something else gives it.
  func values(
    _ node: YAMLNode?, for fields: FieldSet, _ types: ScopeTypes, at mark: SourceMark, of owner: String,
    isOptional: (String) -> Bool = { _ in false }
  ) -> [NamedTemplate] {
    let (kind, key) = Self.words(for: owner)
    for entry in node?.entries ?? [] where fields[entry.key.name] == nil {
      unknown(kind, entry.key, of: owner, among: fields.names)
    }
    let unknown = (node?.entries ?? []).map(\.key.name).filter { fields[$0] == nil }
    var members: [NamedTemplate] = []
    for field in fields {
      let name = field.name.name
      if let value = node?[name] {
        // A backend names the parameters of its operations.
        if kind != "parameter" { checkSecrecy(of: value, as: name) }
        members.append((name, self.value(value, for: field, types)))
      } else if let value = field.defaultValue {
        members.append((name, .constant(value)))
      } else if !isOptional(name), !unknown.contains(where: { similar($0, among: [name]) != nil }) {
        fault(mark, "The \(owner) needs the \(kind) \(name). Add it under \(key).")
      }
    }
    return members
  }

  /// Compiles the value of a declared field, which obeys the limits of its schema.
  func value(_ node: YAMLNode, for field: FieldDeclarationModel, _ types: ScopeTypes) -> Template {
    let name = field.name.name
    let type = field.defaultValue?.isNull ?? false ? field.type.orNull : field.type
    let template = value(node, for: field, type, types)
    if let source = node.spacelessExpression, source.hasPrefix("input."),
      let given = types.uncheckedInputFields?[String(source.dropFirst("input.".count))],
      let limit = given.limit(exceeding: field)
    {
      warn(
        node.mark,
        "The commands fail if \(source) is outside of the limits of \(name) (\(limit)). Give the input the same limits."
      )
    }
    return template.checked(for: field, type, at: node.mark)
  }

  /// Compiles an answer to a question, or null. The journey checks the limits of the question: an answer outside of
  /// them does not count.
  func answer(_ node: YAMLNode, to question: FieldDeclarationModel, _ types: ScopeTypes) -> Template {
    value(node, for: question, question.type.orNull, types)
  }

  /// Compiles a value of which the limits of its schema are checked if it is a constant.
  private func value(
    _ node: YAMLNode, for field: FieldDeclarationModel, _ type: CEL.ValueType, _ types: ScopeTypes
  ) -> Template {
    let known = flow.faults.count
    let template = template(node, types, expecting: type, field.name.name)
    if flow.faults.count == known, let constant = template.constant, !constant.isNull,
      let fault = field.schema?.faults(of: constant).first
    {
      self.fault(node.mark, "\(field.name.name)\(fault.pointer) \(fault.message).")
    }
    return template
  }

  /// The words for one of the fields of a declaration, and for the key of their values.
  private static func words(for owner: String) -> (field: String, key: String) {
    switch owner.prefix(while: { $0 != " " }) {
    case "screen": ("property", "with, or under fills of a coordinator")
    case "prompt": ("property", "with")
    case "coordinator": ("input", "with")
    case "operation": ("parameter", "with")
    case "result": ("field", "finish")
    default: ("field", "with")
    }
  }
}

extension YAMLNode {
  /// Returns the location in the file of a location in the node's expression.
  func mark(of location: CEL.Location, in source: String) -> SourceMark {
    // The offset is in bytes, and the text begins with "=".
    mark(ofCodePoint: source.utf8.prefix(location.offset).count { $0 & 0xC0 != 0x80 } + 1)
  }

  /// The source of an expression without spaces, for the recognition of simple forms such as `input.name`.
  var spacelessExpression: String? { expression?.filter { $0 != " " } }
}
