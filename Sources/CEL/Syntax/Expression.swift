internal import Patterns

/// An expression. The parser expands its macros, and the checker resolves its names and functions.
struct Expression: Sendable {
  indirect enum Kind: Sendable {
    case literal(CEL.Value)
    /// A name, as it was parsed. With a leading dot, it is never a variable of a comprehension.
    ///
    /// A name or a call that the environment lacks stays as it is in an unchecked program. The evaluation fails there.
    case name(String, isAbsolute: Bool)
    /// A variable of the environment.
    case variable(String)
    /// A variable of a comprehension, by its slot on the stack of the evaluator.
    case local(Int)
    /// With `isOptional`, an absent field is null. The checker decides that.
    case select(Expression, field: String, isOptional: Bool = false)
    /// The macro `has(operand.field)`. With `excludesNull`, a field that is null counts as absent.
    case has(Expression, field: String, excludesNull: Bool = false)
    case index(Expression, Expression)
    /// A call, as it was parsed.
    case call(name: String, target: Expression?, arguments: [Expression])
    case function(Function, [Expression])
    /// A call of `matches` with a literal pattern.
    case matches(Expression, Automaton)
    /// A value of JSON whose declared type is a double, which JSON may write as an integer.
    case asDouble(Expression)
    case operation(Operator, [Expression])
    /// A chain of `&&` or `||`, so that its tree is flat.
    case logical([Expression], isAnd: Bool)
    case conditional(Expression, Expression, Expression)
    /// A list. The checker makes the value of one whose elements are literals.
    case list([Expression], value: CEL.Value? = nil)
    case map([(key: Expression, value: Expression)])
    case comprehension(Comprehension)
  }

  let kind: Kind
  /// The offset in the source of the expression's first token, or of its operator, in bytes.
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
  struct Comprehension: Sendable {
    enum Macro: String, CaseIterable {
      case all, exists, existsOne = "exists_one", filter, map, transformList, transformMap
    }

    let macro: Macro
    /// The variable of the element or the key; with two variables, that of the index or the key.
    let variable: String
    /// The second variable, that of the element or the value.
    let second: String?
    let range: Expression
    let condition: Expression?
    let transform: Expression?
  }

  enum Operator: String, CaseIterable {
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
  /// The parts that are evaluated, in the order of the source.
  var children: [Expression] {
    switch self {
    case .literal, .name, .variable, .local: []
    case .select(let operand, _, _), .has(let operand, _, _), .matches(let operand, _), .asDouble(let operand):
      [operand]
    case .index(let operand, let index): [operand, index]
    case .call(_, let target, let arguments): (target.map { [$0] } ?? []) + arguments
    case .function(_, let operands), .operation(_, let operands), .logical(let operands, _), .list(let operands, _):
      operands
    case .conditional(let condition, let first, let second): [condition, first, second]
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .comprehension(let loop): [loop.range] + [loop.condition, loop.transform].compactMap(\.self)
    }
  }
}
