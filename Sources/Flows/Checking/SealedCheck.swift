internal import Navigation
internal import YAML

/// A check of the ways on from screens that people cannot leave.
struct SealedCheck {
  let model: FlowModel
  let reach: FlowReach
  let guards: GuardCheck

  var faults: [FlowFault] {
    let sealed = sealedScreens
    let closed = model.screens.filter { sealed.contains($0.name.name) && !hasWayOut($0) }
    return closed.compactMap(missingWayOut) + model.coordinators.flatMap(refusedCommands)
  }

  /// The screens that a command shows so that people cannot leave them.
  private var sealedScreens: Set<String> {
    var sealed: Set<String> = []
    for command in model.coordinators.flatMap(\.commands) {
      for name in command.shownScreens(model.isCoordinator) {
        let isSealed = command.leaving.map { $0 == .sealed } ?? model.screens[name]?.isSealed ?? false
        if isSealed { sealed.insert(name) }
      }
    }
    return sealed
  }

  /// Returns whether an action of the screen leads away from it, by any of its handlers.
  private func hasWayOut(_ screen: ScreenModel) -> Bool {
    let names = Set(screen.actions.flatMap { [$0.name.name, "\(screen.name.name).\($0.name.name)"] })
    return model.coordinators.contains { coordinator in
      coordinator.handlers.contains { names.contains($0.action.name) && leadsAway($0.commands, coordinator) }
    }
  }

  /// Returns whether one of the commands may change what people see.
  ///
  /// - Parameter isOutcome: whether the commands are those of an outcome, whose refusal shows the form again.
  private func leadsAway(
    _ commands: [CommandModel], _ coordinator: CoordinatorModel, isOutcome: Bool = false
  ) -> Bool {
    coordinator.all(commands).contains { command in
      switch command.effect {
      case .none, .runsCommands: false
      case .refuses: isOutcome
      case .asks, .fillsStack, .goesBack, .leavesModals, .leadsAway: true
      // A guard may remove the screen.
      case .setsState: model.coordinators.contains { !$0.guards.isEmpty }
      }
    }
  }

  /// Requires an event that leads away from a screen without an action that does.
  private func missingWayOut(of screen: ScreenModel) -> FlowFault? {
    let name = screen.name.name
    var warning: String?
    for coordinator in reach.users(of: name) where reach[coordinator].screens.contains(name) {
      switch wayOut(from: coordinator) {
      case .event: continue
      case .signal:
        warning =
          "The screen \(name) waits for a signal that may never come, and people cannot leave it. Schedule a timer that "
          + "leads away."
      case .guarded(let protected):
        warning =
          "The screen \(name) waits for an event that shows \(protected), which a guard may hold back, and people cannot "
          + "leave it. Let them pass the guard first, or schedule a timer that leads away."
      case nil:
        return FlowFault(
          screen.name.mark,
          "The screen \(name) has no way out: no action, timer, signal or outcome leaves it. Add one, or let people leave "
            + "it.")
      case .failure(let mark):
        return FlowFault(
          mark,
          "The sealed screen \(name) stays visible after a failure. Show another screen under failed.",
          severity: .warning)
      }
    }
    return warning.map { FlowFault(screen.name.mark, $0, severity: .warning) }
  }

  private enum WayOut {
    /// An event that comes, whatever the backend does: an operation ends after its last attempt.
    case event
    /// A signal may never come.
    case signal
    /// An operation whose failure changes nothing that people see.
    case failure(SourceMark)
    /// An event that meets a guard waits until the guard passes.
    case guarded(String)
  }

  /// Returns the best way out that the coordinator, or one above it, has.
  private func wayOut(from coordinator: String) -> WayOut? {
    var best: WayOut?
    var visited: Set<String> = []
    var next = [coordinator]
    while let name = next.popLast(), model.budget.visit() {
      guard visited.insert(name).inserted, let current = model.coordinators[name] else { continue }
      let outcomes = current.outcomes.map { (scripts: [$0.done, $0.failed], isOutcome: true) }
      let timers = current.timers.map { (scripts: [$0.commands], isOutcome: false) }
      for (scripts, isOutcome) in outcomes + timers
      where scripts.allSatisfy({ leadsAway($0, current, isOutcome: isOutcome) }) {
        guard let protected = scripts.lazy.compactMap({ protected(by: $0, of: current) }).first else { return .event }
        best = .guarded(protected)
      }
      if best == nil, current.signals.contains(where: { leadsAway($0.commands, current) }) { best = .signal }
      if best == nil,
        let half = current.outcomes.first(where: { outcome in
          leadsAway(outcome.done, current, isOutcome: true) && !leadsAway(outcome.failed, current, isOutcome: true)
        })
      {
        best = .failure(half.operation.mark)
      }
      next += reach.parents(of: name)
    }
    return best
  }

  /// Returns a screen that the commands always show, and whose guard reads nothing that they set; nil without one.
  private func protected(by commands: [CommandModel], of coordinator: CoordinatorModel) -> String? {
    let set = Set(coordinator.all(commands).flatMap(\.setStates).map(\.key.name))
    let shown = coordinator.all(commands, inConditions: false).flatMap { $0.shownScreens(model.isCoordinator) }
    return shown.first { screen in
      guards.protecting(screen, shownBy: coordinator.name.name).contains { guarding in
        set.isDisjoint(with: (guarding.until?.text?.expressionPaths ?? []).compactMap { $0.first.map { String($0) } })
      }
    }
  }

  /// Finds the handlers of sealed screens whose first command on the stack would leave the screen as people do. Events may
  /// leave it in any way.
  private func refusedCommands(of coordinator: CoordinatorModel) -> [FlowFault] {
    let shown = model.screens[reach[coordinator.name.name].screens].filter(\.isSealed)
    return shown.flatMap { screen in
      screen.actions.compactMap { action in
        let handlers = coordinator.handlers
        let handler = handlers["\(screen.name.name).\(action.name.name)"] ?? handlers[action.name.name]
        let first = coordinator.all(handler?.commands ?? []).first { command in
          switch command.effect {
          case .none, .asks, .setsState, .runsCommands: false
          case .fillsStack, .goesBack, .leavesModals, .leadsAway, .refuses: true
          }
        }
        guard let first, first.effect == .goesBack else { return nil }
        let verb = first.verb
        let advice = "Use replaceTop, setStack or finish."
        return FlowFault(
          verb.mark, "The screen \(screen.name.name) is sealed, and \(verb.name) cannot leave it. \(advice)",
          severity: .warning)
      }
    }
  }
}
