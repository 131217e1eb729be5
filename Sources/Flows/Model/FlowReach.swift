internal import Navigation
internal import YAML

/// The screens, children, operations and events that the commands of each coordinator name.
final class FlowReach {
  /// The names that the commands of one coordinator have.
  struct Names {
    var screens: Set<String> = []
    var prompts: Set<String> = []
    var children: Set<String> = []
    var tabs: Set<String> = []
    var modals: Set<String> = []
    var operations: Set<String> = []
    var detached: Set<String> = []
    var timers: Set<String> = []
    var signals: Set<String> = []
    var steps: Set<String> = []
    var states: Set<String> = []
  }

  private let names: [String: Names]
  private let budget: WorkBudget
  private let parents: [String: [String]]
  /// The coordinators that show a screen or ask a prompt, by its name.
  private let users: [String: [String]]
  /// The root coordinators of all tabs.
  let tabs: Set<String>
  /// The coordinators that are presented.
  let modals: Set<String>

  init(_ model: FlowModel) {
    budget = model.budget
    let coordinators = Set(model.coordinators.names)
    names = Dictionary(
      model.coordinators.map { coordinator in
        var names = Names(coordinator.commands, coordinators: coordinators)
        let verifications = coordinator.journey?.pages.compactMap(\.verification?.operation) ?? []
        names.operations.formUnion(verifications.map(\.name))
        return (coordinator.name.name, names)
      }
    ) { first, _ in first }
    var parents: [String: [String]] = [:]
    for (name, reached) in names { for child in reached.children { parents[child, default: []].append(name) } }
    self.parents = parents.mapValues { $0.sorted() }
    var users: [String: [String]] = [:]
    for coordinator in model.coordinators {
      let used = names[coordinator.name.name] ?? Names()
      let offering = (coordinator.journey?.offers ?? []).filter { !$0.actions.isEmpty }.map(\.page)
      for name in used.screens.union(used.prompts).union(offering) {
        users[name, default: []].append(coordinator.name.name)
      }
    }
    self.users = users
    tabs = Set(names.values.flatMap(\.tabs))
    modals = Set(names.values.flatMap(\.modals))
  }

  subscript(coordinator: String) -> Names { names[coordinator] ?? Names() }

  var all: [Names] { Array(names.values) }

  /// Returns a coordinator and all that it starts, directly or not.
  func family(of coordinator: String) -> Set<String> {
    coordinators(from: [coordinator]) { self[$0].children }.filter { names[$0] != nil }
  }

  /// Returns the coordinators that show a screen or ask a prompt, and all above them.
  func above(_ name: String) -> Set<String> { coordinators(from: users(of: name), parents) }

  /// Returns coordinators, and all to which they lead, directly or not.
  func coordinators<Names: Sequence<String>>(from first: [String], _ next: (String) -> Names) -> Set<String> {
    var found: Set<String> = []
    var open = first
    while let name = open.popLast(), budget.visit() {
      if found.insert(name).inserted { open += next(name) }
    }
    return found
  }

  func parents(of coordinator: String) -> [String] { parents[coordinator] ?? [] }

  /// Returns the coordinators that show a screen or ask a prompt, in the order of the file.
  func users(of name: String) -> [String] { users[name] ?? [] }

  /// Returns a way up from one coordinator to another, the upper one first; nil without one.
  ///
  /// - Parameter passes: whether the way may lead through a coordinator, of which both ends are one.
  func way(up coordinator: String, to top: String, passing passes: (String) -> Bool) -> [String]? {
    guard budget.visit() else { return nil }
    return wayUp(from: coordinator, to: top, parents: visitedParents) { names[$0] != nil && passes($0) }
  }

  /// Returns none once the budget is exceeded.
  private func visitedParents(of coordinator: String) -> [String] {
    let parents = parents(of: coordinator)
    return budget.visit(parents.count) ? parents : []
  }
}

extension FlowReach.Names {
  fileprivate init(_ commands: [CommandModel], coordinators: Set<String>) {
    for command in commands {
      screens.formUnion(command.shownScreens(coordinators.contains))
      let started = command.startedCoordinators(coordinators.contains)
      children.formUnion(started)
      states.formUnion(command.setStates.map(\.key.name))
      switch command.reference {
      case .presented: modals.formUnion(started)
      case .tabs: tabs.formUnion(started)
      case .prompt(let name): prompts.insert(name.name)
      case .operation(let name, let perform):
        if perform.isDetached { detached.insert(name.name) } else { operations.insert(name.name) }
        if let compensation = perform.compensation?.operation { detached.insert(compensation.name) }
      case .timer(let name): timers.insert(name.name)
      case .signal(let name): signals.insert(name.name)
      case .step(let name): steps.insert(name.name)
      case .nothing, .screen, .screens, .coordinator: break
      }
    }
  }
}
