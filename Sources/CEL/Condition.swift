extension CEL {
  /// A condition as tests of single fields, for a client that has the fields and no evaluator.
  package indirect enum Condition: Sendable {
    /// A part that reads no field.
    case known(Program)
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// The second condition if the first one is true, and otherwise the third one.
    case conditional(Condition, Condition, Condition)
    /// Whether a field is true.
    case isTrue([String])
    /// The test of a field with a value, which reads no field.
    case test([String], Test, Program)
    /// Any other part.
    case other

    package enum Test: Sendable {
      case equal, less, lessOrEqual, greater, greaterOrEqual
      /// The value is a list with the field.
      case isIn
      /// The field is a list with the value.
      case contains
    }
  }
}

extension CEL.Program {
  /// Returns the condition with the tests of fields.
  ///
  /// - Parameter fields: variables, or fields in them, each by its path.
  package func condition(on fields: Set<[String]>) -> CEL.Condition { condition(root, on: fields) }

  private func condition(_ node: Expression, on fields: Set<[String]>) -> CEL.Condition {
    guard node.reads(fields) else { return .known(CEL.Program(part: node, of: self)) }
    if let path = node.path { return fields.contains(path) ? .isTrue(path) : .other }
    switch node.kind {
    case .logical(let operands, let isAnd):
      let parts = operands.map { condition($0, on: fields) }
      return isAnd ? .all(parts) : .any(parts)
    case .conditional(let test, let first, let second):
      return .conditional(
        condition(test, on: fields), condition(first, on: fields), condition(second, on: fields))
    case .operation(.not, let operands): return .not(condition(operands[0], on: fields))
    case .operation(.notEqual, let operands): return .not(test(.equal, operands, on: fields))
    case .operation(let found, let operands): return test(found, operands, on: fields)
    default: return .other
    }
  }

  private func test(
    _ found: Expression.Operator, _ operands: [Expression], on fields: Set<[String]>
  ) -> CEL.Condition {
    guard operands.count == 2 else { return .other }
    let (left, right) = (operands[0], operands[1])
    if let path = left.fieldPath, fields.contains(path), !right.reads(fields), let test = found.testOfLeft {
      return .test(path, test, CEL.Program(part: right, of: self))
    }
    if let path = right.fieldPath, fields.contains(path), !left.reads(fields), let test = found.testOfRight {
      return .test(path, test, CEL.Program(part: left, of: self))
    }
    return .other
  }
}

extension Expression.Operator {
  /// The test of the left operand with the right one; nil for an operator that gives another value than a boolean.
  fileprivate var testOfLeft: CEL.Condition.Test? {
    switch self {
    case .equal: .equal
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .isIn: .isIn
    default: nil
    }
  }

  /// The test of the right operand with the left one.
  fileprivate var testOfRight: CEL.Condition.Test? {
    switch self {
    case .equal: .equal
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .isIn: .contains
    default: nil
    }
  }
}

extension Expression {
  /// The path of a field, which may be a number.
  fileprivate var fieldPath: [String]? { if case .asDouble(let operand) = kind { operand.path } else { path } }

  /// Returns whether the value depends on one of the fields.
  fileprivate func reads(_ fields: Set<[String]>) -> Bool {
    guard let path else { return kind.children.contains { $0.reads(fields) } }
    return fields.contains { $0.starts(with: path) || path.starts(with: $0) }
  }
}
