internal import CEL
internal import Navigation
internal import Values
internal import YAML

// Commands that change the state, and those that run other commands.
extension CommandCompiler {
  func set(
    _ values: [YAMLNode.Entry], at mark: SourceMark, _ context: inout ScriptContext
  ) -> CompiledCommand? {
    let name = context.coordinator.name.name
    let state = declared.states[name] ?? FieldSet()
    if context.isStart, values.allSatisfy({ state[$0.key.name] != nil }) {
      fault(mark, "The commands of start cannot change the state. Give the state a default.")
      return nil
    }
    var changes: [NamedTemplate] = []
    for entry in values {
      guard let field = state[entry.key.name] else {
        if declared.inputs[name]?[entry.key.name] != nil {
          fault(entry.key.mark, "\(entry.key.name) is an input, which never changes. Keep the value in a state.")
        } else {
          unknown(
            "state", entry.key, of: "coordinator \(name)", among: state.names, "Add it to the state of the coordinator."
          )
        }
        continue
      }
      templates.checkSecrecy(of: entry.value, as: entry.key.name)
      changes.append((entry.key.name, templates.value(entry.value, for: field, context.types)))
    }
    context.types = context.types.forgetting(Set(changes.map(\.name)))
    return { [changes] run in
      let scope = run.scope
      var values: [String: Value] = [:]
      for change in changes { values[change.name] = try change.template.value(scope) }
      run.state = try Value(
        members: run.state.members.map { ($0.key, values[$0.key] ?? $0.value) }, at: mark)
    }
  }

  func condition(_ model: ConditionModel, _ context: inout ScriptContext) -> CompiledCommand? {
    let condition = model.condition.flatMap { templates.expression($0, context.types, expecting: .bool) }
    if let source = model.condition?.expression { context.types = context.types.checking(inputFieldsIn: source) }
    func inside(_ result: Bool) -> ScriptContext {
      var inside = context
      inside.types = context.types.assuming(condition, at: model.condition, is: result)
      return inside
    }
    let (then, otherwise) = (compile(model.then, inside(true)), compile(model.otherwise, inside(false)))
    context.types = context.types.forgetting(
      states(changedBy: model.then + model.otherwise, of: context.coordinator))
    guard let condition else { return nil }
    return { run in
      try run.run(try condition.isTrue(run.scope) ? then : otherwise)
    }
  }

  /// Compiles the commands of a named list.
  func perform(step name: YAMLKey?, _ context: inout ScriptContext) -> CompiledCommand? {
    guard let name else { return nil }
    let coordinator = context.coordinator
    guard let step = coordinator.steps[name.name]?.commands else {
      unknown(
        "step", name, of: "coordinator \(coordinator.name.name)", among: coordinator.steps.names,
        "Add it under steps.")
      return nil
    }
    context.types = context.types.forgetting(summary(ofStep: name.name, of: coordinator).states)
    guard openSteps < Self.maximumStepDepth else {
      fault(
        name.mark,
        "Steps are nested more than \(Self.maximumStepDepth) deep. Inline some of them."
      )
      return nil
    }
    guard let commands = commands(ofStep: name, step, coordinator, isStart: context.isStart) else {
      fault(
        name.mark, "The step \(name.name) calls itself, directly or indirectly. Remove a `do`.")
      return nil
    }
    return { run in
      guard run.commandCount < ScriptRun.commandLimit else {
        throw FlowError(
          name.mark, "The event runs more than \(ScriptRun.commandLimit) commands. Look for steps that double.")
      }
      // The variable of the event is not that of the step.
      let argument = run.argument
      run.argument = nil
      defer { run.argument = argument }
      try run.run(commands)
    }
  }

  /// Each level is a few frames of the stack.
  private static let maximumStepDepth = 32

  // MARK: Effects of steps

  /// Returns the summary of a step, which is made once: many commands may do one step.
  func summary(ofStep name: String, of coordinator: CoordinatorModel) -> StepSummary {
    let key = "\(coordinator.name.name)/\(name)"
    if let known = stepSummaries[key] { return known }
    let summary = StepSummary(coordinator.all(coordinator.steps[name]?.commands ?? []))
    stepSummaries[key] = summary
    return summary
  }

  /// Returns the states that commands set, also in steps.
  func states(changedBy commands: [CommandModel], of coordinator: CoordinatorModel) -> Set<String> {
    let inside = commands.flatMap(\.all)
    let steps = Set(inside.compactMap(\.step))
    return steps.reduce(into: StepSummary(inside).states) { $0.formUnion(summary(ofStep: $1, of: coordinator).states) }
  }

  /// Returns whether a command may finish its coordinator, also in a condition or a step.
  func mayFinish(_ command: CommandModel, of coordinator: CoordinatorModel) -> Bool {
    command.all.contains { command in
      command.finishes || command.step.map { summary(ofStep: $0, of: coordinator).mayFinish } ?? false
    }
  }
}

/// The effects of a step, with those of the steps that it runs.
struct StepSummary {
  /// The states that it sets.
  var states: Set<String> = []
  var mayFinish = false
  /// The first command that sets a state.
  var firstSet: CommandModel?

  init(_ commands: [CommandModel]) {
    for command in commands {
      if command.finishes { mayFinish = true }
      guard case .set(let values) = command.content else { continue }
      firstSet = firstSet ?? command
      states.formUnion(values.map(\.key.name))
    }
  }
}
