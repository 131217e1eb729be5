internal import Suggestions
internal import YAML

/// Checks for declarations without a use: screens that no command shows, coordinators that none starts, actions without
/// a handler, signals that none awaits.
struct FlowChecks {
  private let model: FlowModel
  private let root: YAMLNode
  private let reach: FlowReach
  private(set) var faults: [FlowFault] = []

  /// The names of the handlers of each coordinator. The handler of an unknown action is a fault already, and stands for
  /// the action with the nearest name.
  private let handled: [String: Set<String>]

  init(_ model: FlowModel, _ root: YAMLNode) {
    (self.model, self.root) = (model, root)
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
    // No coordinator is reachable from an unknown root.
    guard model.coordinators[model.rootCoordinator.name] != nil else { return }
    let family = reach.family(of: model.rootCoordinator.name)
    checkCoordinators(family)
    checkScreens()
    checkActions()
    checkServices()
    for coordinator in model.coordinators {
      check(coordinator)
      let unsent = model.unsentAnswers(of: coordinator)
      let retries = model.keylessRetries(of: coordinator)
      // A request with the answers has a key.
      faults += unsent + retries.filter { retry in !unsent.contains { $0.mark == retry.mark } }
      faults += model.endlessTimers(of: coordinator)
    }
    faults += StartCheck(model, reach).faults
    let guards = GuardCheck(model, reach)
    faults += guards.faults
    faults += SealedCheck(model: model, reach: reach, guards: guards).faults
  }

  private mutating func fault(_ key: YAMLKey, _ message: String, severity: FlowFault.Severity = .error) {
    faults.append(FlowFault(key.mark, message, severity: severity))
  }

  private mutating func warn(_ key: YAMLKey, _ message: String) { fault(key, message, severity: .warning) }

  /// Reports the declarations that have no use. A used name without a declaration is a fault already, and may be that of
  /// the declaration that seems to be unused.
  ///
  /// - Parameter known: the declarations that a used name may be; by default those that are to be used.
  private mutating func checkUse(
    of declared: [YAMLKey], _ used: Set<String>, amid known: [String]? = nil, severity: FlowFault.Severity = .error,
    _ message: (String) -> String
  ) {
    guard used.isSubset(of: known ?? declared.map(\.name)) else { return }
    for name in declared where !used.contains(name.name) { fault(name, message(name.name), severity: severity) }
  }

  private mutating func checkCoordinators(_ family: Set<String>) {
    let started = Set(reach.all.flatMap { $0.children.union($0.screens) })
    guard started.isSubset(of: model.coordinators.names + model.screens.names) else { return }
    checkUse(of: model.coordinators.map(\.name), family) {
      "The coordinator \($0) is never started. Start it with start, present or setTabs, or remove it."
    }
  }

  private mutating func checkScreens() {
    let shown = Set(reach.all.flatMap(\.screens))
    checkUse(of: model.screens.map(\.name), shown) {
      "The screen \($0) is never shown. Show it with push, or remove it."
    }
    guard shown.isSubset(of: model.screens.names) else { return }
    checkUse(of: model.prompts.map(\.name), Set(reach.all.flatMap(\.prompts))) {
      "The prompt \($0) is never asked. Ask it with ask, or remove it."
    }
  }

  private mutating func check(_ coordinator: CoordinatorModel) {
    let name = coordinator.name.name
    let names = reach[name]
    checkUse(of: coordinator.timers.map(\.name), names.timers) {
      "The timer \($0) is never scheduled. Schedule it with schedule, or remove it."
    }
    checkUse(of: coordinator.signals.map(\.name), names.signals, amid: model.signals.names) {
      "The signal \($0) is never awaited. Await it with await, or remove the handler."
    }
    let outcomes = coordinator.outcomes.map(\.operation).filter { model.operations[$0.name] != nil }
    checkUse(of: outcomes, names.operations, amid: model.operations.names) { operation in
      names.detached.contains(operation)
        ? "The detached operation \(operation) has no outcome. Remove the outcome, or detached."
        : "The coordinator \(name) never performs the operation \(operation). Perform it, or remove the outcome."
    }
    checkUse(of: coordinator.steps.map(\.name), names.steps, severity: .warning) {
      "The step \($0) is never done. Do it with do, or remove it."
    }
    let commands = coordinator.commands
    checkUse(
      of: commands.compactMap(\.signalWithoutKey), Set(commands.flatMap(\.callbacks)), amid: model.signals.names,
      severity: .warning
    ) {
      "No sender can know the address of \($0). Give await a key, or pass =callback(\"\($0)\") to an operation."
    }
    let isTab = reach.tabs.contains(name)
    for command in commands where command.finishes && isTab {
      fault(command.verb, "The root coordinator of a tab cannot finish. Remove the command.")
    }
  }

  private mutating func checkServices() {
    let used = Set(
      reach.all.flatMap { $0.operations.union($0.detached) }
        + model.screens.flatMap(\.loads).compactMap { $0.operation?.name })
    // An outcome of an operation that is never performed is a fault itself.
    let expected = Set(model.coordinators.flatMap(\.outcomes).map(\.operation.name))
    let hasKnownOperations = used.allSatisfy { model.operations[$0] != nil }
    for operation in model.operations
    where hasKnownOperations && !used.contains(operation.name) && !expected.contains(operation.name) {
      warn(operation.operation, "The operation \(operation.name) is never performed. Remove it.")
    }
    let references = root.references
    let targets = Set(references.map { String($0.dropFirst("#/types/".count)) })
    let types = model.types.map(\.key)
    let hasKnownTypes = targets.isSubset(of: types.map(\.name))
    for type in types where hasKnownTypes && !references.contains("#/types/\(type.name)") {
      warn(type, "The type \(type.name) is never used. Remove it.")
    }
  }

  // MARK: Actions

  /// Requires that each action has a handler in the coordinator that shows it, or in each chain above it.
  private mutating func checkActions() {
    let shared = Set(
      (model.screens.flatMap(\.actions) + model.prompts.flatMap(\.actions)).filter { !$0.isDeclared }.map(\.name.name)
        + model.coordinators.compactMap(\.journey).flatMap(\.offers).flatMap(\.actions).map(\.name))
    for action in model.sharedActions where !shared.contains(action.name.name) {
      warn(action.name, "No screen and no prompt offers the action \(action.name.name). Remove it.")
    }
    var reported: Set<SourceMark> = []
    for coordinator in model.coordinators {
      let names = reach[coordinator.name.name]
      let owners =
        model.screens[names.screens].map { ($0.name.name, $0.actions.map(\.name)) }
        + model.prompts[names.prompts].map { ($0.name.name, $0.actions.map(\.name)) }
        + (coordinator.journey?.offers ?? [])
      for (owner, actions) in owners {
        for action in actions {
          guard let chain = unhandledChain(of: action.name, on: owner, from: coordinator.name.name) else {
            continue
          }
          // One fault is enough for an action that several coordinators show.
          guard reported.insert(action.mark).inserted else { continue }
          fault(
            action,
            "No coordinator of the chain \(chain) handles the action \(action.name). "
              + "Add it under handles of one of them.")
        }
      }
    }
  }

  /// Returns a chain of coordinators from the root none of which handles the action; nil if there is none.
  private func unhandledChain(of action: String, on owner: String, from coordinator: String) -> String? {
    let root = model.rootCoordinator.name
    return reach.way(up: coordinator, to: root) { name in
      handled[name].map { !$0.contains(action) && !$0.contains("\(owner).\(action)") } ?? true
    }?.joined(separator: " › ")
  }
}

extension CommandModel {
  /// The signal that the command awaits at an address of its own; nil for another command.
  fileprivate var signalWithoutKey: YAMLKey? {
    if case .await(let name, nil) = content { name } else { nil }
  }

  /// The signals whose addresses the command passes to an operation. A wrong `callback` is a fault already, and stands
  /// for no signal.
  fileprivate var callbacks: [String] {
    guard case .perform(let model) = content else { return [] }
    let values = [model.parameters, model.compensation?.parameters].flatMap { $0?.entries ?? [] }.map(\.value)
    return values.compactMap { value in
      value.callback ?? value.expression.flatMap { $0.contains("callback(") ? $0 : nil }
    }
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
