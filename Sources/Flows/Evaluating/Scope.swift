internal import CEL
internal import Navigation
internal import Synchronization
internal import Values
internal import YAML

/// The variables of an evaluation with their values.
struct Scope {
  /// The values of a coordinator, a screen or a prompt, by their names.
  let values: Value
  /// The variable of an event, such as `input`.
  var argument: (name: String, value: Value)?
  /// The variable of an element of a list, such as `item`.
  var element: (name: String, value: CEL.Value)?
  /// The session, for the code of a coordinator.
  var environment: SessionEnvironment?

  /// - Parameter budget: the budget of a handler. Other code has that of the view, if it is part of one.
  init(
    _ values: Value, argument: (name: String, value: Value)? = nil, environment: SessionEnvironment? = nil,
    budget: CostBudget? = nil
  ) {
    (self.values, self.argument, self.environment) = (values, argument, environment)
    self.budget = budget ?? CostBudget.ofView
  }

  /// The variables that were converted already, for a scope that many expressions share: those of the items of a list.
  private var converted: ConvertedValues?

  /// The cost that all evaluations of the view or of the handler have left together; nil without a limit.
  let budget: CostBudget?

  /// The maximum cost of an evaluation.
  private(set) var costLimit = CEL.defaultCostLimit

  /// Returns the scope for many evaluations of the same values.
  func shared() -> Scope {
    var scope = self
    scope.converted = ConvertedValues()
    return scope
  }

  /// Returns the scope for the elements of a list. An expression that is evaluated for each of them has the cost limits
  /// of ten evaluations for all together, so that a long list is an error instead of a wait.
  func forElements(_ count: Int) -> Scope {
    var scope = self
    scope.costLimit = max(Self.leastCostLimit, CEL.defaultCostLimit * 10 / max(10, count))
    return scope
  }

  /// The least limit, enough for an expression that reads a few fields.
  private static let leastCostLimit = 100

  func with(_ name: String, _ value: CEL.Value) -> Scope {
    var scope = self
    scope.element = (name, value)
    return scope
  }

  /// Returns what a function makes of each element. All elements share one scope, because a copy costs as much as an
  /// expression.
  func map<Result>(
    _ elements: some Sequence<CEL.Value>, as name: String, _ make: (Scope) throws -> Result
  ) rethrows -> [Result] {
    var scope = self
    return try elements.map { element in
      scope.element = (name, element)
      return try make(scope)
    }
  }

  /// Returns the stored value of a variable, or of a field in it, which is not a value of expressions yet; nil for a
  /// variable without one, and for an absent field.
  func stored(_ path: [String]) -> Value? {
    guard var value = stored(path[0]) else { return nil }
    for field in path.dropFirst() {
      guard let member = value[field] else { return nil }
      value = member
    }
    return value
  }

  private func stored(_ name: String) -> Value? {
    if let argument, argument.name == name { return argument.value }
    if let origin = origin(name) { return origin }
    if element?.name == name || environment != nil && Self.ofEnvironment.contains(name) { return nil }
    return values[name] ?? .null
  }

  private static let ofEnvironment: Set<String> = ["locale", "now", "principal", "today"]

  /// Returns the value of a variable that is the origin of the event; nil for another variable.
  private func origin(_ name: String) -> Value? {
    guard let origin = environment?.origin, origin.kind != .prompt, origin.kind.rawValue == name else { return nil }
    return origin.value
  }

  /// Returns the value of a variable; null for an absent one.
  subscript(name: String) -> CEL.Value {
    if let argument, argument.name == name { return CEL.Value(argument.value) }
    if let element, element.name == name { return element.value }
    if let environment {
      if let origin = origin(name) { return CEL.Value(origin) }
      switch name {
      case "locale": return environment.locale.map { .string($0) } ?? .null
      case "now": return environment.celTime
      case "principal": return environment.celPrincipal
      case "today": return .string(environment.today.description)
      default: break
      }
    }
    guard let converted else { return values[name].map { CEL.Value($0) } ?? .null }
    return converted.value(of: name) { values[name].map { CEL.Value($0) } ?? .null }
  }
}

extension String {
  /// The names in the source of an expression, each with the fields that follow it, such as `input.order.id`.
  var expressionPaths: [[Substring]] {
    split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.map { $0.split(separator: ".") }
  }
}

/// Values of variables, each converted once. Without it, a list whose items read the whole list takes time in proportion
/// to the square of its length.
private final class ConvertedValues: Sendable {
  private let known = Mutex<[String: CEL.Value]>([:])

  func value(of name: String, _ convert: () -> CEL.Value) -> CEL.Value {
    known.withLock { known in
      if let value = known[name] { return value }
      let value = convert()
      known[name] = value
      return value
    }
  }
}

/// The types of the variables that an expression may use.
struct ScopeTypes {
  /// The declaration of a variable.
  enum Declaration {
    case schema(YAMLNode)
    /// The schema of each field; nil for a field without one.
    case fields((_ name: String) -> YAMLNode?)
  }

  var variables: [String: CEL.ValueType]
  /// The declarations of the variables, for what a type does not tell, such as the titles of choices.
  var declarations: [String: Declaration] = [:]
  /// The variables and fields that a condition around has found not to be null.
  private(set) var notNull: Set<String> = []
  /// The fields of `input`, if people or other programs fill it, that no condition has read yet.
  var uncheckedInputFields: FieldSet?
  /// The variable whose use is noted: the origin of an event, or the date on a screen or a prompt.
  var noted: NotedVariable?
  /// The variables that are objects of others: all answers of a journey.
  var objects: [String: [String]] = [:]
  /// The questions of a journey, and of an item in it, each with the position of the first one that has no answer yet.
  private var orders: [(order: QuestionOrder, end: Int)] = []
  /// The names that fields cannot have, because they are variables of their own.
  static let reserved: Set<String> = [
    "call", "failure", "input", "item", "locale", "now", "output", "principal", "result", "row", "screen",
    Value.today,
  ]

  init(_ variables: [String: CEL.ValueType] = [:]) { self.variables = variables }

  /// - Parameter others: fields that hide those of the same name.
  init(of fields: FieldSet, _ others: FieldSet = FieldSet()) {
    variables = fields.types.merging(others.types) { $1 }
    for field in fields { declarations[field.name.name] = .schema(field.node) }
    for field in others { declarations[field.name.name] = .schema(field.node) }
  }

  /// - Parameter declaration: the declaration of the variable; nil for one without.
  func with(_ name: String, _ type: CEL.ValueType, _ declaration: Declaration? = nil) -> ScopeTypes {
    var copy = self
    copy.variables[name] = type
    copy.declarations[name] = declaration
    return copy.forgetting([name])
  }

  /// Returns the types where a condition has this result.
  ///
  /// - Parameters:
  ///   - condition: nil for a condition with a fault. Every variable then counts as tested, so that the fault has no
  ///     consequences.
  ///   - node: the condition in the file; nil without one.
  func assuming(_ condition: CompiledExpression?, at node: YAMLNode?, is result: Bool) -> ScopeTypes {
    guard node != nil else { return self }
    var copy = self
    guard let condition else {
      copy.notNull.formUnion(variables.keys)
      return copy
    }
    copy.notNull.formUnion(result ? condition.program.notNullIfTrue : condition.program.notNullIfFalse)
    return copy
  }

  /// Returns the types where variables, or fields in them such as `quote.total`, are not null.
  func knowing(notNull names: [String]) -> ScopeTypes {
    var copy = self
    copy.notNull.formUnion(names)
    return copy
  }

  /// Returns the types where the answers from a position on are not there yet.
  func before(_ position: Int, in order: QuestionOrder) -> ScopeTypes {
    var copy = self
    copy.orders.append((order, position))
    return copy
  }

  /// Returns the answers that an expression reads before they are there.
  func laterAnswers(in program: CEL.Program) -> [(name: String, location: CEL.Location)] {
    if orders.isEmpty { return [] }
    return program.reads.compactMap { read -> (name: String, location: CEL.Location)? in
      let name = read.answer.joined(separator: ".")
      return orders.contains { $0.order.isAsked(name, from: $0.end) } ? (name, read.location) : nil
    }
  }

  /// The names of the answers that are not there yet.
  var laterAnswers: Set<String> {
    orders.reduce(into: []) { names, asked in names.formUnion(asked.order.names(from: asked.end)) }
  }

  /// Returns the variables whose names earlier answers of the item have too. An expression that also reads the answer of
  /// the item, or reads the variable in `answers`, means the variable.
  func variablesNamedLikeAnswers(in program: CEL.Program) -> [(name: String, location: CEL.Location)] {
    if orders.isEmpty { return [] }
    let reads = program.reads
    var known = Set(reads.filter { $0.path[0] == "item" }.compactMap { $0.path.dropFirst().first })
    return reads.filter { $0.path[0] != "item" }.compactMap { read -> (name: String, location: CEL.Location)? in
      let name = read.path[0]
      let written = program.source.utf8.dropFirst(read.location.offset).prefix { $0.isASCIILetterOrDigit }
      guard written.elementsEqual(name.utf8),
        orders.contains(where: { $0.order.isAsked("item.\(name)", before: $0.end) }), known.insert(name).inserted
      else { return nil }
      return (name, read.location)
    }
  }

  /// Returns the types after a condition, which may have compared fields of `input` with their limits.
  func checking(inputFieldsIn condition: String) -> ScopeTypes {
    var copy = self
    guard let unchecked = uncheckedInputFields else { return copy }
    let read = Set(condition.expressionPaths.filter { $0.first == "input" }.compactMap { $0.dropFirst().first })
    copy.uncheckedInputFields = FieldSet(unchecked.filter { !read.contains($0.name.name[...]) })
    return copy
  }

  /// Returns the types after variables have changed.
  func forgetting(_ names: Set<String>) -> ScopeTypes {
    var copy = self
    copy.notNull = notNull.filter { path in !names.contains(String(path.prefix { $0 != "." })) }
    return copy
  }

  /// The variables with those about the time and the session, for a step of a coordinator.
  var inStep: ScopeTypes { inSession.with("now", .timestamp) }

  /// The variables of ``inSession`` that the code of a drawn screen has: of those about the session, the date alone.
  var onScreen: ScopeTypes {
    var copy = self
    for name in ["locale", "principal"] { copy.variables[name] = nil }
    return copy
  }

  /// The variables with those about the session, for code that runs whenever a screen is shown.
  var inSession: ScopeTypes {
    with("locale", .nullable(.string)).with("today", .string).with(
      "principal",
      .nullable(
        .object(CEL.ObjectType("principal", ["subject": .init(.string), "claims": .init(.map(.string, .dyn))]))))
  }

  /// The type of `failure`: an ``EffectFailure``.
  static let failure = CEL.ValueType.object(
    CEL.ObjectType(
      "failure",
      [
        "reason": .init(.string), "detail": .init(.string), "mayHaveHappened": .init(.bool),
        "status": .optional(.int), "body": .optional(.dyn),
      ]))
}

extension CEL.Program.Read {
  /// The path of the answer that the expression reads: its variable, or `item` and a field of it.
  var answer: [String] { Array(path.prefix(path[0] == "item" ? 2 : 1)) }
}

/// The order in which the pages of a journey ask its questions, or those of an item ask its own.
struct QuestionOrder {
  /// The positions of the questions, each on the first page that asks it. An expression names them by these names.
  private var positions: [String: Int] = [:]
  /// The number of questions before each page, and that of all of them.
  private(set) var starts = [0]

  /// - Parameter prefix: the beginning of the names in expressions.
  init(_ pages: [[YAMLKey]], prefix: String = "") {
    for page in pages {
      for name in page where positions[prefix + name.name] == nil { positions[prefix + name.name] = positions.count }
      starts.append(positions.count)
    }
  }

  func position(of name: String) -> Int? { positions[name] }

  /// Returns whether a question is asked at a position or after it.
  func isAsked(_ name: String, from position: Int) -> Bool { positions[name].map { $0 >= position } ?? false }

  /// Returns the names of the questions that are asked at a position or after it.
  func names(from position: Int) -> [String] { positions.filter { $0.value >= position }.map(\.key) }

  /// Returns whether a question is asked before a position.
  func isAsked(_ name: String, before position: Int) -> Bool { positions[name].map { $0 < position } ?? false }
}

/// A variable that few expressions read, and that costs the others nothing: the origin of an event, `screen` or `call`,
/// or `today` on a screen or a prompt.
final class NotedVariable {
  let name: String
  /// The type, made for the first expression that may read the variable; nil if there is no such variable.
  private(set) lazy var type = makeType()
  /// Whether an expression reads the variable.
  private(set) var isRead = false
  private let makeType: () -> CEL.ValueType?

  init(_ name: String, _ makeType: @escaping () -> CEL.ValueType?) { (self.name, self.makeType) = (name, makeType) }

  /// The date, which the drawing of a screen or a prompt adds to its data.
  static var today: NotedVariable { NotedVariable(Value.today) { .string } }

  /// Notes whether an expression reads the variable.
  func note(_ program: CEL.Program) {
    if program.variables.contains(name) { isRead = true }
  }
}

extension SessionEnvironment {
  fileprivate var celTime: CEL.Value {
    let milliseconds = time.milliseconds
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    let rest = Int32(milliseconds - seconds * 1000) * 1_000_000
    return CEL.Timestamp(seconds: seconds, nanoseconds: rest).map { .timestamp($0) } ?? .null
  }

  fileprivate var celPrincipal: CEL.Value {
    guard let principal else { return .null }
    return .map(CEL.Map(["subject": .string(principal.subject), "claims": CEL.Value(principal.claims)]))
  }
}
