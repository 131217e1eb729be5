internal import YAML

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

extension CommandCompiler {
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

  func firstSet(inStep name: String, of coordinator: CoordinatorModel) -> CommandModel? {
    summary(ofStep: name, of: coordinator).firstSet
  }

  /// Returns whether a command may finish its coordinator, also in a condition or a step.
  func mayFinish(_ command: CommandModel, of coordinator: CoordinatorModel) -> Bool {
    command.all.contains { command in
      command.finishes || command.step.map { summary(ofStep: $0, of: coordinator).mayFinish } ?? false
    }
  }
}
