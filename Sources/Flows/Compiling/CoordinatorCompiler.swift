internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// A compiler of coordinators.
final class CoordinatorCompiler: PartCompiler {
  /// Compiles all coordinators, the root first.
  func compile() -> [CoordinatorDefinition] {
    let root = model.rootCoordinator.name
    let ordered =
      model.coordinators.filter { $0.name.name == root } + model.coordinators.filter { $0.name.name != root }
    return ordered.map { compile($0) }
  }

  private func compile(_ coordinator: CoordinatorModel) -> CoordinatorDefinition {
    let name = coordinator.name.name
    let context = ScriptContext(coordinator: coordinator, types: declared.types(of: coordinator).inStep)
    let names = reach[name]
    let (input, state) = (declared.inputs[name] ?? FieldSet(), declared.states[name] ?? FieldSet())
    let questions = coordinator.journey?.questionNames ?? []
    var startContext = context
    startContext.isStart = true
    let start = scripts.compile(coordinator.start, startContext).reaction()
    var definition = CoordinatorDefinition(
      SchemaDefinition(name) {
        let answers = JourneyDefinition.adapted($0, questions)
        return try Value(members: try input.adapted($0) + state.adapted($0) + answers)
      },
      start: start)
    definition.screens = model.screens[names.screens].compactMap { screenCompiler.screens[$0.name.name]?.definition }
    definition.prompts = model.prompts[names.prompts].compactMap { screenCompiler.prompts[$0.name.name]?.definition }
    definition.bindings = fills(coordinator)
    definition.handlers = flow.handlers.compile(coordinator, context)
    definition.children = children(coordinator, context)
    definition.guards = guards(coordinator, context)
    definition.outcomes = outcomes(coordinator, context)
    definition.detached = model.operations[names.detached].compactMap { services.operations[$0.name] }
      .map { EffectReference($0.effect) }
    for timer in coordinator.timers {
      guard let event = declared.timers[timer.name.name] else { continue }
      let input = declared.timerInputs[timer.name.name] ?? FieldSet()
      let type = declared.faultyTimers.contains(timer.name.name) ? .dyn : input.objectType(named: "input")
      let handle = reaction(timer.commands, context, "input", type, isEvent: true) { input[$0]?.node }
      definition.timedEvents.append(EventHandler(event, handle: handle))
    }
    for signal in coordinator.signals {
      let known = known(services.signals[signal.name.name], "signal", signal.name, among: model.signals.names)
      guard let compiled = known else { continue }
      var signalContext = context
      signalContext.types.uncheckedInputFields = compiled.fields
      let handle = reaction(signal.commands, signalContext, "input", compiled.input, isEvent: true) {
        compiled.fields[$0]?.node
      }
      definition.signals.append(EventHandler(compiled.signal, handle: handle))
    }
    if let carried = coordinator.carried {
      if !model.carries {
        fault(carried.name.mark, "No session moves to this version. Add carry, or remove carried.")
      }
      for field in [input["from"], state["from"]].compactMap(\.self) {
        fault(field.name.mark, "The name from is that of a variable of carried. Choose another one.")
      }
      definition.carried = reaction(carried.commands, context, "from", .int, isEvent: true)
    }
    if let journey = coordinator.journey {
      let done = scripts.compile(journey.done, context).reaction()
      flow.journeys.compile(journey, of: coordinator, done: done).add(to: &definition)
    } else if !coordinator.declaresStart {
      fault(coordinator.name.mark, "The key start is missing. Add it to the coordinator \(name).")
    }
    // Steps that no command runs are checked too.
    for step in coordinator.steps {
      _ = scripts.commands(ofStep: step.name, step.commands, coordinator, isStart: false)
    }
    return definition
  }

  private func reaction(
    _ commands: [CommandModel], _ context: ScriptContext, _ argument: String, _ type: CEL.ValueType,
    isEvent: Bool = false, mayRefuse: Bool = false, declaring field: @escaping (String) -> YAMLNode? = { _ in nil }
  ) -> ValueReaction {
    var context = context
    if isEvent { scripts.checkEvent(commands, context.coordinator, mayRefuse: mayRefuse) }
    context.types = context.types.with(argument, type, .fields(field))
    return scripts.compile(commands, context).reaction(argument: argument)
  }

  // MARK: Declarations

  private func fills(_ coordinator: CoordinatorModel) -> [BindingDefinition] {
    coordinator.bindings.compactMap { fill in
      let known = known(screenCompiler.screens[fill.name.name], "screen", fill.name, among: model.screens.names)
      guard let screen = known else { return nil }
      let types = declared.types(of: coordinator).inSession.with("screen", partialType(of: screen))
      var values: [String: Template] = [:]
      for entry in fill.value?.entries ?? [] {
        guard let field = screen.data[entry.key.name] else {
          unknown(
            "property", entry.key, of: "screen \(fill.name.name)", among: screen.data.names, "Add it to its data.")
          continue
        }
        values[entry.key.name] = templates.value(entry.value, for: field, types)
      }
      return self.fill(screen, values)
    }
  }

  /// The type of the data of a screen before coordinators fill it in. A property that one fills in may be absent.
  private func partialType(of screen: CompiledScreen) -> CEL.ValueType {
    let filled = screenCompiler.boundProperties[screen.definition.name] ?? []
    var fields: [String: CEL.ObjectType.Field] = [:]
    for field in screen.data {
      let name = field.name.name
      fields[name] = .init(field.type, isRequired: field.defaultValue != nil || !filled.contains(name))
    }
    return .object(CEL.ObjectType(screen.definition.name, fields))
  }

  private func fill(_ screen: CompiledScreen, _ values: [String: Template]) -> BindingDefinition {
    let names = screen.data.names
    return BindingDefinition(screen.definition.name) { state, screen, environment in
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

  private func children(
    _ coordinator: CoordinatorModel, _ context: ScriptContext
  ) -> [ChildDefinition] {
    let started = reach[coordinator.name.name].children
    let names = started.union(reach[coordinator.name.name].screens)
    let areKnown = names.allSatisfy { model.coordinators[$0] != nil || model.screens[$0] != nil }
    for child in coordinator.finished.map(\.name) + coordinator.cancelled.map(\.name)
    where !started.contains(child.name) {
      if model.coordinators[child.name] == nil {
        unknown("coordinator", child, among: model.coordinators.names)
      } else if areKnown {
        fault(
          child.mark,
          "The coordinator \(coordinator.name.name) does not start \(child.name). Start it, or remove the handler.")
      }
    }
    return model.coordinators[started].map(\.name.name).map { name in
      let fields = declared.results[name] ?? FieldSet()
      let finished = coordinator.finished[name].map { finished in
        reaction(finished.commands, context, "result", fields.objectType(named: "result")) { fields[$0]?.node }
      }
      let cancelled = coordinator.cancelled[name].map { scripts.compile($0.commands, context).reaction() }
      return ChildDefinition(name, finished: finished, cancelled: cancelled)
    }
  }

  private func guards(
    _ coordinator: CoordinatorModel, _ context: ScriptContext
  ) -> [GuardDefinition] {
    coordinator.guards.compactMap { guarding in
      let name = guarding.protected
      if let screenMark = guarding.screenMark, !guarding.isScreen {
        fault(screenMark, "A guard has either protects or screen. Make it two guards.")
      } else if guarding.screenMark == nil, guarding.isScreen {
        fault(guarding.mark, "The guard protects nothing. Add protects or screen.")
      }
      if name.name.isEmpty { return nil }
      let owner = model.coordinators.first { $0.journey?.pageNames.contains(name.name) ?? false }
      if guarding.isScreen, model.screens[name.name] == nil, let owner {
        fault(
          name.mark,
          "The screen \(name.name) is a page of the journey of \(owner.name.name), and a guard protects no page alone. "
            + "Protect \(owner.name.name) in a coordinator above it, or let when decide whether the page is asked.")
        return nil
      }
      let (kind, names) =
        guarding.isScreen ? ("screen", model.screens.names) : ("coordinator", model.coordinators.names)
      let isKnown = guarding.isScreen ? model.screens[name.name] != nil : model.isCoordinator(name.name)
      guard known(isKnown ? name : nil, kind, name, among: names) != nil else { return nil }
      if !guarding.isScreen, name.name == coordinator.name.name {
        fault(name.mark, "The coordinator guards itself. Let the coordinator that starts it guard it.")
        return nil
      }
      let condition = guarding.until.flatMap {
        templates.expression($0, declared.types(of: coordinator).inSession, expecting: .bool)
      }
      let otherwise = scripts.compile(guarding.otherwise, context).reaction()
      guard let condition else { return nil }
      if let advice = declared.adviceIfNeverTrue(condition, coordinator, "the guard") {
        fault(condition.mark, "The guard can never pass. \(advice)")
      }
      return GuardDefinition(
        guarding.isScreen ? .screen(name.name) : .coordinator(name.name),
        passes: { state, environment in try condition.isTrue(Scope(state.encoding, environment: environment)) },
        otherwise: otherwise)
    }
  }

  private func outcomes(
    _ coordinator: CoordinatorModel, _ context: ScriptContext
  ) -> [OutcomeDefinition] {
    let refusals = OutcomeRefusals(of: coordinator)
    return coordinator.outcomes.compactMap { outcome in
      guard let operation = services.operation(outcome.operation) else { return nil }
      let name = outcome.operation.name
      let call = NotedVariable("call") { [self] in
        callType(of: operation, name, coordinator)
      }
      var outcomeContext = context
      outcomeContext.types.noted = call
      outcomeContext.types.declarations["call"] = .fields { operation.parameters?[$0]?.node }
      outcomeContext.form = form(behind: name, refusals, coordinator)
      let response = model.operations[name]?.response
      let failed = reaction(
        outcome.failed, outcomeContext, "failure", ScopeTypes.failure, isEvent: true, mayRefuse: true)
      let done = reaction(
        outcome.done, outcomeContext, "output", operation.output, isEvent: true, mayRefuse: true
      ) { [schemas] field in
        response.flatMap { schemas.property(field, of: $0) }
      }
      return OutcomeDefinition(
        EffectReference(operation.effect), failure: operation.failure,
        call: call.isRead ? ServiceCall.parameters(callFields(of: operation, name, coordinator)) : nil,
        mayRefuse: refusals.operations.contains(name), done: done,
        failed: { try failed(&$0, try Value(encoding: $1), $2) })
    }
  }

  /// Returns the form that the outcome of an operation may refuse: that of the actions whose handlers perform the
  /// operation, or one whose outcome leads to it.
  private func form(
    behind operation: String, _ refusals: OutcomeRefusals, _ coordinator: CoordinatorModel
  ) -> RefusableForm? {
    guard refusals.operations.contains(operation) else { return nil }
    var names: [String] = []
    for handler in refusals.handlers(behind: operation) {
      for removal in handler.removals {
        warn(
          removal.mark,
          "The outcome of \(operation) may refuse the form, and \(removal.name) removes it. Use push or present.")
      }
      // A handler without fields has a fault already.
      guard let fields = flow.handlers.fields["\(coordinator.name.name)/\(handler.action)"] else {
        return RefusableForm(name: operation, fields: nil)
      }
      names += fields.filter { !names.contains($0) }
    }
    let pages = coordinator.journey?.pages(verifiedBy: operation) ?? []
    names += pages.flatMap(\.asked).map(\.name).filter { !names.contains($0) }
    return RefusableForm(name: "form that performs \(operation)", fields: names)
  }

  /// Returns the type of `call`. A parameter that an earlier version may not have sent may be null.
  private func callType(
    of operation: CompiledOperation, _ name: String, _ coordinator: CoordinatorModel
  ) -> CEL.ValueType {
    guard let fields = callFields(of: operation, name, coordinator) else { return .map(.string, .dyn) }
    guard model.carries else { return fields.objectType(named: "call") }
    let types = fields.map { ($0.name.name, CEL.ObjectType.Field($0.defaultValue == nil ? $0.type.orNull : $0.type)) }
    return .object(CEL.ObjectType("call", Dictionary(types) { first, _ in first }))
  }

  /// Returns the parameters of an operation without those that the coordinator gives as addresses, which are known to the
  /// attempts alone; nil for an operation that takes any.
  private func callFields(
    of operation: CompiledOperation, _ name: String, _ coordinator: CoordinatorModel
  ) -> FieldSet? {
    guard let parameters = operation.parameters else { return nil }
    let addresses = coordinator.commands.flatMap { command -> [String] in
      guard case .perform(let perform) = command.content, perform.operation?.name == name else { return [] }
      return (perform.parameters?.entries ?? []).filter { $0.value.isAddress }.map(\.key.name)
    }
    return FieldSet(parameters.filter { !addresses.contains($0.name.name) })
  }
}
