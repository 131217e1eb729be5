extension CEL {
  /// A part of an expression whose value decides whether the evaluation fails.
  public struct PossibleFailure: Sendable {
    public enum Part: Sendable {
      /// A divisor, which may be 0.
      case divisor
      /// An index or a key, whose element may be absent.
      case index
      /// A list, which may be empty.
      case list
    }

    public let part: Part
    public let location: Location
  }
}

extension CEL.Program {
  /// The divisors, indices and lists whose failure depends on values. Parts in the branches of a condition are left
  /// out: the condition may be the test.
  public var possibleFailures: [CEL.PossibleFailure] {
    root.possibleFailures.map { failure in
      CEL.PossibleFailure(part: failure.part, location: CEL.Location(offset: failure.offset, in: source))
    }
  }
}

extension Expression {
  fileprivate var possibleFailures: [(part: CEL.PossibleFailure.Part, offset: Int)] {
    var found: [(part: CEL.PossibleFailure.Part, offset: Int)] = []
    switch kind {
    case .conditional(let condition, _, _): return condition.possibleFailures
    case .logical(let parts, _): return parts.first?.possibleFailures ?? []
    case .operation(let operation, let parts) where operation == .divide || operation == .modulo:
      if case .literal = parts[1].kind { break }
      found.append((.divisor, parts[1].offset))
    case .index(let operand, let index):
      if case .list = operand.kind, case .literal = index.kind { break }
      found.append((.index, index.offset))
    case .function(let function, let operands) where function.needsElement && !operands[0].hasElement:
      found.append((.list, operands[0].offset))
    default: break
    }
    return found + kind.children.flatMap(\.possibleFailures)
  }

  /// Whether the expression is a list that has an element, whatever its variables are, as in `[0] + scores`.
  private var hasElement: Bool {
    switch kind {
    case .list(let elements, _): !elements.isEmpty
    case .operation(.add, let operands): operands.contains { $0.hasElement }
    default: false
    }
  }
}
