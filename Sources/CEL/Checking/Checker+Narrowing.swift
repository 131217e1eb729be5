extension Checker {
  /// A variable, or a field or an element of one.
  struct Path: Hashable {
    /// The slot of a variable of a comprehension; nil for a variable of the environment.
    private(set) var slot: Int?
    private var names: [String] = []

    init(slot: Int) { self.slot = slot }
    init(_ variable: String) { names = [variable] }
    init(dotted path: String) { names = path.split(separator: ".").map { String($0) } }

    /// The names with dots; nil for a variable of a comprehension.
    var dotted: String? { slot == nil ? names.joined(separator: ".") : nil }

    func appending(_ field: String) -> Path {
      var path = self
      path.names.append(field)
      return path
    }
  }

  /// Returns the name of a chain of selections such as `a.b.c`; nil for any other expression, and for the fields of a
  /// variable of a comprehension.
  func qualifiedName(of expression: Expression) -> String? {
    switch expression.kind {
    case .name(let name, let isAbsolute):
      isAbsolute || !locals.contains { $0.name == name } ? name : nil
    case .select(let operand, let field, _): qualifiedName(of: operand).map { "\($0).\(field)" }
    default: nil
    }
  }

  /// Returns the path of a variable or a field, which names the same value within one evaluation.
  func path(of expression: Expression) -> Path? {
    switch expression.kind {
    case .name(let name, let isAbsolute):
      if !isAbsolute, let slot = locals.lastIndex(where: { $0.name == name }) { Path(slot: slot) } else { Path(name) }
    case .select(let operand, let field, _): path(of: operand)?.appending(field)
    case .index(let operand, let index):
      switch index.kind {
      case .literal(.string(let field)): path(of: operand)?.appending(field)
      case .literal(.int(let number)): path(of: operand)?.appending("[\(number)]")
      default: nil
      }
    default: nil
    }
  }

  /// Returns whether a condition around the expression has found it not to be null.
  func isNarrowed(_ expression: Expression) -> Bool { path(of: expression).map(nonNullPaths.contains) ?? false }

  /// Returns the paths that are not null if a condition has this result.
  func pathsNotNull(if condition: Expression, is result: Bool) -> Set<Path> {
    switch condition.kind {
    case .operation(.notEqual, let operands) where result, .operation(.equal, let operands) where !result:
      if case .literal(.null) = operands[1].kind { return Set([path(of: operands[0])].compactMap(\.self)) }
      if case .literal(.null) = operands[0].kind { return Set([path(of: operands[1])].compactMap(\.self)) }
      return []
    case .operation(.not, let operands): return pathsNotNull(if: operands[0], is: !result)
    case .has(let operand, let field, _) where result:
      return Set([path(of: operand)?.appending(field)].compactMap(\.self))
    case .logical(let operands, let isAnd):
      let paths = operands.map { pathsNotNull(if: $0, is: result) }
      return paths.dropFirst().reduce(paths[0]) { result == isAnd ? $0.union($1) : $0.intersection($1) }
    default: return []
    }
  }
}

extension Expression {
  /// The text of a path, for an error.
  var sourceText: String? {
    switch kind {
    case .name(let name, _): name
    case .select(let operand, let field, _): operand.sourceText.map { "\($0).\(field)" }
    case .index(let operand, let index):
      if case .literal(.int(let number)) = index.kind { operand.sourceText.map { "\($0)[\(number)]" } } else { nil }
    default: nil
    }
  }
}
