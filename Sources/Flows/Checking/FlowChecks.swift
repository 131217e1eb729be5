internal import Suggestions
internal import YAML

/// Checks of the declarations of a flow against each other: what nothing shows, starts, handles or awaits.
struct FlowChecks {
  private let model: FlowModel
  private let reach: FlowReach
  private(set) var faults: [FlowFault] = []

  /// The names of the handlers of each coordinator. The handler of an unknown action is a fault already, and stands for
  /// the action with the nearest name.
  private let handled: [String: Set<String>]

  init(_ model: FlowModel) {
    self.model = model
    reach = FlowReach(model)
    let offered = model.screens.offeredNames.union(model.prompts.offeredNames)
    let unknown = Set(model.coordinators.flatMap(\.handlers).map(\.action.name)).subtracting(offered)
    var meant: [String: String] = [:]
    for name in unknown.sorted().prefix(Self.maximumRepairs) { meant[name] = nearest(name, among: offered) }
    handled = Dictionary(
      model.coordinators.map { coordinator in
        (coordinator.name.name, Set(coordinator.handlers.map { meant[$0.action.name] ?? $0.action.name }))
      }
    ) { first, _ in first }
  }

  /// The number of unknown names for which a similar one is searched.
  private static let maximumRepairs = 50

  mutating func run() {
    // Nothing is reachable from an unknown root.
    guard model.coordinator(model.rootCoordinator.name) != nil else { return }
    let family = reach.family(of: model.rootCoordinator.name)
    checkCoordinators(family)
    checkScreens(family)
    checkActions()
    checkServices()
    for coordinator in model.coordinators { check(coordinator) }
    faults += StartCheck(model, reach).faults
    let guards = GuardCheck(model, reach)
    faults += guards.faults
    faults += RetryCheck(model: model).faults
    faults += TimerCheck(model: model).faults
    faults += SealedCheck(model: model, reach: reach, guards: guards).faults
  }

  private mutating func fault(_ key: YAMLKey, _ message: String, severity: FlowFault.Severity = .error) {
    faults.append(FlowFault(key.mark, message, severity: severity))
  }

  private mutating func warn(_ key: YAMLKey, _ message: String) { fault(key, message, severity: .warning) }

  /// Whether each name is declared. A wrong name is a fault already, and may be that of the declaration that seems to be
  /// unused.
  private func areKnown(_ names: Set<String>, _ declared: [YAMLKey]) -> Bool {
    names.isSubset(of: declared.map(\.name))
  }

  private mutating func checkCoordinators(_ family: Set<String>) {
    let started = Set(reach.all.flatMap { $0.children.union($0.screens) })
    if !areKnown(started, model.coordinators.map(\.name) + model.screens.map(\.name)) { return }
    for coordinator in model.coordinators where !family.contains(coordinator.name.name) {
      fault(
        coordinator.name,
        "The coordinator \(coordinator.name.name) is never started. Start it with start, present or setTabs, or remove it."
      )
    }
  }

  private mutating func checkScreens(_ family: Set<String>) {
    let names = reach.all
    let shown = Set(names.flatMap(\.screens))
    let asked = Set(names.flatMap(\.prompts))
    if !areKnown(shown, model.screens.map(\.name)) { return }
    for screen in model.screens where !shown.contains(screen.name.name) {
      fault(screen.name, "The screen \(screen.name.name) is never shown. Show it with push, or remove it.")
    }
    if !areKnown(asked, model.prompts.map(\.name)) { return }
    for prompt in model.prompts where !asked.contains(prompt.name.name) {
      fault(prompt.name, "The prompt \(prompt.name.name) is never asked. Ask it with ask, or remove it.")
    }
  }

  private mutating func check(_ coordinator: CoordinatorModel) {
    let name = coordinator.name.name
    let names = reach[name]
    let hasKnownTimers = areKnown(names.timers, coordinator.timers.map(\.name))
    for timer in coordinator.timers where hasKnownTimers && !names.timers.contains(timer.name.name) {
      fault(timer.name, "The timer \(timer.name.name) is never scheduled. Schedule it with schedule, or remove it.")
    }
    let hasKnownSignals = names.signals.allSatisfy { model.signal($0) != nil }
    for signal in coordinator.signals where hasKnownSignals && !names.signals.contains(signal.name.name) {
      fault(
        signal.name, "The signal \(signal.name.name) is never awaited. Await it with await, or remove the handler.")
    }
    let hasKnownOperations = names.operations.allSatisfy { model.operation($0) != nil }
    for outcome in coordinator.outcomes where !names.operations.contains(outcome.operation.name) {
      guard model.operation(outcome.operation.name) != nil, hasKnownOperations else { continue }
      if names.detached.contains(outcome.operation.name) {
        let advice = "Remove the outcome, or detached."
        fault(outcome.operation, "The detached operation \(outcome.operation.name) has no outcome. \(advice)")
        continue
      }
      fault(
        outcome.operation,
        "The coordinator \(name) never performs the operation \(outcome.operation.name). Perform it, or remove the outcome."
      )
    }
    let hasKnownSteps = areKnown(names.steps, coordinator.steps.map(\.name))
    for step in coordinator.steps where hasKnownSteps && !names.steps.contains(step.name.name) {
      warn(step.name, "The step \(step.name.name) is never done. Do it with do, or remove it.")
    }
    let isTab = reach.tabs.contains(name)
    for command in coordinator.commands where command.finishes && isTab {
      fault(command.verb, "The root coordinator of a tab cannot finish. Remove the command.")
    }
  }

  private mutating func checkServices() {
    let used = Set(
      reach.all.flatMap { $0.operations.union($0.detached) }
        + model.screens.flatMap(\.loads).compactMap { $0.operation?.name })
    // An outcome of an operation that is never performed is a fault itself.
    let expected = Set(model.coordinators.flatMap(\.outcomes).map(\.operation.name))
    let hasKnownOperations = used.allSatisfy { model.operation($0) != nil }
    for operation in model.operations
    where hasKnownOperations && !used.contains(operation.name) && !expected.contains(operation.name) {
      warn(operation.operation, "The operation \(operation.name) is never performed. Remove it.")
    }
    let references = model.root.references
    let targets = Set(references.map { String($0.dropFirst("#/types/".count)) })
    let hasKnownTypes = areKnown(targets, model.types.map(\.key))
    for type in model.types where hasKnownTypes && !references.contains("#/types/\(type.key.name)") {
      warn(type.key, "The type \(type.key.name) is never used. Remove it.")
    }
  }

  // MARK: Actions

  /// Requires that each action has a handler in the coordinator that shows it, or in each chain above it.
  private mutating func checkActions() {
    let shared = Set(
      (model.screens.flatMap(\.actions) + model.prompts.flatMap(\.actions)).filter { !$0.isDeclared }.map(\.name.name))
    for action in model.sharedActions where !shared.contains(action.name.name) {
      warn(action.name, "No screen and no prompt offers the action \(action.name.name). Remove it.")
    }
    var reported: Set<SourceMark> = []
    for coordinator in model.coordinators {
      let names = reach[coordinator.name.name]
      let places =
        model.screens(names.screens).map { ($0.name.name, $0.actions) }
        + model.prompts(names.prompts).map { ($0.name.name, $0.actions) }
      for (place, actions) in places {
        for action in actions {
          guard let chain = unhandledChain(of: action.name.name, on: place, from: coordinator.name.name) else {
            continue
          }
          // One fault is enough for an action that several coordinators show.
          guard reported.insert(action.name.mark).inserted else { continue }
          fault(
            action.name,
            "No coordinator of the chain \(chain) handles the action \(action.name.name). "
              + "Add it under handles of one of them.")
        }
      }
    }
  }

  /// Returns a chain of coordinators from the root none of which handles the action; nil if there is none.
  private func unhandledChain(of action: String, on place: String, from coordinator: String) -> String? {
    let root = model.rootCoordinator.name
    return reach.way(up: coordinator, to: root) { name in
      handled[name].map { !$0.contains(action) && !$0.contains("\(place).\(action)") } ?? true
    }?.joined(separator: " › ")
  }
}

extension YAMLNode {
  /// The targets of all `$ref`s in the node.
  fileprivate var references: Set<String> {
    switch content {
    case .mapping(let entries):
      entries.reduce(into: []) { found, entry in
        if entry.key.name == "$ref", let target = entry.value.text { found.insert(target) }
        found.formUnion(entry.value.references)
      }
    case .sequence(let elements): elements.reduce(into: []) { $0.formUnion($1.references) }
    default: []
    }
  }
}
