extension CEL.Program {
  /// The keys of each mapping that the expression writes as an element of its list, as far as they are constant texts.
  public var keysOfElements: [[String]] { root.keysOfElements }
}

extension Expression {
  /// The variable and the fields of it that are the whole expression; nil for any other expression.
  var path: [String]? {
    var (node, fields): (Expression, [String]) = (self, [])
    while case .select(let operand, let field, _) = node.kind { (node, fields) = (operand, [field] + fields) }
    if case .variable(let name) = node.kind { return [name] + fields }
    return nil
  }

  /// The path of the list whose elements are those of the result, all of them or some; nil for any other expression.
  var pathOfElements: [String]? {
    switch kind {
    case .comprehension(let loop) where loop.macro == .filter: loop.range.pathOfElements
    case .conditional(_, let first, let second) where first.isEmptyList: second.pathOfElements
    case .conditional(_, let first, let second) where second.isEmptyList: first.pathOfElements
    default: path
    }
  }

  private var isEmptyList: Bool { if case .list(let elements, _) = kind { elements.isEmpty } else { false } }

  fileprivate var keysOfElements: [[String]] {
    switch kind {
    case .conditional(_, let first, let second): first.keysOfElements + second.keysOfElements
    case .list(let elements, _): elements.compactMap(\.constantKeys)
    case .comprehension(let loop): loop.transform?.constantKeys.map { [$0] } ?? []
    default: []
    }
  }

  /// The keys of a mapping; nil for anything else.
  private var constantKeys: [String]? {
    guard case .map(let entries) = kind else { return nil }
    return entries.compactMap { if case .literal(.string(let key)) = $0.key.kind { key } else { nil } }
  }
}
