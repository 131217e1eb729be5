internal import YAML

// Checks of requests and timers: answers that are not sent, tries after a failure, and timers without end.
extension FlowModel {
  /// Finds the request at the end of a journey that lacks the answers: no command sends them, or passes one on.
  func unsentAnswers(of coordinator: CoordinatorModel) -> [FlowFault] {
    guard let journey = coordinator.journey else { return [] }
    let answers = Set(journey.questionNames + ["answers"])
    let requests = coordinator.all(journey.done).compactMap(\.performedOperation)
    guard let request = requests.first, !coordinator.commands.contains(where: { $0.passesOn(answers) }) else {
      return []
    }
    let message = "The answers are not sent. Add `answers: true` to the command, or give each answer under with."
    return [FlowFault(request.mark, message, severity: .warning)]
  }

  /// Finds what people can try again without a key: a request that may have reached the backend must have one, by which
  /// the backend recognizes the repetition.
  func keylessRetries(of coordinator: CoordinatorModel) -> [FlowFault] {
    coordinator.outcomes.flatMap { outcome -> [FlowFault] in
      guard let operation = operations[outcome.operation.name], operation.changesTheBackend else { return [] }
      let offered = actions(after: coordinator.all(outcome.failed))
      let again = coordinator.handlers.filter { offered.contains($0.action.name) }
        .flatMap { coordinator.all($0.commands) }
      let repeated = again.compactMap { $0.locationWithoutKey(of: operation) }
      let message =
        "People can try \(operation.name) again after a failure, and the backend may then do it twice. Give it a key that "
        + "stays the same for a second try, or add safe: true to the operation if a repetition changes nothing."
      return Set(repeated).sorted().map { FlowFault($0, message, severity: .warning) }
    }
  }

  /// Returns the names of the actions of the screens and prompts that the commands show.
  private func actions(after commands: [CommandModel]) -> Set<String> {
    let screens = commands.flatMap { $0.shownScreens(isCoordinator) }.compactMap { self.screens[$0] }
    let prompts = commands.compactMap { command in
      if case .ask(let name?, _) = command.content { self.prompts[name.name] } else { nil }
    }
    return screens.offeredNames.union(prompts.offeredNames)
  }

  /// Finds timers that schedule each other without a pause: such a session never rests, and keeps a processor busy.
  func endlessTimers(of coordinator: CoordinatorModel) -> [FlowFault] {
    let timers = coordinator.timers
    let next = timers.map { timer in
      coordinator.all(timer.commands, inConditions: false).compactMap(\.timerAtOnce).compactMap { timers.index(of: $0) }
    }
    return Circles.all(next, budget).map { circle in
      let first = timers[circle[0]].name
      let way = circle.map { timers.names[$0] }.joined(separator: " › ")
      return FlowFault(
        first.mark,
        "The timer \(first.name) comes again without end and without a pause: \(way). Let it wait for at least 1s, "
          + "or schedule it in an if.", severity: .warning)
    }
  }
}

extension CommandModel {
  /// The operation that the command performs; nil for another command.
  fileprivate var performedOperation: YAMLKey? {
    if case .perform(let model) = content { model.operation } else { nil }
  }

  /// Returns whether the command sends all answers, or has one of the variables as a value.
  fileprivate func passesOn(_ answers: Set<String>) -> Bool {
    if case .perform(let model) = content, model.hasAnswers { return true }
    return values.contains { $0.isOrContains(answers) }
  }

  /// The location of the name of an operation that the command performs without a key; nil for another command.
  fileprivate func locationWithoutKey(of operation: OperationModel) -> SourceMark? {
    guard case .perform(let model) = content, let name = model.operation, name.name == operation.name else {
      return nil
    }
    return model.requestKey == nil && !model.hasAnswers ? name.mark : nil
  }

  /// The timer that the command schedules without a pause; nil for another command.
  fileprivate var timerAtOnce: String? {
    guard case .schedule(let model) = content, let pause = model.fixedDelay, pause < .seconds(1) else { return nil }
    return model.timer?.name
  }
}

extension YAMLNode {
  /// Returns whether one of the variables is the whole value, or one in it.
  fileprivate func isOrContains(_ variables: Set<String>) -> Bool {
    switch content {
    case .mapping(let entries): entries.contains { $0.value.isOrContains(variables) }
    case .sequence(let elements): elements.contains { $0.isOrContains(variables) }
    default: spacelessExpression.map(variables.contains) ?? false
    }
  }
}
