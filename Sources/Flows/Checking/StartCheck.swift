internal import YAML

/// A check of the commands of `start`: the first screen of the app and of each tab, and coordinators that start each
/// other without end.
struct StartCheck {
  private let model: FlowModel
  private let tabs: Set<String>
  /// The indices of the coordinators that each one always starts in its own start.
  private let started: [[Int]]
  /// The indices of the coordinators that may start themselves without end.
  private let candidates: Set<Int>

  init(_ model: FlowModel, _ reach: FlowReach) {
    self.model = model
    tabs = reach.tabs
    started = model.coordinators.map { coordinator in
      coordinator.all(coordinator.start, inConditions: false)
        .flatMap { $0.startedCoordinators(model.isCoordinator) }.compactMap { model.coordinators.index(of: $0) }
    }
    candidates = Circles.candidates(started)
  }

  var faults: [FlowFault] {
    var faults: [FlowFault] = []
    var reported: Set<String> = []
    for coordinator in model.coordinators {
      let name = coordinator.name.name
      for command in coordinator.all(coordinator.start) where [.goesBack, .leavesModals].contains(command.effect) {
        faults.append(
          FlowFault(
            command.verb.mark, "A coordinator has nothing to \(command.verb.name) at its start. Remove the command."))
      }
      if let circle = circle(from: name) {
        if !reported.contains(name) { faults.append(circleFault(at: coordinator.name, circle)) }
        reported.formUnion(circle)
      } else if name == model.rootCoordinator.name || tabs.contains(name), !mayShowScreen(coordinator) {
        faults.append(
          FlowFault(
            coordinator.name.mark,
            "The coordinator \(name) starts without a screen. Push one in start, or start a coordinator that does."))
      }
    }
    return faults
  }

  private func circleFault(at name: YAMLKey, _ circle: [String]) -> FlowFault {
    FlowFault(
      name.mark,
      "The coordinator \(name.name) starts itself without end: \(circle.joined(separator: " › ")). "
        + "Remove one of the commands, or put it in an if.")
  }

  /// Returns the coordinators from one back to itself, each of which always starts the next one.
  private func circle(from coordinator: String) -> [String]? {
    guard let start = model.coordinators.index(of: coordinator), candidates.contains(start),
      let circle = Circles.circle(from: start, started, model.budget)
    else { return nil }
    return circle.map { model.coordinators[$0].name.name }
  }

  /// Returns whether a screen may be on the stack of a coordinator after its start, where `present` shows none. Guards and
  /// coordinators that end at once may let others show it.
  private func mayShowScreen(_ coordinator: CoordinatorModel) -> Bool {
    var visited: Set = [coordinator.name.name]
    var next = [coordinator]
    while let current = next.popLast() {
      if current.journey != nil { return true }
      let scripts =
        [current.start] + current.guards.map(\.otherwise) + current.finished.map(\.commands)
        + current.cancelled.map(\.commands)
      for command in scripts.flatMap({ current.all($0) }) {
        if command.effect == .fillsStack { return true }
        guard case .start(let name?, _) = command.content else { continue }
        // The fault of an unknown name is enough.
        guard let child = model.coordinators[name.name] else { return true }
        if visited.insert(name.name).inserted { next.append(child) }
      }
    }
    return false
  }
}
