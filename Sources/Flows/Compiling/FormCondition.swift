internal import CEL
internal import Navigation
internal import Values
internal import YAML

extension CompiledExpression {
  /// Returns code that makes the condition for the clients of a form, with the values of everything but its questions;
  /// nil if the condition reads none of the questions.
  ///
  /// - Parameter questions: the questions of the form, by their paths.
  func condition(on questions: Set<[String]>) -> JourneyCode<FieldCondition>? {
    let condition = program.condition(on: questions)
    if case .known = condition { return nil }
    return condition.code(at: mark)
  }
}

extension CEL.Condition {
  fileprivate func code(at mark: SourceMark) -> JourneyCode<FieldCondition> {
    switch self {
    case .known(let program):
      let expression = CompiledExpression(program, at: mark)
      return { scope in
        // Without a result, another part decides.
        guard let isTrue = try? expression.isTrue(scope.scope) else { return .unknown }
        return isTrue ? .always : .never
      }
    case .all(let conditions):
      let parts = conditions.map { $0.code(at: mark) }
      return { scope in FieldCondition.conjunction(of: try parts.map { try $0(scope) }) }
    case .any(let conditions):
      let parts = conditions.map { $0.code(at: mark) }
      return { scope in FieldCondition.disjunction(of: try parts.map { try $0(scope) }) }
    case .not(let condition):
      let part = condition.code(at: mark)
      return { scope in try part(scope).negation }
    case .conditional(let test, let first, let second):
      let parts = [test, first, second].map { $0.code(at: mark) }
      return { scope in
        let made = try parts.map { try $0(scope) }
        return .disjunction(of: [
          .conjunction(of: [made[0], made[1]]), .conjunction(of: [made[0].negation, made[2]]),
        ])
      }
    case .isTrue(let path):
      let condition = FieldCondition.test(field: path.last ?? "", .isOneOf([true]))
      return { _ in condition }
    case .test(let path, let test, let program):
      let expression = CompiledExpression(program, at: mark)
      let name = path.last ?? ""
      return { scope in
        guard let value = try? expression.value(scope.scope) else { return .unknown }
        return test.condition(on: name, value)
      }
    case .other: return { _ in .unknown }
    }
  }
}

extension CEL.Condition.Test {
  /// Returns the test of a field with a value.
  fileprivate func condition(on field: String, _ value: Value) -> FieldCondition {
    func bound(_ bound: FieldCondition.Bound) -> FieldCondition {
      value.double == nil ? .unknown : .test(field: field, .isWithin(bound, value))
    }
    let isMissing = FieldCondition.not(.test(field: field, .isGiven))
    switch self {
    case .equal: return value.isNull ? isMissing : value.isScalar ? .test(field: field, .isOneOf([value])) : .unknown
    case .isIn:
      let values = value.elements.filter { !$0.isNull }
      guard value.kind == .array, values.allSatisfy(\.isScalar) else { return .unknown }
      let isOne = values.isEmpty ? FieldCondition.never : .test(field: field, .isOneOf(values))
      return values.count == value.count ? isOne : .disjunction(of: [isOne, isMissing])
    case .contains: return value.isScalar ? .test(field: field, .contains(value)) : .unknown
    case .less: return bound(.exclusiveMaximum)
    case .lessOrEqual: return bound(.maximum)
    case .greater: return bound(.exclusiveMinimum)
    case .greaterOrEqual: return bound(.minimum)
    }
  }
}

extension Value {
  /// Whether the value is a text, a number or a boolean.
  fileprivate var isScalar: Bool { text != nil || double != nil || bool != nil }
}
