internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// A checked expression with its location.
struct CompiledExpression: Sendable {
  let program: CEL.Program
  let mark: SourceMark
  private let names: [String]
  /// The variable and its fields that are the whole expression, as in `with: {product: =input.product}`. The value needs
  /// no conversion.
  private let path: [String]?

  init(_ program: CEL.Program, at mark: SourceMark) {
    self.program = program
    self.mark = mark
    names = program.variables.sorted()
    path = program.path
  }

  func evaluate(_ scope: Scope) throws(FlowError) -> CEL.Value {
    var values: [(name: String, value: CEL.Value)] = []
    values.reserveCapacity(names.count)
    for name in names { values.append((name, scope[name])) }
    let remaining = scope.budget?.remaining ?? .max
    let limit = min(scope.costLimit, remaining)
    var cost = 0
    defer { scope.budget?.spend(cost) }
    do {
      return try program.evaluate(values: values, costLimit: limit, addingCostTo: &cost)
    } catch {
      if case .costLimitExceeded = error.reason, limit == remaining {
        throw FlowError(
          mark, "All expressions of a view or a handler exceed their cost limit of \(CostBudget.limit) together.")
      }
      throw FlowError(mark, error.reason.sentence)
    }
  }

  func value(_ scope: Scope) throws(FlowError) -> Value {
    if let stored = path.flatMap({ scope.stored($0) }) { return stored }
    let result = try evaluate(scope)
    do {
      return try Value(result)
    } catch {
      throw FlowError(mark, error.description)
    }
  }

  func isTrue(_ scope: Scope) throws(FlowError) -> Bool {
    guard case .bool(let flag) = try evaluate(scope) else { throw FlowError(mark, "The result is not true or false.") }
    return flag
  }

  func string(_ scope: Scope) throws(FlowError) -> String? {
    switch try evaluate(scope) {
    case .string(let text): return text
    case .null: return nil
    default: throw FlowError(mark, "The result is not a text.")
    }
  }

  func list(_ scope: Scope) throws(FlowError) -> [CEL.Value] {
    switch try evaluate(scope) {
    case .list(let elements): return elements
    case .null: return []
    default: throw FlowError(mark, "The result is not a list.")
    }
  }
}

extension CEL.EvaluationError.Reason {
  /// The reason without the values of the session, which may be personal: it goes to logs.
  fileprivate var sentence: String {
    switch self {
    case .costLimitExceeded(let limit): "The expression exceeds its cost limit of \(limit)."
    case .unknownVariable(let name): "The variable \(name) has no value."
    case .unknownFunction(let name): "There is no function \(name)."
    case .noSuchOverload(let name, _): "\(name) does not take values of these types."
    case .noSuchKey: "The mapping has no such key."
    case .noSuchField(let name): "The mapping has no \(name)."
    case .indexOutOfRange: "The list has no such element."
    case .emptyList(let name): "The list of \(name) is empty."
    case .duplicateKey: "The mapping has a key twice."
    case .unsupportedKeyType: "A value of this type is not a key of a mapping."
    case .divisionByZero: "Division by zero."
    case .overflow(let type): "The result exceeds the range of \(type)."
    case .invalidConversion: "The value cannot be converted."
    case .invalidPattern: "The pattern is not valid."
    case .invalidArgument: "An argument is not valid."
    case .unknownTimeZone: "There is no such time zone."
    }
  }
}

/// An error of the code of a flow in a session.
struct FlowError: Error, CustomStringConvertible {
  let mark: SourceMark
  let message: String

  init(_ mark: SourceMark, _ message: String) { (self.mark, self.message) = (mark, message) }

  /// Reads an error back from the text that the engine keeps of it (`AppFault.codeFailed`), so that a trial can point
  /// at the location. Returns nil for another text.
  init?(description: String) {
    let parts = description.split(separator: ": ", maxSplits: 1)
    let mark = parts.first?.split(separator: ":") ?? []
    guard parts.count == 2, mark.count == 3, let line = Int(mark[1]), let column = Int(mark[2]) else { return nil }
    self.init(SourceMark(file: String(mark[0]), line: line, column: column), String(parts[1]))
  }

  var description: String { "\(mark): \(message)" }
}
