internal import YAML

/// A check of the `otherwise` of guards: its screens must not wait behind the same guard, and a stack without other
/// screens needs one from it.
struct GuardCheck {
  private let model: FlowModel
  private let reach: FlowReach
  private let guards: [(owner: String, guarding: GuardModel)]
  /// The indices of the guards by the names that they protect.
  private let guardsByName: [String: [Int]]

  init(_ model: FlowModel, _ reach: FlowReach) {
    self.model = model
    self.reach = reach
    guards = model.coordinators.flatMap { coordinator in coordinator.guards.map { (coordinator.name.name, $0) } }
    let guards = guards
    guardsByName = Dictionary(grouping: guards.indices) { guards[$0].guarding.protected.name }
  }

  var faults: [FlowFault] { circles + emptyStacks }

  private var circles: [FlowFault] {
    Circles.all(guards.indices.map { following($0) }, model.budget).filter { !areOpposed($0) }.map { circle in
      let names = circle.map { guards[$0].guarding.protected.name }
      return FlowFault(
        guards[circle[0]].guarding.protected.mark,
        "Guards lead to each other without end: \(names.joined(separator: " › ")). "
          + "Let one of them lead to what no guard protects.")
    }
  }

  /// Returns whether two guards of one coordinator have opposite conditions, a state and its negation, so that one of them
  /// always passes: an account and a sign-in that stand in for each other, say.
  private func areOpposed(_ circle: [Int]) -> Bool {
    let conditions = Set(circle.map { [guards[$0].owner, guards[$0].guarding.until?.expression ?? ""] })
    return conditions.contains { $0[1].isFieldName && conditions.contains([$0[0], "!\($0[1])"]) }
  }

  /// The guards that show nothing, and protect all that a coordinator shows where its stack is empty otherwise.
  private var emptyStacks: [FlowFault] {
    guards.compactMap { owner, guarding in
      guard let coordinator = model.coordinators[owner], isAlone(guarding, of: owner) else { return nil }
      var steps: [String: Bool] = [:]
      if alwaysShows(guarding.otherwise, of: coordinator, &steps) { return nil }
      let never = showsNothing(guarding.otherwise, of: coordinator)
      return FlowFault(
        guarding.protected.mark,
        "The guard leaves a stack empty, and \(never ? "shows nothing" : "may show nothing") there. Let otherwise push, "
          + "start or present something\(never ? "" : " in any case").", severity: never ? .error : .warning)
    }
  }

  /// Returns whether the commands show something whatever their conditions are.
  ///
  /// - Parameter steps: The results for the visited steps of the coordinator.
  private func alwaysShows(
    _ commands: [CommandModel], of coordinator: CoordinatorModel, _ steps: inout [String: Bool]
  ) -> Bool {
    commands.contains { command in
      if let step = command.step { return alwaysShows(step: step, of: coordinator, &steps) }
      if command.branches.isEmpty { return !showsNothing([command], of: coordinator) }
      return command.branches.allSatisfy { alwaysShows($0, of: coordinator, &steps) }
    }
  }

  private func alwaysShows(
    step: String, of coordinator: CoordinatorModel, _ steps: inout [String: Bool]
  ) -> Bool {
    if let known = steps[step] { return known }
    // A step that is unknown, or that does itself, is a fault already.
    steps[step] = true
    guard let commands = coordinator.steps[step]?.commands else { return true }
    let result = alwaysShows(commands, of: coordinator, &steps)
    steps[step] = result
    return result
  }

  private func showsNothing(_ commands: [CommandModel], of coordinator: CoordinatorModel) -> Bool {
    coordinator.all(commands).allSatisfy { command in
      command.shownScreens(model.isCoordinator).isEmpty && command.startedCoordinators(model.isCoordinator).isEmpty
    }
  }

  /// Returns whether a stack begins with the protected part, and has nothing else after the start of its coordinator.
  private func isAlone(_ guarding: GuardModel, of owner: String) -> Bool {
    let name = guarding.protected.name
    guard guarding.isScreen else {
      return reach.tabs.contains(name) || bottoms(under: owner).contains { begins($0, with: name) }
        || isBottomOfModal(owner) && begins(owner, with: name)
    }
    // In a modal the whole start of the coordinator waits, with all that it shows.
    return bottoms(under: owner).contains { firstScreens(of: $0) == [name] }
      || isBottomOfModal(owner) && firstScreens(of: owner).contains(name)
  }

  /// Returns whether nothing in a modal lies under a coordinator.
  private func isBottomOfModal(_ coordinator: String) -> Bool {
    reach.modals.contains { $0 == coordinator || begins($0, with: coordinator) }
  }

  /// Returns the root coordinators of the session and of tabs that are, or are below, a coordinator.
  private func bottoms(under owner: String) -> Set<String> {
    reach.tabs.union([model.rootCoordinator.name]).filter { reach.way(up: $0, to: owner) { _ in true } != nil }
  }

  /// Returns whether a coordinator starts a child, and shows nothing else.
  private func begins(_ name: String, with child: String) -> Bool {
    let commands = startCommands(of: name)
    return commands.allSatisfy { $0.shownScreens(model.isCoordinator).isEmpty }
      && Set(commands.flatMap { $0.startedCoordinators(model.isCoordinator) }) == [child]
  }

  /// Returns the screens that the start of a coordinator shows, and those of the coordinators that it starts.
  private func firstScreens(of coordinator: String) -> Set<String> {
    var screens: Set<String> = []
    _ = reach.coordinators(from: [coordinator]) { name in
      let commands = startCommands(of: name)
      screens.formUnion(commands.flatMap { $0.shownScreens(model.isCoordinator) })
      return commands.flatMap { $0.startedCoordinators(model.isCoordinator) }
    }
    return screens
  }

  private func startCommands(of coordinator: String) -> [CommandModel] {
    model.coordinators[coordinator].map { $0.all($0.start) } ?? []
  }

  /// Returns the guards that protect what a guard always leads to. A condition may lead somewhere else.
  private func following(_ index: Int) -> [Int] {
    guard let owner = model.coordinators[guards[index].owner] else { return [] }
    var found: [Int] = []
    var visited: Set<String> = []
    var open = [(coordinator: owner, commands: guards[index].guarding.otherwise)]
    while let (coordinator, commands) = open.popLast() {
      for command in coordinator.all(commands, inConditions: false) {
        let name = coordinator.name.name
        for screen in command.shownScreens(model.isCoordinator) {
          found += protecting(screen, isScreen: true, from: name)
        }
        for child in command.startedCoordinators(model.isCoordinator) where visited.insert(child).inserted {
          found += protecting(child, isScreen: false, from: name)
          if let child = model.coordinators[child] { open.append((child, child.start)) }
        }
      }
    }
    return found
  }

  /// Returns the guards of a screen that a coordinator shows.
  func protecting(_ screen: String, shownBy coordinator: String) -> [GuardModel] {
    protecting(screen, isScreen: true, from: coordinator).map { guards[$0].guarding }
  }

  /// Returns the guards of a coordinator, or of one that may be above it, that protect a name.
  private func protecting(_ name: String, isScreen: Bool, from coordinator: String) -> [Int] {
    (guardsByName[name] ?? []).filter { index in
      guards[index].guarding.isScreen == isScreen
        && reach.way(up: coordinator, to: guards[index].owner) { _ in true } != nil
    }
  }
}
