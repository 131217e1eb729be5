internal import CEL
internal import Navigation
internal import Values

// Coordinators.
extension FlowCompiler {
  /// The variables of a coordinator: its input and its state.
  mutating func types(of coordinator: CoordinatorModel) -> ScopeTypes {
    let name = coordinator.name.name
    if let known = coordinatorTypes[name] { return known }
    let input = coordinatorInputs[name]?.types ?? [:]
    let types = ScopeTypes(input.merging(coordinatorStates[name]?.types ?? [:]) { _, state in state })
    coordinatorTypes[name] = types
    return types
  }

  mutating func compile(_ coordinator: CoordinatorModel) -> CoordinatorDefinition {
    let name = coordinator.name.name
    let context = ScriptContext(coordinator: coordinator, types: types(of: coordinator).inStep)
    let names = reach[name]
    let (input, state) = (coordinatorInputs[name] ?? FieldSet(), coordinatorStates[name] ?? FieldSet())
    var startContext = context
    startContext.isStart = true
    let start = compile(coordinator.start, startContext).reaction()
    var definition = CoordinatorDefinition(
      SchemaDefinition(name) { try Value(members: try input.adapted($0) + state.adapted($0)) },
      start: { state, environment in
        // The commands of the start cannot depend on a change that nothing keeps.
        var state = state
        return try start(&state, environment)
      })
    definition.screens = model.screens(names.screens).compactMap { screens[$0.name.name]?.screen }
    definition.prompts = model.prompts(names.prompts).compactMap { prompts[$0.name.name]?.prompt }
    definition.fills = fills(coordinator)
    definition.handlers = handlers(coordinator, context)
    definition.children = children(coordinator, context)
    definition.guards = guards(coordinator, context)
    definition.outcomes = outcomes(coordinator, context)
    definition.detached = model.operations(names.detached).compactMap { operations[$0.name] }
      .map { EffectReference($0.effect) }
    for timer in coordinator.timers {
      guard let event = timers[timer.name.name] else { continue }
      let input = timerInputs[timer.name.name] ?? FieldSet()
      let type = faultyTimers.contains(timer.name.name) ? .dyn : input.objectType(named: "input")
      let handle = reaction(timer.commands, context, "input", type, isEvent: true)
      definition.timedEvents.append(EventHandler(event, handle: handle))
    }
    for signal in coordinator.signals {
      guard let compiled = signals[signal.name.name] else {
        unknown("signal", signal.name, among: model.signals.map(\.name.name))
        continue
      }
      var signalContext = context
      signalContext.types.uncheckedInputFields = compiled.fields
      let handle = reaction(signal.commands, signalContext, "input", compiled.input, isEvent: true)
      definition.signals.append(EventHandler(compiled.signal, handle: handle))
    }
    if let carried = coordinator.carried {
      if !model.declaration.carries {
        fault(carried.name.mark, "No session moves to this version. Add carry, or remove carried.")
      }
      definition.carried = reaction(carried.commands, context, "from", .int, isEvent: true)
    }
    // Steps that no command runs are checked too.
    for step in coordinator.steps { _ = commands(ofStep: step.name, step.commands, coordinator, isStart: false) }
    return definition
  }

  private mutating func reaction(
    _ commands: [CommandModel], _ context: ScriptContext, _ argument: String, _ type: CEL.ValueType,
    fields: FieldSet? = nil, isEvent: Bool = false
  ) -> ValueReaction {
    var context = context
    if isEvent { checkEvent(commands, context.coordinator) }
    context.types = context.types.with(argument, type)
    context.fields = fields
    return compile(commands, context).reaction(argument: argument)
  }

  /// Compiles the commands of a step once. Returns nil while the step itself is compiled: it runs itself.
  mutating func commands(
    ofStep name: YAMLKey, _ commands: [CommandModel], _ coordinator: CoordinatorModel, isStart: Bool
  ) -> [CompiledCommand]? {
    let key = "\(coordinator.name.name)/\(name.name)"
    if isStart, let command = firstSet(inStep: name.name, of: coordinator) {
      fault(
        command.verb.mark,
        "The commands of start cannot change the state, and the step \(name.name) does. Give the state a default.")
    }
    switch steps[key] {
    case .compiled(let commands): return commands
    case .inProgress: return nil
    case nil:
      steps[key] = .inProgress
      openSteps += 1
      let context = ScriptContext(coordinator: coordinator, types: types(of: coordinator).inStep)
      let compiled = compile(commands, context)
      openSteps -= 1
      steps[key] = .compiled(compiled)
      return compiled
    }
  }

  // MARK: Declarations

  private mutating func fills(_ coordinator: CoordinatorModel) -> [FillDefinition] {
    var fills: [FillDefinition] = []
    for fill in coordinator.fills {
      guard let screen = screens[fill.name.name] else {
        unknown("screen", fill.name, among: model.screens.map(\.name.name))
        continue
      }
      let types = types(of: coordinator).inSession.with("screen", partialType(of: screen))
      var values: [String: Template] = [:]
      for entry in fill.value?.entries ?? [] {
        guard let field = screen.data[entry.key.name] else {
          unknown(
            "property", entry.key, of: "screen \(fill.name.name)", among: screen.data.names, "Add it to its data.")
          continue
        }
        values[entry.key.name] = value(entry.value, for: field, types)
      }
      fills.append(self.fill(screen, values))
    }
    return fills
  }

  /// The type of the data of a screen before coordinators fill it in. A property that one fills in may be absent.
  private func partialType(of screen: CompiledScreen) -> CEL.ValueType {
    let filled = filledProperties[screen.screen.name] ?? []
    var fields: [String: CEL.ObjectType.Field] = [:]
    for field in screen.data.fields {
      let name = field.name.name
      fields[name] = .init(field.type, isRequired: field.defaultValue != nil || !filled.contains(name))
    }
    return .object(CEL.ObjectType(screen.screen.name, fields))
  }

  private func fill(_ screen: CompiledScreen, _ values: [String: Template]) -> FillDefinition {
    let names = screen.data.names
    return FillDefinition(screen.screen.name) { state, screen, environment in
      let data = screen.encoding
      let scope = Scope(state.encoding, argument: ("screen", data), environment: environment)
      var members: [(String, Value)] = []
      for name in names {
        let value = try values[name].map { try $0.value(scope) } ?? data[name]
        if let value { members.append((name, value)) }
      }
      // Loaded properties are not declared data.
      let others = data.members.filter { !names.contains($0.key) }.map { ($0.key, $0.value) }
      screen = AppValue(encoding: try Value(members: members + others))
    }
  }

  private mutating func children(
    _ coordinator: CoordinatorModel, _ context: ScriptContext
  ) -> [ChildDefinition] {
    let started = reach[coordinator.name.name].children
    let names = started.union(reach[coordinator.name.name].screens)
    let areKnown = names.allSatisfy { model.coordinator($0) != nil || model.screen($0) != nil }
    for child in coordinator.finished.map(\.name) + coordinator.cancelled.map(\.name)
    where !started.contains(child.name) {
      if model.coordinator(child.name) == nil {
        unknown("coordinator", child, among: model.coordinators.map(\.name.name))
      } else if areKnown {
        fault(
          child.mark,
          "The coordinator \(coordinator.name.name) does not start \(child.name). Start it, or remove the handler.")
      }
    }
    let whenFinished = Dictionary(coordinator.finished.map { ($0.name.name, $0.commands) }) { first, _ in first }
    let whenCancelled = Dictionary(coordinator.cancelled.map { ($0.name.name, $0.commands) }) { first, _ in first }
    return model.coordinators(started).map(\.name.name).map { name in
      let result = (coordinatorResults[name] ?? FieldSet()).objectType(named: "result")
      let finished = whenFinished[name].map { reaction($0, context, "result", result) }
      let cancelled = whenCancelled[name].map { compile($0, context).reaction() }
      return ChildDefinition(name, finished: finished, cancelled: cancelled)
    }
  }

  private mutating func guards(
    _ coordinator: CoordinatorModel, _ context: ScriptContext
  ) -> [GuardDefinition] {
    var guards: [GuardDefinition] = []
    for guarding in coordinator.guards {
      let name = guarding.protected
      if let screenMark = guarding.screenMark, !guarding.isScreen {
        fault(screenMark, "A guard has either protects or screen. Make it two guards.")
      } else if guarding.screenMark == nil, guarding.isScreen {
        fault(guarding.mark, "The guard protects nothing. Add protects or screen.")
      }
      if name.name.isEmpty { continue }
      if guarding.isScreen, model.screen(name.name) == nil {
        unknown("screen", name, among: model.screens.map(\.name.name))
        continue
      }
      if !guarding.isScreen, model.coordinator(name.name) == nil {
        unknown("coordinator", name, among: model.coordinators.map(\.name.name))
        continue
      }
      if !guarding.isScreen, name.name == coordinator.name.name {
        fault(name.mark, "The coordinator guards itself. Let the coordinator that starts it guard it.")
        continue
      }
      let condition = guarding.until.flatMap {
        expression($0, types(of: coordinator).inSession, expecting: .bool)
      }
      let otherwise = compile(guarding.otherwise, context).reaction()
      guard let condition else { continue }
      if let advice = adviceIfNeverTrue(condition, coordinator, "the guard") {
        fault(condition.mark, "The guard can never pass. \(advice)")
      }
      guards.append(
        GuardDefinition(
          guarding.isScreen ? .screen(name.name) : .coordinator(name.name),
          passes: { state, environment in try condition.isTrue(Scope(state.encoding, environment: environment)) },
          otherwise: otherwise))
    }
    return guards
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
    let states = coordinatorStates[name] ?? FieldSet()
    // A set of an unknown state is a fault already.
    guard reach[name].states.allSatisfy({ states[$0] != nil }) else { return nil }
    // Inputs, the locale and the principal differ from session to session.
    guard read.allSatisfy({ states[$0] != nil }) else { return nil }
    guard read.isDisjoint(with: changedStates(of: coordinator, states)) else { return nil }
    let values = Value.object(states.fields.map { ($0.name.name, $0.defaultValue ?? .null) })
    guard (try? condition.isTrue(Scope(values))) != true else { return nil }
    return
      read.isEmpty
      ? "Let its condition become true."
      : reach[name].states.isDisjoint(with: read)
        ? "No command sets \(read.sorted().listed). Set it, or remove \(owner)."
        : "No command sets \(read.sorted().listed) to another value than the first one. Set it, or remove \(owner)."
  }

  private mutating func outcomes(
    _ coordinator: CoordinatorModel, _ context: ScriptContext
  ) -> [OutcomeDefinition] {
    var outcomes: [OutcomeDefinition] = []
    for outcome in coordinator.outcomes {
      guard let operation = operations[outcome.operation.name] else {
        unknownOperation(outcome.operation)
        continue
      }
      let failed = reaction(outcome.failed, context, "failure", ScopeTypes.failure, isEvent: true)
      outcomes.append(
        OutcomeDefinition(
          EffectReference(operation.effect), failure: operation.failure,
          done: reaction(outcome.done, context, "output", operation.output, isEvent: true),
          failed: { try failed(&$0, try Value(encoding: $1), $2) }))
    }
    return outcomes
  }
}
