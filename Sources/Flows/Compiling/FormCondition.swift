internal import CEL
internal import Navigation
internal import Values
internal import YAML

extension CEL.Condition {
  /// Returns code that makes the condition for the clients of a form, with the values of everything else.
  ///
  /// - Parameter earlier: the questions of the form before this one, by their paths. The service knows no answer to a
  ///   later one, and a form may have it.
  func code(among earlier: Set<[String]>, at mark: SourceMark) -> JourneyCode<FieldCondition> {
    switch self {
    case .known(let program):
      let expression = CompiledExpression(program, at: mark)
      return { scope in
        guard let isTrue = try? expression.isTrue(scope.scope) else { return .unknown }
        return isTrue ? .always : .never
      }
    case .all(let conditions):
      let parts = conditions.map { $0.code(among: earlier, at: mark) }
      return { scope in FieldCondition.conjunction(of: try Self.made(parts, in: scope, until: .never)) }
    case .any(let conditions):
      let parts = conditions.map { $0.code(among: earlier, at: mark) }
      return { scope in FieldCondition.disjunction(of: try Self.made(parts, in: scope, until: .always)) }
    case .not(let condition):
      let part = condition.code(among: earlier, at: mark)
      return { scope in try part(scope).negation }
    case .conditional(let test, let first, let second):
      let parts = [test, first, second].map { $0.code(among: earlier, at: mark) }
      return { scope in
        let decision = try parts[0](scope)
        if decision == .always { return try parts[1](scope) }
        if decision == .never { return try parts[2](scope) }
        let (one, other) = (try parts[1](scope), try parts[2](scope))
        return .disjunction(of: [.conjunction(of: [decision, one]), .conjunction(of: [decision.negation, other])])
      }
    case .isTrue(let path):
      guard earlier.contains(path), let name = path.last else { return { _ in .unknown } }
      return { _ in .test(field: name, .isOneOf([true])) }
    case .test(let path, let test, let program):
      guard earlier.contains(path), let name = path.last else { return { _ in .unknown } }
      let expression = CompiledExpression(program, at: mark)
      return { scope in
        guard let value = try? expression.value(scope.scope) else { return .unknown }
        return test.condition(on: name, value)
      }
    case .other: return { _ in .unknown }
    }
  }

  /// Returns what the parts make. A part that decides is the last one, because those behind it may rely on the opposite.
  private static func made(
    _ parts: [JourneyCode<FieldCondition>], in scope: JourneyScope, until decision: FieldCondition
  ) throws -> [FieldCondition] {
    var made: [FieldCondition] = []
    for part in parts {
      made.append(try part(scope))
      if made.last == decision { break }
    }
    return made
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
