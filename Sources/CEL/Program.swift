extension CEL {
  /// An expression that is ready to evaluate.
  ///
  /// A program is immutable, so any number of tasks can evaluate it at once.
  public struct Program: Sendable {
    public let source: String
    /// The type of the result.
    public let type: ValueType
    /// The variables of the environment that the expression reads.
    public let variables: Set<String>
    /// The variables and their fields, with dots, that are not null if the result is true.
    public let notNullIfTrue: Set<String>
    /// The variables and their fields, with dots, that are not null if the result is false.
    public let notNullIfFalse: Set<String>

    /// The variable and the fields of it that are the whole expression, as in `input.order.id`; nil for any other
    /// expression.
    public var path: [String]? { root.path }

    /// The path of the list whose elements are those of the result, all of them or some, as in
    /// `orders == null ? [] : orders.filter(o, o.isOpen)`; nil for any other expression.
    public var pathOfElements: [String]? { root.pathOfElements }

    let root: Expression
    let timeZoneData: (@Sendable (String) -> [UInt8]?)?

    /// Parses and checks an expression.
    ///
    /// - Parameters:
    ///   - environment: The variables that the expression may use.
    ///   - expected: The type that the result must have. With a type, map literals are checked against objects field by
    ///     field, and an int becomes a double where one is expected.
    /// - Throws: the syntax error, or every fault of the checker.
    public init(
      _ source: String, in environment: Environment, expecting expected: ValueType? = nil
    ) throws(ProgramError) {
      try self.init(source, in: environment, expecting: expected, isChecked: true)
    }

    /// Parses an expression without a check of its types and names. The evaluation reports them instead.
    public init(unchecked source: String, in environment: Environment = Environment()) throws(ProgramError) {
      try self.init(source, in: environment, expecting: nil, isChecked: false)
    }

    private init(
      _ source: String, in environment: Environment, expecting expected: ValueType?, isChecked: Bool
    ) throws(ProgramError) {
      let expression: Expression
      do throws(SyntaxError) {
        expression = try Parser.parse(source)
      } catch {
        throw ProgramError(faults: [Fault(error, in: source)])
      }
      var checker = Checker(environment: environment, isChecked: isChecked)
      let checked = checker.check(root: expression, expecting: expected)
      guard checker.errors.isEmpty else {
        let sorted = checker.errors.sorted { $0.offset < $1.offset }
        throw ProgramError(faults: sorted.map { Fault($0, in: source) })
      }
      self.source = source
      type = checked.type
      root = checked.node
      variables = checker.usedVariables
      notNullIfTrue = Set(checker.pathsNotNull(if: expression, is: true).compactMap(\.dotted))
      notNullIfFalse = Set(checker.pathsNotNull(if: expression, is: false).compactMap(\.dotted))
      timeZoneData = environment.timeZoneData
    }

    /// Creates the program of a part of another program.
    init(part: Expression, of whole: Program) {
      (source, type, variables) = (whole.source, .dyn, whole.variables)
      (notNullIfTrue, notNullIfFalse) = ([], [])
      (root, timeZoneData) = (part, whole.timeZoneData)
    }

    /// Evaluates the expression.
    ///
    /// - Parameters:
    ///   - bindings: The values of the variables. Each value should be of its declared type; a value of another type
    ///     makes the evaluation fail where the expression uses it.
    ///   - costLimit: The maximum cost. A step costs 1, an element of a list or map 1, and 10 bytes of a text 1.
    public func evaluate(
      _ bindings: [String: Value] = [:], costLimit: Int = CEL.defaultCostLimit
    ) throws(EvaluationError) -> Value {
      var cost = 0
      return try evaluate(values: bindings.map { ($0.key, $0.value) }, costLimit: costLimit, addingCostTo: &cost)
    }

    /// Evaluates the expression with the values of its variables, each of which occurs once.
    ///
    /// - Parameter cost: A sum, to which the evaluation adds its own cost, also if it fails.
    public func evaluate(
      values bindings: [(name: String, value: Value)], costLimit: Int, addingCostTo cost: inout Int
    ) throws(EvaluationError) -> Value {
      var evaluator = Evaluator(bindings: bindings, timeZoneData: timeZoneData, costLimit: costLimit)
      defer { cost += evaluator.meter.used }
      return try evaluator.result(of: root)
    }

    /// Returns the location of an evaluation error in the source.
    public func location(of error: EvaluationError) -> Location { Location(offset: error.offset, in: source) }
  }
}
