internal import Navigation
internal import Values
internal import YAML

/// The run of a list of commands for one event.
struct ScriptRun {
  /// The encoded coordinator.
  var state: Value { didSet { hasChanged = true } }
  private(set) var hasChanged = false
  /// The variable of the event, with its value; nil for an event without one.
  var argument: (name: String, value: Value)?
  let environment: SessionEnvironment
  /// The commands that the coordinator has given so far.
  var commands: [Command] = []
  /// The number of commands that have run so far.
  private(set) var commandCount = 0
  /// The number of commands after which no step is done any more. Steps that do others twice double their commands.
  static let commandLimit = 10_000
  /// The cost that the expressions of all commands have left together.
  let budget = CostBudget()

  init(_ state: Value, argument: (name: String, value: Value)?, environment: SessionEnvironment) {
    (self.state, self.argument, self.environment) = (state, argument, environment)
  }

  /// Runs commands. After `refuse`, a command that fails ends the run without an error: its values may be the refused
  /// ones, such as a divisor of 0.
  mutating func run(_ compiled: [CompiledCommand]) throws {
    for command in compiled {
      commandCount += 1
      do {
        try command(&self)
      } catch {
        guard hasRefused else { throw error }
        return
      }
    }
  }

  private var hasRefused: Bool {
    commands.contains { if case .refuse = $0 { true } else { false } }
  }

  /// The variables with the state as it is now.
  var scope: Scope {
    Scope(state, argument: argument.map { ($0.name, $0.value) }, environment: environment, budget: budget)
  }
}

typealias CompiledCommand = @Sendable (inout ScriptRun) throws -> Void

/// Returns the compiled form of a command to the engine whose values depend on the variables.
func command(_ make: @escaping @Sendable (Scope) throws -> Command) -> CompiledCommand {
  { $0.commands.append(try make($0.scope)) }
}

extension [CompiledCommand] {
  /// Returns the commands as the code of a coordinator.
  ///
  /// - Parameter argument: the variable of the event.
  func reaction(argument: String) -> ValueReaction {
    { state, value, environment in try run(&state, (argument, value), environment) }
  }

  /// Returns the commands as the code of a coordinator for an event without a value.
  func reaction() -> Reaction {
    { state, environment in try run(&state, nil, environment) }
  }

  private func run(
    _ state: inout AppValue, _ argument: (name: String, value: Value)?, _ environment: SessionEnvironment
  ) throws -> [Command] {
    var run = ScriptRun(state.encoding, argument: argument, environment: environment)
    try run.run(self)
    if run.hasChanged { state = AppValue(encoding: run.state) }
    return run.commands
  }
}

/// A form that commands may refuse.
struct RefusableForm {
  /// A noun phrase, such as `action next`.
  let name: String
  /// The names of the fields; nil if a declaration of them has a fault.
  let fields: [String]?
}

/// The surroundings of a list of commands.
struct ScriptContext {
  let coordinator: CoordinatorModel
  /// The variables, and what conditions before have found about them.
  var types: ScopeTypes
  /// The form whose fields `refuse` may name; nil outside of an action and of an outcome.
  var form: RefusableForm?
  /// Whether the commands are those of `start`, which changes no state.
  var isStart = false
}
