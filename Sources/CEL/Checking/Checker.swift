internal import Suggestions

/// Resolves the names and functions of an expression, and infers its type.
///
/// The checker reports every error. A part with an error has the type `dyn`, so that it causes no further errors.
struct Checker {
  struct Checked {
    let node: Expression
    let type: CEL.ValueType

    /// The integer as a double.
    var asDouble: Checked {
      Checked(
        node: Expression(.asDouble(node), offset: node.offset),
        type: type.isNullable ? .nullable(.double) : .double)
    }
  }

  /// A variable of a comprehension.
  struct Local {
    let name: String
    let type: CEL.ValueType
  }

  let environment: CEL.Environment
  /// Without a check, only syntax errors count, and the evaluation reports the others.
  let isChecked: Bool
  private(set) var errors: [SyntaxError] = []
  private(set) var usedVariables: Set<String> = []
  /// Whether the expression is a condition.
  private var expectsBool = false
  var locals: [Local] = []
  /// The paths that a test has proved not to be null, such as `quote` and `event.body`.
  var nonNullPaths: Set<Path> = []

  init(environment: CEL.Environment, isChecked: Bool) {
    self.environment = environment
    self.isChecked = isChecked
    nonNullPaths = Set(environment.notNull.map { Path(dotted: $0) })
  }

  mutating func check(root: Expression, expecting expected: CEL.ValueType?) -> Checked {
    expectsBool = expected?.withoutNull == .bool
    let checked = check(root, expecting: expected)
    if let expected {
      require(
        expected, of: root, checked.type,
        "The value is \(checked.type.phrase), where \(expected.withoutNull.phrase) is expected."
          + checked.type.conversion(to: expected))
    }
    return checked
  }

  // MARK: Errors

  mutating func report(_ message: String, at offset: Int, kind: CEL.Fault.Kind = .other) {
    guard isChecked, errors.count < 100 else { return }
    errors.append(SyntaxError(message: message, offset: offset, kind: kind))
  }

  mutating func reportNullable(_ expression: Expression) {
    let name = expression.sourceText ?? "the value"
    let subject = name == "the value" ? "The value" : name
    let example = expectsBool ? "\(name) != null && …" : "\(name) == null ? … : …"
    report("\(subject) may be null. Test it first, as in \(example).", at: expression.offset)
  }

  /// Reports an expression whose type does not stand where another one is expected.
  mutating func require(
    _ expected: CEL.ValueType, of expression: Expression, _ type: CEL.ValueType, _ message: @autoclosure () -> String
  ) {
    if type.isAssignable(to: expected) { return }
    if type.withoutNull.isAssignable(to: expected) { return reportNullable(expression) }
    report(message(), at: expression.offset)
  }

  func dyn(_ kind: Expression.Kind, at offset: Int) -> Checked { make(kind, .dyn, at: offset) }

  func make(_ kind: Expression.Kind, _ type: CEL.ValueType, at offset: Int) -> Checked {
    let node = Expression(kind, offset: offset)
    guard isChecked, type.withoutNull == .double else { return Checked(node: node, type: type) }
    switch kind {
    case .variable, .local, .select, .index, .function:
      return Checked(node: Expression(.asDouble(node), offset: offset), type: type)
    default: return Checked(node: node, type: type)
    }
  }

  // MARK: Expressions

  mutating func check(_ expression: Expression, expecting expected: CEL.ValueType? = nil) -> Checked {
    let checked = checkPart(expression, expecting: expected)
    // An integer is a number of JSON Schema.
    return expected?.withoutNull == .double && checked.type.withoutNull == .int ? checked.asDouble : checked
  }

  private mutating func checkPart(_ expression: Expression, expecting expected: CEL.ValueType?) -> Checked {
    let offset = expression.offset
    switch expression.kind {
    case .literal(let value): return make(.literal(value), CEL.ValueType(value.typeName), at: offset)
    case .name(let name, let isAbsolute): return self.name(name, isAbsolute: isAbsolute, at: offset)
    case .select(let operand, let field, _): return select(expression, operand, field)
    case .has(let operand, let field, _): return has(operand, field, at: offset)
    case .index(let operand, let index): return self.index(expression, operand, index)
    case .call(let name, let target, let arguments): return call(name, target, arguments, at: offset)
    case .operation(let found, let operands): return operation(found, operands, expecting: expected, at: offset)
    case .logical(let operands, let isAnd): return logical(operands, isAnd: isAnd, at: offset)
    case .conditional(let condition, let first, let second):
      return conditional(condition, first, second, expecting: expected, at: offset)
    case .list(let elements, _): return list(elements, expecting: expected, at: offset)
    case .map(let entries): return map(entries, expecting: expected, at: offset)
    case .comprehension(let loop): return comprehension(loop, expecting: expected, at: offset)
    // The parser makes none of these.
    case .variable, .local, .function, .matches, .asDouble: return dyn(expression.kind, at: offset)
    }
  }

  /// Checks an operand that must be of a type.
  mutating func check(_ expression: Expression, as type: CEL.ValueType, _ subject: String) -> Expression {
    let checked = check(expression)
    require(type, of: expression, checked.type, "\(subject) must be \(type.phrase), and is \(checked.type.phrase).")
    return checked.node
  }

  private mutating func name(_ name: String, isAbsolute: Bool, at offset: Int) -> Checked {
    if !isAbsolute, let slot = locals.lastIndex(where: { $0.name == name }) {
      return make(.local(slot), narrowed(locals[slot].type, path: Path(slot: slot)), at: offset)
    }
    if let type = environment.variables[name] { return variable(name, type, path: Path(name), at: offset) }
    if let type = CEL.TypeName(rawValue: name) { return make(.literal(.type(type)), .type, at: offset) }
    let names = Array(environment.variables.keys) + locals.map(\.name)
    let suggestion =
      owner(ofField: name).map { " Did you mean \($0).\(name)?" } ?? Suggestion.text(for: name, among: names)
    report(
      "There is no variable \(name).\(suggestion)", at: offset,
      kind: .unknownVariable(name, isSimilarToAnother: !suggestion.isEmpty))
    return dyn(.name(name, isAbsolute: isAbsolute), at: offset)
  }

  /// Returns the name of a variable that has a field, the first in alphabetical order; nil if there is none.
  private func owner(ofField field: String) -> String? {
    func hasField(_ type: CEL.ValueType) -> Bool {
      if case .object(let object) = type.withoutNull { object.fields[field] != nil } else { false }
    }
    let owners =
      environment.variables.filter { hasField($0.value) }.keys + locals.filter { hasField($0.type) }.map(\.name)
    return owners.min()
  }

  private mutating func variable(
    _ name: String, _ type: CEL.ValueType, path: Path?, at offset: Int
  ) -> Checked {
    guard let members = environment.objects[name] else {
      usedVariables.insert(name)
      return make(.variable(name), narrowed(type, path: path), at: offset)
    }
    usedVariables.formUnion(members)
    let entries = members.map { member in
      (
        key: Expression(.literal(.string(member)), offset: offset),
        value: Expression(.variable(member), offset: offset)
      )
    }
    return make(.map(entries), type, at: offset)
  }

  private func narrowed(_ type: CEL.ValueType, path: Path?) -> CEL.ValueType {
    guard case .nullable(let inner) = type, let path, nonNullPaths.contains(path) else { return type }
    return inner
  }

  // MARK: Fields

  private mutating func select(_ expression: Expression, _ operand: Expression, _ field: String) -> Checked {
    // The longest name that is declared counts (CEL specification, "Name Resolution").
    if let qualified = qualifiedName(of: expression) {
      if let type = environment.variables[qualified] {
        return variable(qualified, type, path: path(of: expression), at: expression.offset)
      }
      if let type = CEL.TypeName(rawValue: qualified) {
        return make(.literal(.type(type)), .type, at: expression.offset)
      }
    }
    let checked = check(operand)
    let (type, isOptional) = fieldType(field, of: checked.type, operand, at: expression.offset)
    let kind = Expression.Kind.select(checked.node, field: field, isOptional: isOptional)
    return make(kind, narrowed(type, path: path(of: expression)), at: expression.offset)
  }

  private mutating func has(_ operand: Expression, _ field: String, at offset: Int) -> Checked {
    let checked = check(operand)
    let (type, _) = fieldType(field, of: checked.type, operand, at: offset)
    return make(.has(checked.node, field: field, excludesNull: type.isNullable), .bool, at: offset)
  }

  private mutating func fieldType(
    _ name: String, of type: CEL.ValueType, _ operand: Expression, at offset: Int
  ) -> (CEL.ValueType, isOptional: Bool) {
    switch type {
    case .dyn: return (.dyn, false)
    case .map(let key, let value):
      if !CEL.ValueType.string.isAssignable(to: key) {
        report("The keys of the mapping are not texts. Write the key in brackets, as in map[key].", at: offset)
      }
      return (value, false)
    case .object(let object):
      guard let field = object.fields[name] else {
        report(
          "\(object.name) has no field \(name).\(Suggestion.text(for: name, among: Array(object.fields.keys)))",
          at: offset)
        return (.dyn, false)
      }
      return (field.selectedType, !field.isRequired)
    case .nullable(let inner):
      reportNullable(operand)
      return fieldType(name, of: inner, operand, at: offset)
    default:
      let isSize = ["length", "size", "count"].contains(name) && (type == .string || type.listElement != nil)
      let advice = isSize ? " Write size(…)." : ""
      report(
        "\(type.phrase.capitalizedFirst) has no fields, so .\(name) cannot be selected.\(advice)", at: offset,
        kind: type == .null ? .fieldOfNull : .other)
      return (.dyn, false)
    }
  }

  private mutating func index(_ expression: Expression, _ operand: Expression, _ index: Expression) -> Checked {
    let checked = check(operand)
    if case .literal(.string(let field)) = index.kind, case .object = checked.type.withoutNull {
      let (type, isOptional) = fieldType(field, of: checked.type, operand, at: index.offset)
      let kind = Expression.Kind.select(checked.node, field: field, isOptional: isOptional)
      return make(kind, narrowed(type, path: path(of: expression)), at: expression.offset)
    }
    let found = self.index(checked, operand, index, at: expression.offset)
    return Checked(node: found.node, type: narrowed(found.type, path: path(of: expression)))
  }

  private mutating func index(
    _ checked: Checked, _ operand: Expression, _ index: Expression, at offset: Int
  ) -> Checked {
    var (keyType, valueType, subject) = (CEL.ValueType.dyn, CEL.ValueType.dyn, "")
    if checked.type.isNullable { reportNullable(operand) }
    switch checked.type.withoutNull {
    case .list(let element): (keyType, valueType, subject) = (.int, element, "The index of a list")
    case .map(let key, let value): (keyType, valueType, subject) = (key, value, "The key of the mapping")
    case .object(let object):
      report(
        "The field of \(object.name) must be a literal, as in \(object.name)['name']. For any field, write "
          + "dyn(…)[key].",
        at: index.offset)
    case .dyn: break
    default:
      report(
        "\(checked.type.phrase.capitalizedFirst) has no elements. Only a list and a mapping have.", at: offset)
    }
    let key: Expression
    // A map finds the key 1 for 1u and 1.0 too. A list has only integers as indices.
    if keyType.isNumeric, case .map = checked.type.withoutNull {
      let found = check(index)
      if !found.type.isNumeric, found.type != .dyn {
        report("\(subject) must be \(keyType.phrase), and is \(found.type.phrase).", at: index.offset)
      }
      key = found.node
    } else {
      key = check(index, as: keyType, subject)
    }
    return make(.index(checked.node, key), valueType, at: offset)
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
