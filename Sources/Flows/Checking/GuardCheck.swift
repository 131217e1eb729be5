/// A check of the guards against each other: what a guard shows instead must not wait behind that guard itself.
struct GuardCheck {
  private let model: FlowModel
  private let reach: FlowReach
  private let guards: [(owner: String, guarding: GuardModel)]
  /// The places of the guards by the names that they protect.
  private let screenGuards: [String: [Int]]
  private let coordinatorGuards: [String: [Int]]

  init(_ model: FlowModel, _ reach: FlowReach) {
    self.model = model
    self.reach = reach
    guards = model.coordinators.flatMap { coordinator in coordinator.guards.map { (coordinator.name.name, $0) } }
    let guards = guards
    let places = Dictionary(grouping: guards.indices) { guards[$0].guarding.protected.name }
    screenGuards = places.mapValues { $0.filter { guards[$0].guarding.isScreen } }
    coordinatorGuards = places.mapValues { $0.filter { !guards[$0].guarding.isScreen } }
  }

  var faults: [FlowFault] {
    let next = guards.indices.map { following($0) }
    var faults: [FlowFault] = []
    var reported: Set<Int> = []
    for start in Circles.candidates(next).sorted() where !reported.contains(start) {
      guard let circle = Circles.circle(from: start, next, model.budget) else { continue }
      reported.formUnion(circle)
      let names = (circle + [start]).map { guards[$0].guarding.protected.name }
      faults.append(
        FlowFault(
          guards[start].guarding.protected.mark,
          "Guards lead to each other without end: \(names.joined(separator: " › ")). "
            + "Let one of them lead to what no guard protects."))
    }
    return faults
  }

  /// Returns the guards that protect what a guard always leads to. A condition may lead somewhere else.
  private func following(_ index: Int) -> [Int] {
    guard let owner = model.coordinator(guards[index].owner) else { return [] }
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
          if let child = model.coordinator(child) { open.append((child, child.start)) }
        }
      }
    }
    return found
  }

  /// Returns the guards of a coordinator, or of one that may be above it, that protect a name.
  private func protecting(_ name: String, isScreen: Bool, from coordinator: String) -> [Int] {
    ((isScreen ? screenGuards : coordinatorGuards)[name] ?? []).filter { index in
      reach.way(up: coordinator, to: guards[index].owner) { _ in true } != nil
    }
  }
}
