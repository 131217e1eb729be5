internal import YAML

/// The outcomes of a coordinator that may refuse a form.
struct OutcomeRefusals {
  /// The operations whose outcomes refuse, or perform an operation whose outcome may.
  let operations: Set<String>
  /// The operations whose outcomes perform an operation, by that one; empty if no outcome refuses.
  private let performers: [String: [String]]
  /// Empty if no outcome refuses.
  private let handlers: [Handler]

  /// The handler of an action.
  struct Handler {
    let action: String
    /// The operations that it performs.
    let operations: Set<String>
    /// The commands beside an operation that remove the screen of the action.
    let removals: [YAMLKey]
  }

  init(of coordinator: CoordinatorModel) {
    let scripts = coordinator.outcomes.map { (name: $0.operation.name, commands: $0.done + $0.failed) }
    let refusing = scripts.filter { script in coordinator.all(script.commands).contains { $0.effect == .refuses } }
    var performers: [String: [String]] = [:]
    if !refusing.isEmpty {
      for script in scripts {
        for operation in coordinator.operations(performedBy: script.commands) {
          performers[operation, default: []].append(script.name)
        }
      }
    }
    self.performers = performers
    operations = Self.leading(to: refusing.map(\.name), performers)
    handlers =
      refusing.isEmpty
      ? []
      : coordinator.handlers.map { handler in
        Handler(
          action: handler.action.name, operations: coordinator.operations(performedBy: handler.commands),
          removals: coordinator.removals(in: handler.commands))
      }
  }

  /// Returns the handlers that perform an operation, or one whose outcome leads to it, with their actions.
  func handlers(behind operation: String) -> [Handler] {
    let leading = Self.leading(to: [operation], performers)
    return handlers.filter { !$0.operations.isDisjoint(with: leading) }
  }

  /// Returns operations with those whose outcomes perform them, directly or not.
  private static func leading(to operations: [String], _ performers: [String: [String]]) -> Set<String> {
    var leading: Set<String> = []
    var next = operations
    while let operation = next.popLast() {
      if leading.insert(operation).inserted { next += performers[operation] ?? [] }
    }
    return leading
  }
}

extension CoordinatorModel {
  /// Returns the operations with outcomes that commands perform, also in conditions and steps.
  fileprivate func operations(performedBy commands: [CommandModel]) -> Set<String> {
    Set(
      all(commands).compactMap { command in
        guard case .operation(let name, let model) = command.reference, !model.isDetached else { return nil }
        return name.name
      })
  }

  /// Returns the commands that replace the screen in a list that also performs an operation.
  fileprivate func removals(in commands: [CommandModel]) -> [YAMLKey] {
    let replacing = commands.map(\.verb).filter { ["replaceTop", "setStack"].contains($0.name) }
    let inside = commands.flatMap(\.branches).flatMap { removals(in: $0) }
    return (replacing.isEmpty || operations(performedBy: commands).isEmpty ? [] : replacing) + inside
  }
}
