internal import Patterns

/// An expression whose names and functions are resolved.
struct Node: Sendable {
  indirect enum Kind: Sendable {
    case literal(CEL.Value)
    case variable(String)
    /// A variable of a comprehension, by its slot on the stack of the evaluator.
    case local(Int)
    /// A name or a function that the environment lacks, in an unchecked program. The evaluation fails there.
    case missing(CEL.EvaluationError.Reason)
    /// A value of JSON whose declared type is a double. It may be written as an integer there.
    case asDouble(Node)
    case select(Node, field: String, isOptional: Bool)
    /// With `excludesNull`, a field that is null counts as absent.
    case has(Node, field: String, excludesNull: Bool)
    case index(Node, Node)
    case list([Node])
    case map([Entry])
    case operation(Expression.Operator, [Node])
    case call(Function, [Node])
    /// A call of `matches` with a literal pattern.
    case matches(Node, Automaton)
    case and([Node])
    case or([Node])
    case conditional(Node, Node, Node)
    case comprehension(Expression.Comprehension.Macro, Loop)
  }

  struct Entry: Sendable {
    let key: Node
    let value: Node
  }

  struct Loop: Sendable {
    let range: Node
    let hasSecondVariable: Bool
    let condition: Node?
    let transform: Node?
  }

  let kind: Kind
  /// The offset in the source, in bytes.
  let offset: Int
}
