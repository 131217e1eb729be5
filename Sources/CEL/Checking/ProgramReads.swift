extension CEL.Program {
  /// A variable, or a field of one, that an expression reads.
  public struct Read: Sendable, Hashable {
    /// The variable and the fields of it, such as `["input", "order"]`.
    public let path: [String]
    public let location: CEL.Location
  }

  /// A comparison of a variable, or of a field of one, with a constant by `==`, `!=` or `in`.
  public struct Comparison: Sendable {
    public let path: [String]
    public let constant: CEL.Value
    /// Whether the elements of the value are compared, as in `"tea" in drinks`.
    public let isOfElements: Bool
    /// The location of the constant.
    public let location: CEL.Location
  }

  /// The variables that the expression reads, each with its fields as far as the expression names them.
  public var reads: [Read] {
    root.reads.map { Read(path: $0.path, location: CEL.Location(offset: $0.offset, in: source)) }
  }

  /// The comparisons with constants.
  public var comparisons: [Comparison] {
    root.comparisons.map { found in
      Comparison(
        path: found.path, constant: found.constant, isOfElements: found.isOfElements,
        location: CEL.Location(offset: found.offset, in: source))
    }
  }
}

extension Expression {
  /// The paths that the expression reads, each with the offset of its variable.
  fileprivate var reads: [(path: [String], offset: Int)] {
    if let path = longPath { return [(path, firstOffset)] }
    return kind.children.flatMap(\.reads)
  }

  /// The variable and its fields, also in `has`, and in a selection from an object of variables.
  private var longPath: [String]? {
    switch kind {
    case .variable(let name): [name]
    case .select(let operand, let field, _), .has(let operand, let field, _):
      operand.variable(field).map { [$0] } ?? operand.longPath.map { $0 + [field] }
    default: nil
    }
  }

  /// Returns the variable that is a member of an object of variables; nil for any other expression.
  private func variable(_ member: String) -> String? {
    guard case .map(let entries) = kind else { return nil }
    for entry in entries {
      if case .literal(.string(member)) = entry.key.kind, case .variable(let name) = entry.value.kind { return name }
    }
    return nil
  }

  /// The offset of the variable of a path.
  private var firstOffset: Int {
    switch kind {
    case .select(let operand, _, _), .has(let operand, _, _): operand.firstOffset
    default: offset
    }
  }

  fileprivate var comparisons: [(path: [String], constant: CEL.Value, isOfElements: Bool, offset: Int)] {
    kind.children.flatMap(\.comparisons) + ownComparisons
  }

  private var ownComparisons: [(path: [String], constant: CEL.Value, isOfElements: Bool, offset: Int)] {
    guard case .operation(let found, let parts) = kind, parts.count == 2 else { return [] }
    let (first, second) = (parts[0], parts[1])
    func comparison(
      _ path: [String], _ node: Expression, isOfElements: Bool = false
    ) -> (path: [String], constant: CEL.Value, isOfElements: Bool, offset: Int)? {
      if case .literal(let constant) = node.kind { (path, constant, isOfElements, node.offset) } else { nil }
    }
    switch found {
    case .equal, .notEqual:
      let both = [first.longPath.flatMap { comparison($0, second) }, second.longPath.flatMap { comparison($0, first) }]
      return both.compactMap(\.self)
    case .isIn:
      if let path = second.longPath {
        return [comparison(path, first, isOfElements: true)].compactMap(\.self)
      }
      guard let path = first.longPath, case .list(let elements, _) = second.kind else { return [] }
      return elements.compactMap { comparison(path, $0) }
    default: return []
    }
  }
}
