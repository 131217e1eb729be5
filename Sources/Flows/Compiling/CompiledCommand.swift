internal import Navigation
internal import Values

/// The run of a list of commands for one event.
struct ScriptRun {
  var step: DescribedStep
  /// The variable of the event; nil for an event without a value.
  let argument: String?
  /// The commands that have run so far.
  var commandCount = 0
  /// The number of commands after which no step is done any more. Steps that do others twice double their commands.
  static let commandLimit = 10_000
  /// The cost that the expressions of all commands have left together.
  var budget = CostBudget()

  /// Runs commands. After a refusal, the values of further commands may be those that it is about, such as a divisor
  /// that is 0: the first one that fails is the last one.
  mutating func run(_ commands: [CompiledCommand]) throws {
    for command in commands {
      commandCount += 1
      do {
        try command(&self)
      } catch {
        guard step.hasRefused else { throw error }
        return
      }
    }
  }

  /// The variables with the state as it is now.
  var scope: Scope {
    Scope(step.state, argument: argument.map { ($0, step.argument) }, environment: step.environment, budget: budget)
  }
}

typealias CompiledCommand = @Sendable (inout ScriptRun) throws -> Void

extension [CompiledCommand] {
  /// Returns the commands as the code of a coordinator.
  ///
  /// - Parameter argument: the variable of the event.
  func script(argument: String? = nil) -> DescribedScript {
    { step in
      var run = ScriptRun(step: step, argument: argument)
      try run.run(self)
      step = run.step
    }
  }
}

/// The surroundings of a list of commands.
struct ScriptContext {
  let coordinator: CoordinatorModel
  /// The variables, and what conditions before have found about them.
  var types: ScopeTypes
  /// The fields of the action's input, which `refuse` may name; nil outside of an action.
  var fields: FieldSet?
  /// The name of the action; nil outside of an action.
  var action: String?
  /// Whether the commands are those of `start`, which changes no state.
  var isStart = false
}
