extension CEL.Program {
  /// The calls and operators that fail whenever they are evaluated, because of constants, each at the constant.
  ///
  /// The language allows such expressions: `1 / 0` is valid, and its evaluation fails.
  public var constantFaults: [CEL.Fault] {
    var search = ConstantFaults(timeZoneData: timeZoneData)
    _ = search.visit(root)
    return search.found.sorted { $0.offset < $1.offset }.map { offset, reason in
      let error = CEL.EvaluationError(reason: reason, offset: offset)
      return CEL.Fault(message: error.description, kind: .other, location: CEL.Location(offset: offset, in: source))
    }
  }
}

extension CEL.Program {
  /// The divisions and indices whose failure depends on values, each at the divisor or the index. Those in the branches
  /// of a condition are left out: the condition may be the test.
  public var possibleFailures: [CEL.Fault] {
    root.possibleFailures.map { offset, message in
      CEL.Fault(message: message, kind: .other, location: CEL.Location(offset: offset, in: source))
    }
  }
}

extension Node {
  fileprivate var possibleFailures: [(offset: Int, message: String)] {
    var found: [(offset: Int, message: String)] = []
    switch kind {
    case .conditional(let condition, _, _): return condition.possibleFailures
    case .and(let parts), .or(let parts): return parts.first?.possibleFailures ?? []
    case .operation(let operation, let parts) where operation == .divide || operation == .modulo:
      if case .literal = parts[1].kind { break }
      found.append((parts[1].offset, "The event fails if the divisor is 0. Test it in an if first."))
    case .index(let operand, let index):
      if case .list = operand.kind, case .literal = index.kind { break }
      found.append((index.offset, "The event fails if there is no such element. Test it in an if first."))
    default: break
    }
    return found + parts.flatMap(\.possibleFailures)
  }
}

/// A search for the parts of an expression that always fail.
private struct ConstantFaults {
  let timeZoneData: (@Sendable (String) -> [UInt8]?)?
  var found: [(offset: Int, reason: Failure)] = []

  private static let costLimit = 10_000

  /// Returns whether a part is a constant that can be evaluated.
  mutating func visit(_ node: Node) -> Bool {
    let parts = node.parts
    var isConstant = true
    for part in parts where !visit(part) { isConstant = false }
    switch node.kind {
    case .variable, .local, .missing, .comprehension: return false
    case .operation, .call, .index:
      guard let last = parts.last else { return isConstant }
      if isConstant { return succeeds(node, at: last.offset) }
      if let sample = node.sample { _ = succeeds(sample, at: last.offset) }
      return false
    default: return isConstant
    }
  }

  private mutating func succeeds(_ node: Node, at offset: Int) -> Bool {
    var evaluator = Evaluator(
      bindings: [], timeZoneData: timeZoneData, costLimit: Self.costLimit)
    do throws(CEL.EvaluationError) {
      _ = try evaluator.evaluate(node)
      return true
    } catch {
      if error.isAbsorbable { found.append((offset, error.reason)) }
      return false
    }
  }
}

extension Node {
  /// The parts that are evaluated, in the order of the source.
  fileprivate var parts: [Node] {
    switch kind {
    case .literal, .variable, .local, .missing: []
    case .asDouble(let part), .select(let part, _, _), .has(let part, _, _), .matches(let part, _): [part]
    case .index(let operand, let index): [operand, index]
    case .list(let parts), .operation(_, let parts), .call(_, let parts), .and(let parts), .or(let parts):
      parts
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .conditional(let condition, let first, let second): [condition, first, second]
    case .comprehension(_, let loop): [loop.range] + [loop.condition, loop.transform].compactMap(\.self)
    }
  }

  /// The node with a constant instead of a variable whose value makes no difference to a failure: of a time whose zone
  /// does not exist, of a number that is divided by 0, and of the elements of a list without the index.
  fileprivate var sample: Node? {
    func literal(_ value: CEL.Value, _ node: Node) -> Node { Node(kind: .literal(value), offset: node.offset) }
    switch kind {
    case .call(let function, let parts) where parts.count == 2 && function.isPartOfTime:
      guard case .literal = parts[1].kind, let epoch = CEL.Timestamp(seconds: 0) else { return nil }
      return Node(kind: .call(function, [literal(.timestamp(epoch), parts[0]), parts[1]]), offset: offset)
    case .operation(let found, let parts) where found == .divide || found == .modulo:
      switch parts[1].kind {
      case .literal(.int(0)): return Node(kind: .operation(found, [literal(1, parts[0]), parts[1]]), offset: offset)
      case .literal(.uint(0)):
        return Node(kind: .operation(found, [literal(.uint(1), parts[0]), parts[1]]), offset: offset)
      default: return nil
      }
    case .index(let list, let index):
      guard case .list(let elements) = list.kind, case .literal = index.kind else { return nil }
      let samples = Node(kind: .list(elements.map { literal(.null, $0) }), offset: list.offset)
      return Node(kind: .index(samples, index), offset: offset)
    default: return nil
    }
  }
}
