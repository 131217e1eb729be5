/// An expression as it was parsed. Macros are expanded; names and overloads are not resolved.
struct Expression {
  indirect enum Kind {
    case literal(CEL.Value)
    /// A name. With a leading dot, it is never a variable of a comprehension.
    case name(String, isAbsolute: Bool)
    case select(Expression, field: String)
    /// The macro `has(operand.field)`.
    case has(Expression, field: String)
    case index(Expression, Expression)
    case call(name: String, target: Expression?, arguments: [Expression])
    case operation(Operator, [Expression])
    /// A chain of operands, so that its tree is flat.
    case and([Expression])
    case or([Expression])
    case conditional(Expression, Expression, Expression)
    case list([Expression])
    case map([(key: Expression, value: Expression)])
    case comprehension(Comprehension, range: Expression, condition: Expression?, transform: Expression?)
  }

  let kind: Kind
  /// The offset of the expression's first token, or of its operator, in bytes.
  let offset: Int
  /// The depth of the tree.
  let depth: Int

  init(_ kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
    depth = 1 + (kind.children.lazy.map(\.depth).max() ?? 0)
  }
}

extension Expression {
  /// A macro that evaluates an expression for each element of a list or each key of a map.
  struct Comprehension {
    enum Macro: String {
      case all, exists, existsOne = "exists_one", filter, map, transformList, transformMap
    }

    let macro: Macro
    /// The variable of the element or the key; with two variables, that of the index or the key.
    let variable: String
    /// The second variable, that of the element or the value.
    let second: String?
  }

  enum Operator: String {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulo = "%"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case not = "!"
    case negate = "-x"

    /// The precedence of a binary operator (CEL specification, "Syntax").
    var precedence: Int {
      switch self {
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: 1
      case .add, .subtract: 2
      default: 3
      }
    }
  }
}

extension Expression.Kind {
  var children: [Expression] {
    switch self {
    case .literal, .name: []
    case .select(let operand, _), .has(let operand, _): [operand]
    case .index(let operand, let index): [operand, index]
    case .call(_, let target, let arguments): (target.map { [$0] } ?? []) + arguments
    case .operation(_, let operands), .and(let operands), .or(let operands), .list(let operands): operands
    case .conditional(let condition, let first, let second): [condition, first, second]
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .comprehension(_, let range, let condition, let transform):
      [range] + [condition, transform].compactMap(\.self)
    }
  }
}
