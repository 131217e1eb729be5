internal import YAML

/// The screens of a flow, and the actions that lead from one to another.
package struct FlowGraph: Sendable {
  package struct Screen: Sendable, Equatable {
    package let name: String
    /// The coordinator that shows the screen first.
    package let coordinator: String
    /// The number of actions from the start; nil for a screen that no action leads to.
    package internal(set) var depth: Int?
  }

  package struct Step: Sendable, Hashable {
    package let from: Int
    package let to: Int
    /// The action, or the event after it in brackets.
    package let label: String
  }

  package private(set) var screens: [Screen] = []
  package private(set) var steps: [Step] = []
  package let coordinators: [String]
  package let title: String

  /// Reads the graph of a file; nil for a file that cannot be read.
  package init?(_ file: Flow.File) {
    guard let root = YAMLReader.read(file.bytes, file: file.path).node,
      let model = FormatReader.exact.flow(root), model.hasNames
    else { return nil }
    self.init(model)
  }

  init(_ model: FlowModel) {
    title = model.name.name
    coordinators = model.coordinators.names
    let reach = FlowReach(model)
    for coordinator in model.coordinators {
      let shown = reach[coordinator.name.name].screens
      for screen in model.screens where shown.contains(screen.name.name) && index(screen.name.name) == nil {
        screens.append(Screen(name: screen.name.name, coordinator: coordinator.name.name))
      }
    }
    for coordinator in model.coordinators {
      let family = reach.family(of: coordinator.name.name)
      let offering = model.screens.filter { screen in family.contains { reach[$0].screens.contains(screen.name.name) } }
      for handler in coordinator.handlers {
        let parts = handler.action.name.split(separator: ".").map { String($0) }
        for screen in offering where screen.actions.contains(where: { $0.name.name == parts.last }) {
          guard parts.count == 1 || parts[0] == screen.name.name else { continue }
          let targets = GraphWalk.targets(of: handler.commands, in: coordinator, model)
          add(from: screen.name.name, targets, parts[parts.count - 1])
        }
      }
    }
    let first = model.coordinators[model.rootCoordinator.name].map { GraphWalk.targets(of: $0.start, in: $0, model) }
    arrange(from: (first ?? []).filter { $0.event == nil }.map(\.screen))
  }

  private func index(_ name: String) -> Int? { screens.firstIndex { $0.name == name } }

  private mutating func add(from source: String, _ targets: [GraphWalk.Target], _ action: String) {
    guard let from = index(source) else { return }
    for target in targets {
      guard let to = index(target.screen) else { continue }
      let step = Step(from: from, to: to, label: target.event.map { "\(action) (\($0))" } ?? action)
      if !steps.contains(step) { steps.append(step) }
    }
  }

  /// Numbers the screens by their distance from the first ones.
  private mutating func arrange(from first: [String]) {
    var next = first.compactMap { index($0) }
    for index in next { screens[index].depth = 0 }
    while !next.isEmpty {
      var found: [Int] = []
      for index in next {
        for step in steps where step.from == index && screens[step.to].depth == nil {
          screens[step.to].depth = (screens[index].depth ?? 0) + 1
          found.append(step.to)
        }
      }
      next = found
    }
  }
}

/// The screens that lists of commands show, also those of the coordinators that they start, and what follows operations,
/// timers and signals.
private struct GraphWalk {
  struct Target: Hashable {
    let screen: String
    /// The operation, timer or signal after which the screen is shown; nil if it is shown at once.
    let event: String?
  }

  private let model: FlowModel
  private var visited: Set<String> = []
  private var depth = 0
  /// The number of commands that lead to each other beyond which a graph is incomplete. Each is a few frames of the stack.
  private static let maximumDepth = 200

  private init(_ model: FlowModel) { self.model = model }

  static func targets(of commands: [CommandModel], in coordinator: CoordinatorModel, _ model: FlowModel) -> [Target] {
    var walk = GraphWalk(model)
    return walk.targets(of: commands, in: coordinator, after: nil)
  }

  private mutating func targets(
    of commands: [CommandModel], in coordinator: CoordinatorModel, after event: String?
  ) -> [Target] {
    guard depth < Self.maximumDepth else { return [] }
    depth += 1
    defer { depth -= 1 }
    var targets: [Target] = []
    for command in commands.flatMap(\.all) {
      // Of a stack, the last one is visible.
      let shown = Array(command.shownScreens(model.isCoordinator).suffix(1))
      targets += shown.map { Target(screen: $0, event: event) }
      let started = command.startedCoordinators(model.isCoordinator)
      for guarding in model.coordinators.flatMap(\.guards)
      where (guarding.isScreen ? shown : started).contains(guarding.protected.name) {
        guard visited.insert("guard \(guarding.protected.name)").inserted,
          let owner = model.coordinators.first(where: { $0.guards.contains { $0.protected == guarding.protected } })
        else { continue }
        targets += self.targets(of: guarding.otherwise, in: owner, after: "guard")
      }
      if command.finishes, visited.insert("finish \(coordinator.name.name)").inserted {
        for parent in model.coordinators {
          guard let finished = parent.finished[coordinator.name.name] else { continue }
          targets += self.targets(of: finished.commands, in: parent, after: event)
        }
      }
      for name in started {
        guard let child = model.coordinators[name], visited.insert("start \(name)").inserted else { continue }
        targets += self.targets(of: child.start, in: child, after: event)
      }
      targets += targetsOfReference(command.reference, in: coordinator, after: event)
    }
    return targets
  }

  /// Returns the targets of what a command asks, runs or waits for.
  private mutating func targetsOfReference(
    _ reference: CommandModel.Reference, in coordinator: CoordinatorModel, after event: String?
  ) -> [Target] {
    func follow(_ commands: [CommandModel], after event: String?) -> [Target] {
      targets(of: commands, in: coordinator, after: event)
    }
    func isNew(_ kind: String, _ name: YAMLKey) -> Bool {
      visited.insert("\(coordinator.name.name) \(kind) \(name.name)").inserted
    }
    switch reference {
    case .prompt(let name) where isNew("ask", name):
      return (model.prompts[name.name]?.actions ?? []).flatMap { action in
        let handler = coordinator.handlers.first {
          [action.name.name, "\(name.name).\(action.name.name)"].contains($0.action.name)
        }
        return follow(handler?.commands ?? [], after: "\(name.name) › \(action.name.name)")
      }
    case .step(let name) where isNew("do", name):
      return follow(coordinator.steps[name.name]?.commands ?? [], after: event)
    case .operation(let name, _) where isNew("perform", name):
      let outcome = coordinator.outcomes[name.name]
      return follow(outcome?.done ?? [], after: name.name) + follow(outcome?.failed ?? [], after: "\(name.name) failed")
    case .timer(let name) where isNew("schedule", name):
      return follow(coordinator.timers[name.name]?.commands ?? [], after: name.name)
    case .signal(let name) where isNew("await", name):
      return follow(coordinator.signals[name.name]?.commands ?? [], after: name.name)
    case .nothing, .screen, .screens, .coordinator, .presented, .tabs, .prompt, .step, .operation, .timer, .signal:
      return []
    }
  }
}
