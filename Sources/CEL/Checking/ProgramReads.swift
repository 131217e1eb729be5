extension CEL.Program {
  /// A variable, or a field of one, that an expression reads.
  public struct Read: Sendable, Hashable {
    /// The variable and the fields of it, such as `["input", "order"]`.
    public let path: [String]
    public let location: CEL.Location
  }

  /// A comparison of a variable, or of a field of one, with a constant by `==`, `!=` or `in`.
  public struct Comparison: Sendable {
    /// The variable and the fields of it. ``Program/elements`` follows a list whose elements are compared, as in
    /// `"tea" in drinks` and in `drinks.exists(d, d == "tea")`.
    public let path: [String]
    public let constant: CEL.Value
    /// The location of the constant.
    public let location: CEL.Location
  }

  /// The part of a path that stands for the elements of a list.
  public static let elements = "[]"

  /// The variables that the expression reads, each with its fields as far as the expression names them.
  public var reads: [Read] {
    root.reads.map { Read(path: $0.path, location: CEL.Location(offset: $0.offset, in: source)) }
  }

  /// The comparisons with constants.
  public var comparisons: [Comparison] {
    root.comparisons().map { found in
      Comparison(
        path: found.path, constant: found.constant, location: CEL.Location(offset: found.offset, in: source))
    }
  }
}

extension Expression {
  /// The paths that the expression reads, each with the offset of its variable.
  fileprivate var reads: [(path: [String], offset: Int)] {
    if let path = longPath() { return [(path, firstOffset)] }
    return kind.children.flatMap(\.reads)
  }

  /// Returns the variable and its fields, also in `has`, and in a selection from an object of variables.
  ///
  /// - Parameter locals: the paths of the variables of the comprehensions around; nil for one without a path.
  private func longPath(_ locals: [[String]?] = []) -> [String]? {
    switch kind {
    case .variable(let name): [name]
    case .local(let slot): locals.indices.contains(slot) ? locals[slot] : nil
    case .select(let operand, let field, _), .has(let operand, let field, _):
      operand.variable(field).map { [$0] } ?? operand.longPath(locals).map { $0 + [field] }
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

  /// Returns the comparisons with constants.
  ///
  /// - Parameter locals: the paths of the variables of the comprehensions around; nil for one without a path.
  fileprivate func comparisons(
    _ locals: [[String]?] = []
  ) -> [(path: [String], constant: CEL.Value, offset: Int)] {
    guard case .comprehension(let loop) = kind else {
      return kind.children.flatMap { $0.comparisons(locals) } + ownComparisons(locals)
    }
    let list = loop.range.pathOfElements ?? loop.range.longPath(locals)
    let element = list.map { $0 + [CEL.Program.elements] }
    let inner = locals + (loop.second == nil ? [element] : [nil, element])
    let parts = [loop.condition, loop.transform].compactMap(\.self)
    return loop.range.comparisons(locals) + parts.flatMap { $0.comparisons(inner) }
  }

  private func ownComparisons(
    _ locals: [[String]?]
  ) -> [(path: [String], constant: CEL.Value, offset: Int)] {
    guard case .operation(let found, let parts) = kind, parts.count == 2 else { return [] }
    let (first, second) = (parts[0], parts[1])
    func comparison(
      _ path: [String]?, _ node: Expression
    ) -> (path: [String], constant: CEL.Value, offset: Int)? {
      guard let path, case .literal(let constant) = node.kind else { return nil }
      return (path, constant, node.offset)
    }
    switch found {
    case .equal, .notEqual:
      let both = [comparison(first.longPath(locals), second), comparison(second.longPath(locals), first)]
      return both.compactMap(\.self)
    case .isIn:
      if let path = second.longPath(locals) {
        return [comparison(path + [CEL.Program.elements], first)].compactMap(\.self)
      }
      guard let path = first.longPath(locals), case .list(let elements, _) = second.kind else { return [] }
      return elements.compactMap { comparison(path, $0) }
    default: return []
    }
  }
}
