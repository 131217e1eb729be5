internal import Navigation
internal import YAML

// The properties of commands that all passes share. A verb has its effect beside its keys, in `CommandModel.forms`. A new
// case of `Content` has its references here, and the passes need no change.
extension CommandModel {
  /// The effect of a command on the screens that people see.
  enum Effect {
    case none
    /// Opens a prompt over the screen.
    case asks
    /// Puts a screen or tabs on the stack of the coordinator.
    case fillsStack
    /// Leaves screens as people do.
    case goesBack
    /// Leaves all modals.
    case leavesModals
    /// Leads to another part of the app.
    case leadsAway
    case refuses
    case setsState
    /// Runs other commands, which have effects of their own.
    case runsCommands
  }

  /// The declarations that a command names.
  enum Reference {
    case nothing
    case screen(YAMLKey)
    /// Screens within the value of the command, the visible one last.
    case screens([YAMLKey])
    case coordinator(YAMLKey)
    /// A coordinator if there is one with the name, and otherwise a screen.
    case presented(YAMLKey)
    case tabs([YAMLKey])
    case prompt(YAMLKey)
    case operation(YAMLKey, PerformModel)
    case timer(YAMLKey)
    case signal(YAMLKey)
    case step(YAMLKey)
  }

  var reference: Reference {
    switch content {
    case .show(let show): show.screen.map { .screen($0) } ?? .nothing
    case .setStack(let stack): .screens((stack?.value ?? []).flatMap { $0.map(\.name) })
    case .present(let present): present.name.map { present.isScreen ? .screens([$0]) : .presented($0) } ?? .nothing
    case .start(let name, _): name.map { .coordinator($0) } ?? .nothing
    case .setTabs(let tabs): .tabs((tabs?.value ?? []).compactMap(\.root))
    case .ask(let name, _): name.map { .prompt($0) } ?? .nothing
    case .perform(let perform): perform.operation.map { .operation($0, perform) } ?? .nothing
    case .schedule(let schedule): schedule.timer.map { .timer($0) } ?? .nothing
    case .await(let name, _): name.map { .signal($0) } ?? .nothing
    case .step(let name): name.map { .step($0) } ?? .nothing
    // These name declarations that another command has shown or requested.
    case .onScreen, .select, .cancel: .nothing
    case .plain, .finish, .follow, .badge, .refuse, .set, .choice, .unknown: .nothing
    }
  }

  /// The lists of commands of which the command runs one; none for another command.
  var branches: [[CommandModel]] {
    if case .choice(let choice) = content { choice.branches.map(\.commands) + [choice.otherwise] } else { [] }
  }

  /// The command itself, and those inside of it.
  var all: [CommandModel] { [self] + branches.flatMap { $0.flatMap(\.all) } }

  /// The step that the command runs; nil for another command.
  var step: String? { if case .step(let name) = content { name?.name } else { nil } }

  /// The states that the command sets, with their values.
  var setStates: [YAMLNode.Entry] { if case .set(let states) = content { states } else { [] } }

  var finishes: Bool { if case .finish = content { true } else { false } }

  /// The leave policy of the shown screen, instead of its own.
  var leaving: LeavePolicy? {
    switch content {
    case .show(let show): show.leaving
    case .present(let present): present.leaving
    default: nil
    }
  }

  /// Returns the screens that the command shows, the visible one last.
  func shownScreens(_ isCoordinator: (String) -> Bool) -> [String] {
    switch reference {
    case .screen(let name): [name.name]
    case .screens(let names): names.map(\.name)
    case .presented(let name): isCoordinator(name.name) ? [] : [name.name]
    case .nothing, .coordinator, .tabs, .prompt, .operation, .timer, .signal, .step: []
    }
  }

  func startedCoordinators(_ isCoordinator: (String) -> Bool) -> [String] {
    switch reference {
    case .coordinator(let name): [name.name]
    case .tabs(let names): names.map(\.name)
    case .presented(let name): isCoordinator(name.name) ? [name.name] : []
    case .nothing, .screen, .screens, .prompt, .operation, .timer, .signal, .step: []
    }
  }
}
