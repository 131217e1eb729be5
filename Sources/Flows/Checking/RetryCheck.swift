internal import YAML

/// A check of what people can try again: a request that may have reached the backend must have a key, by which the
/// backend recognizes the repetition.
struct RetryCheck {
  let model: FlowModel

  var faults: [FlowFault] { model.coordinators.flatMap { faults(of: $0) } }

  private func faults(of coordinator: CoordinatorModel) -> [FlowFault] {
    coordinator.outcomes.flatMap { outcome -> [FlowFault] in
      guard let operation = model.operations[outcome.operation.name], operation.changesTheBackend else { return [] }
      let offered = actions(after: coordinator.all(outcome.failed))
      let again = coordinator.handlers.filter { offered.contains($0.action.name) }
        .flatMap { coordinator.all($0.commands) }
      let repeated = again.compactMap { $0.placeWithoutKey(of: operation) }
      return Set(repeated).sorted().map { FlowFault($0, Self.message(operation), severity: .warning) }
    }
  }

  /// Returns the names of the actions of the screens and prompts that the commands show.
  private func actions(after commands: [CommandModel]) -> Set<String> {
    let screens = commands.flatMap { $0.shownScreens(model.isCoordinator) }.compactMap { model.screens[$0] }
    let prompts = commands.compactMap { command in
      if case .ask(let name?, _) = command.content { model.prompts[name.name] } else { nil }
    }
    return screens.offeredNames.union(prompts.offeredNames)
  }

  private static func message(_ operation: OperationModel) -> String {
    "People can try \(operation.name) again after a failure, and the backend may then do it twice. Give it a key that "
      + "stays the same for a second try, or add safe: true to the operation if a repetition changes nothing."
  }
}

extension CommandModel {
  /// The location of the name of an operation that the command performs without a key; nil for another command.
  fileprivate func placeWithoutKey(of operation: OperationModel) -> SourceMark? {
    guard case .perform(let model) = content, let name = model.operation, name.name == operation.name else {
      return nil
    }
    return model.requestKey == nil ? name.mark : nil
  }
}
