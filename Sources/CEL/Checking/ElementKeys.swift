extension CEL.Program {
  /// The keys of each mapping that the expression writes as an element of its list, as far as they are constant texts.
  public var keysOfElements: [[String]] { root.keysOfElements }
}

extension Expression {
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
