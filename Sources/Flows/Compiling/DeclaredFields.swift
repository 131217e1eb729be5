internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// The fields of coordinators, screens, prompts and timers, which others refer to.
final class DeclaredFields: PartCompiler {
  private(set) var inputs: [String: FieldSet] = [:]
  private(set) var states: [String: FieldSet] = [:]
  private(set) var results: [String: FieldSet] = [:]
  private(set) var screenData: [String: FieldSet] = [:]
  private(set) var promptData: [String: FieldSet] = [:]
  private(set) var timerInputs: [String: FieldSet] = [:]
  private(set) var timers: [String: SchemaDefinition] = [:]
  /// The timers with several inputs.
  private(set) var faultyTimers: Set<String> = []
  /// The variables of each coordinator by its name, which many expressions share.
  private var coordinatorTypes: [String: ScopeTypes] = [:]

  /// The variables of a coordinator: its input and its state.
  func types(of coordinator: CoordinatorModel) -> ScopeTypes { coordinatorTypes[coordinator.name.name] ?? ScopeTypes() }

  /// Reads the fields of all declarations, which others refer to.
  func declare() {
    for coordinator in model.coordinators {
      let name = coordinator.name.name
      let input = schemas.fields(coordinator.input, isForm: true, reserving: ScopeTypes.reserved)
      let state = schemas.fields(coordinator.state, reserving: ScopeTypes.reserved, needsDefaults: true)
      (inputs[name], states[name]) = (input, state)
      results[name] = schemas.fields(coordinator.result)
      coordinatorTypes[name] = ScopeTypes(input.types.merging(state.types) { _, state in state })
      for field in state where input[field.name.name] != nil {
        fault(field.name.mark, "The input of the coordinator has the name \(field.name.name) too. Rename one of them.")
      }
      for timer in coordinator.timers { declare(timer) }
    }
    for screen in model.screens {
      screenData[screen.name.name] = schemas.fields(screen.data, reserving: [Value.today])
    }
    for prompt in model.prompts {
      promptData[prompt.name.name] = schemas.fields(prompt.data, reserving: [Value.today])
    }
  }

  private func declare(_ timer: TimerModel) {
    let input = schemas.fields(timer.input)
    let name = timer.name.name
    if let known = timerInputs[name], known.declaration != input.declaration {
      faultyTimers.insert(name)
      return fault(
        timer.name.mark, "Another coordinator has a timer \(name) with a different input. Rename one of them.")
    }
    timerInputs[name] = input
    timers[name] = input.schema(named: name)
  }

  /// Returns the states that a command sets to another value than the one that they begin with.
  private func changedStates(of coordinator: CoordinatorModel, _ states: FieldSet) -> Set<String> {
    let changing = coordinator.commands.flatMap(\.setStates).filter { entry in
      guard let field = states[entry.key.name], entry.value.expression == nil else { return true }
      return entry.value.value.converted(to: field.type) != field.defaultValue
    }
    return Set(changing.map(\.key.name))
  }

  /// Returns advice if no command changes what the condition reads, and it does not hold from the start.
  func adviceIfNeverTrue(
    _ condition: CompiledExpression, _ coordinator: CoordinatorModel, _ owner: String
  ) -> String? {
    let name = coordinator.name.name
    let read = condition.program.variables
    let states = states[name] ?? FieldSet()
    // A set of an unknown state is a fault already.
    guard reach[name].states.allSatisfy({ states[$0] != nil }) else { return nil }
    // Inputs, the locale and the principal differ from session to session.
    guard read.allSatisfy({ states[$0] != nil }) else { return nil }
    guard read.isDisjoint(with: changedStates(of: coordinator, states)) else { return nil }
    guard (try? condition.isTrue(Scope(.object(states.defaults)))) != true else { return nil }
    return
      read.isEmpty
      ? "Let its condition become true."
      : reach[name].states.isDisjoint(with: read)
        ? "No command sets \(read.sorted().listed). Set it, or remove \(owner)."
        : "No command sets \(read.sorted().listed) to another value than the first one. Set it, or remove \(owner)."
  }
}
