internal import YAML

// Checks of what happens again: tries after a failure, and timers.
extension FlowModel {
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
