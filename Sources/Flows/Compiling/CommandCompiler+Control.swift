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
    let (state, questions) = (declared.states[name] ?? FieldSet(), declared.answers[name] ?? FieldSet())
    if context.isStart, values.isEmpty || values.contains(where: { state[$0.key.name] != nil }) {
      fault(mark, "The commands of start cannot change the state. Give the state a default.")
      return nil
    }
    var (changes, answers) = ([NamedTemplate](), [NamedTemplate]())
    for entry in values {
      if let question = questions[entry.key.name] {
        templates.checkSecrecy(of: entry.value, as: entry.key.name)
        answers.append((entry.key.name, templates.answer(entry.value, to: question, context.types)))
        continue
      }
      guard let field = state[entry.key.name] else {
        if context.coordinator.journey?.lists[entry.key.name] != nil {
          fault(
            entry.key.mark,
            "\(entry.key.name) is a list of the journey, whose items commands do not set. Keep the value in a state.")
        } else if declared.inputs[name]?[entry.key.name] != nil {
          fault(entry.key.mark, "\(entry.key.name) is an input, which never changes. Keep the value in a state.")
        } else {
          unknown(
            "state", entry.key, of: "coordinator \(name)", among: state.names + questions.names,
            "Add it to the state of the coordinator."
          )
        }
        continue
      }
      templates.checkSecrecy(of: entry.value, as: entry.key.name)
      changes.append((entry.key.name, templates.value(entry.value, for: field, context.types)))
    }
    context.types = context.types.forgetting(Set((changes + answers).map(\.name)))
    let isStart = context.isStart
    let journey = answers.isEmpty ? nil : flow.journeys.late(of: name)
    return { [changes, answers] run in
      let scope = run.scope
      var values: [String: Value] = [:]
      for change in changes { values[change.name] = try change.template.value(scope) }
      var given: [(name: String, value: Value)] = []
      for answer in answers { given.append((answer.name, try answer.template.value(scope))) }
      run.state = try Value(
        members: run.state.members.map { ($0.key, values[$0.key] ?? $0.value) }, at: mark)
      guard let journey = journey?.definition else { return }
      run.state = try journey.setting(given, in: run.state, isStart: isStart, run.environment)
    }
  }

  func choose(
    _ model: ChoiceModel, _ command: CommandModel, _ context: inout ScriptContext
  ) -> CompiledCommand? {
    let choice: CompiledCommand? =
      if let value = model.value { chooseCase(model, of: value, &context) } else { chooseCondition(model, &context) }
    context.types = context.types.forgetting(
      states(changedBy: command.branches.flatMap { $0 }, of: context.coordinator))
    return choice
  }

  private func chooseCondition(_ model: ChoiceModel, _ context: inout ScriptContext) -> CompiledCommand? {
    var branches: [(condition: CompiledExpression, commands: [CompiledCommand])] = []
    // The context of a branch knows that the conditions before do not hold.
    var rest = context
    for branch in model.branches {
      guard case .condition(let node) = branch.test else { continue }
      let condition = node.flatMap { templates.expression($0, rest.types, expecting: .bool) }
      if let source = node?.expression {
        rest.types = rest.types.checking(inputFieldsIn: source)
        context.types = context.types.checking(inputFieldsIn: source)
      }
      var inside = rest
      inside.types = rest.types.assuming(condition, at: node, is: true)
      rest.types = rest.types.assuming(condition, at: node, is: false)
      let commands = compile(branch.commands, inside)
      if let condition { branches.append((condition, commands)) }
    }
    let otherwise = compile(model.otherwise, rest)
    guard branches.count == model.branches.count else { return nil }
    return { [branches] run in
      let scope = run.scope
      for branch in branches {
        if try branch.condition.isTrue(scope) { return try run.run(branch.commands) }
      }
      try run.run(otherwise)
    }
  }

  private func chooseCase(
    _ model: ChoiceModel, of node: YAMLNode, _ context: inout ScriptContext
  ) -> CompiledCommand? {
    if let mark = model.emptyCases { fault(mark, "The switch has no cases. Give it at least one.") }
    let value = templates.expression(node, context.types)
    if let value { checkComparable(value) }
    if let source = node.expression { context.types = context.types.checking(inputFieldsIn: source) }
    let schema = value?.program.path.flatMap { schemas.schema(at: $0, context.types) }
    let listed = schema.flatMap { schemas.listedValues(of: $0) }
    var (inside, rest) = (context, context)
    if let path = value?.program.path { inside.types = inside.types.knowing(notNull: [path.joined(separator: ".")]) }
    if value == nil {
      inside.types = inside.types.assuming(nil, at: node, is: true)
      rest.types = inside.types
    }
    var branches: [String: [CompiledCommand]] = [:]
    for branch in model.branches {
      guard case .value(let name) = branch.test else { continue }
      let commands = compile(branch.commands, inside)
      if let value, let name = caseName(name, value.program.type, listed) { branches[name] = commands }
    }
    let otherwise = compile(model.otherwise, rest)
    guard let value else { return nil }
    return { [branches] run in
      let chosen = try value.evaluate(run.scope).caseName.flatMap { branches[$0] }
      try run.run(chosen ?? otherwise)
    }
  }

  /// Requires a value that cases can name.
  private func checkComparable(_ value: CompiledExpression) {
    switch value.program.type.withoutNull {
    case .string, .int, .bool, .dyn: break
    default:
      fault(
        value.mark,
        "The value is \(value.program.type.withoutNull.phrase), and switch compares texts, whole numbers, true and false. "
          + "Use if.")
    }
  }

  /// Returns the name under which a value of a type finds its case. Reports a case that never holds.
  ///
  /// - Parameter listed: the values that there are; nil for any.
  private func caseName(_ key: YAMLKey, _ type: CEL.ValueType, _ listed: [Value]?) -> String? {
    if key.name.hasPrefix("=") {
      fault(key.mark, "The case \(key.name.shortened) is an expression, where a literal is expected.")
      return nil
    }
    if key.name == "null", type.acceptsNull {
      warn(key.mark, "This case is for the text null. Write the commands for a value that is null under else.")
    }
    let isPossible =
      switch type.withoutNull {
      case .int: Int64(key.name).map { "\($0)" } == key.name
      case .bool: ["true", "false"].contains(key.name)
      default: true
      }
    guard isPossible else {
      fault(key.mark, "The value is \(type.withoutNull.phrase), and never \(key.name.shortened). Remove the case.")
      return nil
    }
    let names = listed?.compactMap { CEL.Value($0.converted(to: type.withoutNull)).caseName }
    if let names, !names.contains(key.name) {
      let advice = advice(for: key.name, among: names, or: "The values are \(names.enumerated).")
      fault(key.mark, "The value is never \(key.name.shortened). \(advice)")
      return nil
    }
    return key.name
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

extension CEL.Value {
  /// The name of the case for the value; nil for a value that no case names.
  fileprivate var caseName: String? {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .bool(let flag): flag ? "true" : "false"
    default: nil
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
