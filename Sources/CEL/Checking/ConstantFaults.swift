extension CEL.Program {
  /// The calls and operators that fail whenever they are evaluated, because of constants, each at the constant.
  ///
  /// The language allows such expressions: `1 / 0` is valid, and its evaluation fails.
  public var constantFaults: [CEL.Fault] {
    var search = ConstantFaults(timeZoneData: timeZoneData)
    _ = search.visit(root)
    return search.found.sorted { $0.offset < $1.offset }.map { CEL.Fault($0, in: source) }
  }
}

/// A search for the parts of an expression that always fail.
private struct ConstantFaults {
  let timeZoneData: (@Sendable (String) -> [UInt8]?)?
  var found: [SyntaxError] = []

  private static let costLimit = 10_000

  /// Returns whether a part is a constant that can be evaluated.
  mutating func visit(_ node: Expression) -> Bool {
    let parts = node.kind.children
    var isConstant = true
    for part in parts where !visit(part) { isConstant = false }
    switch node.kind {
    case .name, .variable, .local, .call, .comprehension: return false
    case .operation, .function, .index:
      guard let last = parts.last else { return isConstant }
      if isConstant { return succeeds(node, at: last.offset) }
      if let sample = node.sample { _ = succeeds(sample, at: last.offset) }
      return false
    default: return isConstant
    }
  }

  private mutating func succeeds(_ node: Expression, at offset: Int) -> Bool {
    var evaluator = Evaluator(bindings: [], timeZoneData: timeZoneData, costLimit: Self.costLimit)
    do throws(CEL.EvaluationError) {
      _ = try evaluator.evaluate(node)
      return true
    } catch {
      if error.isAbsorbable { found.append(SyntaxError(message: error.description, offset: offset)) }
      return false
    }
  }
}

extension Expression {
  /// The expression with a constant instead of a variable whose value makes no difference to a failure: of a time whose
  /// zone does not exist, of a number that is divided by 0, and of the elements of a list without the index.
  fileprivate var sample: Expression? {
    func literal(_ value: CEL.Value, _ node: Expression) -> Expression {
      Expression(.literal(value), offset: node.offset)
    }
    switch kind {
    case .function(let function, let parts) where parts.count == 2 && function.isPartOfTime:
      guard case .literal = parts[1].kind, let epoch = CEL.Timestamp(seconds: 0) else { return nil }
      return Expression(.function(function, [literal(.timestamp(epoch), parts[0]), parts[1]]), offset: offset)
    case .operation(let found, let parts) where found == .divide || found == .modulo:
      switch parts[1].kind {
      case .literal(.int(0)): return Expression(.operation(found, [literal(1, parts[0]), parts[1]]), offset: offset)
      case .literal(.uint(0)):
        return Expression(.operation(found, [literal(.uint(1), parts[0]), parts[1]]), offset: offset)
      default: return nil
      }
    case .index(let list, let index):
      guard case .list(let elements, _) = list.kind, case .literal = index.kind else { return nil }
      let samples = Expression(.list(elements.map { literal(.null, $0) }), offset: list.offset)
      return Expression(.index(samples, index), offset: offset)
    default: return nil
    }
  }
}
