internal import CEL
internal import Navigation
internal import Values
internal import YAML

// Commands for operations, timers and signals.
extension CommandCompiler {
  /// Compiles the key that distinguishes requests of one name.
  private func key(_ node: YAMLNode?, _ context: ScriptContext) -> Template? {
    node.map { templates.template($0, context.types, expecting: .string, "key") }
  }

  func awaitSignal(_ name: YAMLKey?, key: YAMLNode?, _ context: ScriptContext) -> CompiledCommand? {
    let key = self.key(key, context)
    guard let name, services.isSignal(name) else { return nil }
    let handled = context.coordinator.signals
    if handled[name.name] == nil, handled.names.allSatisfy({ model.signals[$0] != nil }) {
      fault(
        name.mark,
        "The coordinator \(context.coordinator.name.name) has no handler for the signal \(name.name). Add it under signals."
      )
    }
    return { $0.commands.append(.await(name.name, key: try key?.value($0.scope).text)) }
  }

  /// Compiles an operation with its parameters.
  ///
  /// - Parameter answers: the names of the questions whose answers are parameters, unless `with` gives them.
  private func effect(
    _ name: YAMLKey, _ parameters: YAMLNode?, _ answers: [String], _ context: ScriptContext
  ) -> (@Sendable (Scope) throws -> Draft)? {
    guard let operation = services.operation(name) else { return nil }
    let callbacks = callbacks(parameters, of: name.name, context)
    let answers = answers.filter { parameters?[$0] == nil }
    if let declared = operation.parameters { check(answers, asParametersOf: name, declared, context.types) }
    let parameters = services.parameters(
      parameters, of: operation, name, context.types, without: Set(callbacks.map(\.0) + answers))
    let effect = operation.effect.name
    return { scope in
      var values = try parameters.value(scope)
      if !answers.isEmpty {
        let given = values.members.map { ($0.key, $0.value) }
        values = try Value(members: given + answers.map { ($0, scope.values[$0] ?? .null) }, at: name.mark)
      }
      return Draft(try ServiceCall.input(values, callbacks: callbacks, at: name.mark), named: effect)
    }
  }

  /// Requires that an operation with declared parameters has one for each answer, which may be null.
  private func check(
    _ answers: [String], asParametersOf operation: YAMLKey, _ parameters: FieldSet, _ types: ScopeTypes
  ) {
    let unknown = answers.filter { parameters[$0] == nil }
    if !unknown.isEmpty {
      let (answers, pronoun) = unknown.count == 1 ? ("answer", "it") : ("answers", "them")
      fault(
        operation.mark,
        "The operation \(operation.name) has no parameter for the \(answers) \(unknown.enumerated). Add \(pronoun), or "
          + "remove parameters: the operation then takes every answer.")
    }
    for name in answers {
      guard let parameter = parameters[name] else { continue }
      let accepted = parameter.defaultValue?.isNull ?? false ? parameter.type.orNull : parameter.type
      guard let type = types.variables[name], !type.isAssignable(to: accepted) else { continue }
      fault(
        operation.mark,
        "The answer \(name) is \(type.phrase), and the parameter of \(operation.name) \(accepted.phrase). Declare it "
          + "as such, or give another value under with.")
    }
  }

  /// Returns the parameters that are addresses: of a signal, `=callback("paid")`, with its name; or one that resumes the
  /// session, `=resumeAddress()`, with its terms.
  private func callbacks(
    _ node: YAMLNode?, of operation: String, _ context: ScriptContext
  ) -> [(String, Value)] {
    var callbacks: [(String, Value)] = []
    let coordinator = context.coordinator
    for entry in node?.entries ?? [] {
      if let terms = entry.value.resumeTerms {
        if terms == nil {
          fault(
            entry.value.mark,
            "resumeAddress takes a duration of at least 1m, then \"repeatable\", one of them, or nothing. Write, for example, "
              + "=resumeAddress(\"7d\", \"repeatable\").")
        }
        callbacks.append((entry.key.name, terms.map { ServiceCall.encoded($0) } ?? .null))
        continue
      }
      guard let name = entry.value.callback else { continue }
      if name.contains(",") {
        fault(entry.value.mark, "callback takes the name of a signal alone. Write =callback(\"SIGNAL\").")
        callbacks.append((entry.key.name, .null))
        continue
      }
      // The outcome of the operation comes after its callback.
      let outcome = coordinator.outcomes[operation]
      let late = (outcome.map { $0.done + $0.failed } ?? []).flatMap(\.all).map(\.verb.mark)
      let awaits = coordinator.commands.filter { $0.awaits(name) && !late.contains($0.verb.mark) }
      let key = YAMLKey(name: name, mark: entry.value.mark)
      if services.isSignal(key), !awaits.contains(where: { $0.awaits(name, withoutKey: true) }) {
        fault(
          key.mark,
          awaits.isEmpty
            ? "The signal \(name) is not awaited. Add `await: \(name)` before the command."
            : "The signal \(name) is awaited with a key, and an address needs it without one. Remove the key, or add "
              + "`await: \(name)` before the command.")
      }
      callbacks.append((entry.key.name, Value(name)))
    }
    return callbacks
  }

  func perform(_ model: PerformModel, _ context: ScriptContext) -> CompiledCommand? {
    let key = self.key(model.requestKey, context)
    if let node = model.requestKey, let constant = node.literal {
      warn(
        node.mark,
        "The key \(constant.shortened) is always the same, so that the backend does the operation once in a session. "
          + "Write an expression with what the request is about.")
    }
    let answers = model.hasAnswers ? context.coordinator.journey?.questionNames : []
    if answers == nil, let mark = model.answersMark {
      fault(mark, "The coordinator \(context.coordinator.name.name) has no journey, and no answers. Remove answers.")
    }
    guard let name = model.operation, let effect = effect(name, model.parameters, answers ?? [], context) else {
      return nil
    }
    if model.isDetached {
      if let mark = model.compensationMark {
        fault(mark, "A detached operation has no compensation. Remove it, or detached.")
      }
      return { $0.commands.append(.performDetached(try effect($0.scope), key: try key?.value($0.scope).text)) }
    }
    requireOutcome(of: name, context.coordinator)
    let compensation = model.compensation.flatMap { compensation in
      compensation.operation.flatMap { self.effect($0, compensation.parameters, [], context) }
    }
    return command { [hasAnswers = model.hasAnswers] scope in
      .perform(
        try effect(scope),
        key: try key?.given(scope) ?? (hasAnswers ? JourneyDefinition.requestKey(of: scope.values) : nil),
        compensation: try compensation?(scope))
    }
  }

  func requireOutcome(of operation: YAMLKey, _ coordinator: CoordinatorModel) {
    // An outcome of an unknown operation is a fault already, and may be that of this one.
    let outcomes = coordinator.outcomes
    if outcomes[operation.name] == nil, outcomes.names.allSatisfy({ services.operations[$0] != nil }) {
      fault(
        operation.mark,
        "The operation \(operation.name) has no outcome in the coordinator \(coordinator.name.name). Add it under "
          + "outcomes.")
    }
  }

  func schedule(_ model: ScheduleModel, _ context: ScriptContext) -> CompiledCommand? {
    let key = self.key(model.eventKey, context)
    guard let name = model.timer else { return nil }
    let coordinator = context.coordinator
    guard coordinator.timers[name.name] != nil else {
      unknown(
        "timer", name, of: "coordinator \(coordinator.name.name)", among: coordinator.timers.names,
        "Add it under timers.")
      return nil
    }
    if declared.faultyTimers.contains(name.name) { return nil }
    let input = templates.values(
      model.input, for: declared.timerInputs[name.name] ?? FieldSet(), context.types, at: name.mark,
      of: "timer \(name.name)")
    let event = draft(name.name, input)
    if (model.delay == nil) == (model.beforeEnd == nil) {
      fault(
        name.mark,
        "The timer \(name.name) needs one time. Write `after: 5m`, or `beforeEnd: 3d` for a time before the end of the "
          + "session.")
      return nil
    }
    if let lead = model.beforeEnd?.text.flatMap({ FlowDuration.duration($0) }) {
      return command { .schedule(try event($0), .beforeEnd(lead), key: try key?.value($0).text) }
    }
    if let fixed = model.fixedDelay {
      return command { .schedule(try event($0), .after(fixed), key: try key?.value($0).text) }
    }
    guard let delay = model.delay.flatMap({ templates.expression($0, context.types, expecting: .duration) }) else {
      return nil
    }
    return { run in
      let scope = run.scope
      guard case .duration(let duration) = try delay.evaluate(scope) else { return }
      run.commands.append(
        .schedule(try event(scope), .after(.nanoseconds(duration.nanoseconds)), key: try key?.value(scope).text))
    }
  }

  func cancel(_ name: YAMLKey?, key: YAMLNode?, _ context: ScriptContext) -> CompiledCommand? {
    let key = self.key(key, context)
    guard let name else { return nil }
    let coordinator = context.coordinator
    if coordinator.timers[name.name] != nil {
      return command { .cancel(.timer, name.name, key: try key?.given($0)) }
    }
    if coordinator.signals[name.name] != nil {
      return command { .cancel(.signal, name.name, key: try key?.given($0)) }
    }
    if let effect = services.operations[name.name]?.effect.name {
      // Without a key, the command means the request with the answers, whose key the author does not know.
      let hasAnswers = key == nil && coordinator.commands.contains { $0.sendsAnswers(to: name.name) }
      return command { scope in
        let ofAnswers = hasAnswers ? JourneyDefinition.requestKey(of: scope.values) : nil
        return .cancel(.effect, effect, key: try key?.given(scope) ?? ofAnswers)
      }
    }
    let known = coordinator.timers.names + coordinator.signals.names + coordinator.outcomes.names
    unknown("timer, signal or operation", name, of: "coordinator \(coordinator.name.name)", among: known)
    return nil
  }
}

extension Template {
  /// Returns the key that an author gives.
  fileprivate func given(_ scope: Scope) throws -> WorkKey? { try value(scope).text.map(WorkKey.given) }
}

extension YAMLNode {
  /// The name of the signal in `=callback("SIGNAL")`; nil for another value.
  var callback: String? {
    guard let source = spacelessExpression, source.hasPrefix("callback("), source.hasSuffix(")") else { return nil }
    return String(source.dropFirst("callback(".count).dropLast().filter { $0 != "\"" && $0 != "'" })
  }
}

extension YAMLNode {
  /// The terms in `=resumeAddress(…)`, nil if they are wrong; nil for another value.
  var resumeTerms: ResumeTerms?? {
    let name = "resumeAddress("
    guard let source = spacelessExpression, source.hasPrefix(name), source.hasSuffix(")") else { return nil }
    let given = source.dropFirst(name.count).dropLast().filter { $0 != "\"" && $0 != "'" }
    var words = given.isEmpty ? [] : given.split(separator: ",", omittingEmptySubsequences: false)
    let isRepeatable = words.last == "repeatable"
    if isRepeatable { words.removeLast() }
    guard let first = words.first else { return ResumeTerms(validity: nil, isRepeatable: isRepeatable) }
    guard words.count == 1, let validity = FlowDuration.duration(String(first)), validity >= .seconds(60) else {
      return .some(nil)
    }
    return ResumeTerms(validity: validity, isRepeatable: isRepeatable)
  }

  /// Whether the value is an address, which the attempts alone know.
  var isAddress: Bool { callback != nil || resumeTerms != nil }
}

extension CommandModel {
  /// Whether the command passes a resume address to an operation.
  var givesResumeAddress: Bool {
    guard case .perform(let model) = content else { return false }
    return [model.parameters, model.compensation?.parameters].contains { parameters in
      (parameters?.entries ?? []).contains { $0.value.resumeTerms != nil }
    }
  }

  fileprivate func sendsAnswers(to operation: String) -> Bool {
    guard case .perform(let model) = content else { return false }
    return model.operation?.name == operation && model.hasAnswers && model.requestKey == nil
  }

  fileprivate func awaits(_ signal: String, withoutKey: Bool = false) -> Bool {
    if case .await(let name, let key) = content { name?.name == signal && (!withoutKey || key == nil) } else { false }
  }
}
