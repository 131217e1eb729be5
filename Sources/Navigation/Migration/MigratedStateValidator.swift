internal import Values

/// Validates a consistent state from another version of the app against the current declarations. A state that passes
/// is as if this version had committed it: every action has a handler, and no pending intent is dropped for an unknown
/// name.
///
/// The rest may stay as it was stored, such as the leave policy that a command has given to an entry.
struct MigratedStateValidator {
  let app: AppDefinition
  let state: SessionState

  func run() throws(MigrationObstacle) {
    try checkTree()
    try checkEntries()
    for asked in state.askedPrompts { try check(asked) }
    if case .leaving(let question) = state.prompt, let intent = question.intent { try check(intent, question.behind) }
    for pending in state.pendingIntents { try check(pending.content) }
    for work in state.work { try check(work) }
    try checkGuards()
  }

  private func checkTree() throws(MigrationObstacle) {
    for node in state.nodes {
      if let parent = node.parent.flatMap({ state.node($0) }) {
        if app.coordinators[parent.coordinator].children[node.coordinator] == nil {
          throw .undeclared("\(app.name(of: parent)) no longer starts \(app.name(of: node)).")
        }
      } else if node.coordinator != 0 {
        throw .undeclared("The app no longer begins with the coordinator \(app.name(of: node)).")
      }
    }
  }

  private func checkEntries() throws(MigrationObstacle) {
    for entry in state.entries {
      let tabs = entry.tabBar?.tabs.map(\.name) ?? []
      guard Set(tabs).count == tabs.count else { throw .undeclared("Two tabs have become one coordinator.") }
      guard let screen = entry.screen, let owner = state.node(entry.owner) else { continue }
      if !app.coordinators[owner.coordinator].shows.contains(screen) {
        throw .undeclared("\(app.name(of: owner)) no longer shows the screen \(app.screens[screen].name).")
      }
    }
  }

  /// - Parameter asked: a prompt that is open, or behind a pending intent. The prompt has no handler if its coordinator
  ///   has ended.
  private func check(_ asked: AskedPrompt) throws(MigrationObstacle) {
    if let owner = state.node(asked.owner), !app.coordinators[owner.coordinator].asks.contains(asked.prompt) {
      throw .undeclared("\(app.name(of: owner)) no longer asks the prompt \(app.prompts[asked.prompt].name).")
    }
  }

  private func check(_ work: PendingWork) throws(MigrationObstacle) {
    guard let owner = state.node(work.owner) else { return }
    let coordinator = app.coordinators[owner.coordinator]
    let (isDeclared, role) =
      switch work.content {
      case .effect(let effect):
        (effect.property != nil || coordinator.outcomes[effect.effect] != nil, "performs the effect")
      case .timer(let timer): (coordinator.timedEvents[timer.event] != nil, "handles the timed event")
      case .signal(let signal): (coordinator.signals[signal.signal] != nil, "handles the signal")
      }
    if !isDeclared { throw .undeclared("\(app.name(of: owner)) no longer \(role) \(app.name(of: work)).") }
  }

  /// - Parameters:
  ///   - intent: the intent behind a question.
  ///   - behind: the prompt whose button the intent is.
  private func check(_ intent: Intent, _ behind: AskedPrompt?) throws(MigrationObstacle) {
    switch intent {
    case .action(let name, let input):
      let screen = state.visibleEntry?.screen
      let actions = behind.map { app.prompts[$0.prompt].actions } ?? screen.map { app.screens[$0].actions }
      if let actions { try check(name, input, among: actions) }
    case .open(let link): try check(link)
    case .back, .dismiss, .tab, .reload, .locale: break
    }
  }

  private func check(_ pending: PendingIntent.Content) throws(MigrationObstacle) {
    switch pending {
    case .action(let action, let input, _, _):
      try check(action.name, input, among: app.screens[action.screen].actions)
    case .button(let name, let input, let asked):
      try check(asked)
      try check(name, input, among: app.prompts[asked.prompt].actions)
    case .link(let link, _): try check(link)
    case .move, .steps: break
    }
  }

  private func check(_ name: String, _ input: Value, among actions: [ActionDefinition]) throws(MigrationObstacle) {
    guard let action = actions.first(where: { $0.name == name }) else {
      throw .undeclared("The pending action \(name) is no longer offered there.")
    }
    if !action.takesAnswers, (try? action.input.check(input)) == nil {
      throw .undeclared("The pending action \(name) no longer takes its input.")
    }
  }

  private func check(_ link: String) throws(MigrationObstacle) {
    if (try? app.steps(of: link)) == nil {
      throw .undeclared("The pending link \(link) no longer leads anywhere.")
    }
  }

  /// Requires that no guard fails for a live entry: a guard may be new. A finished session shows its last screen only.
  private func checkGuards() throws(MigrationObstacle) {
    guard !state.isFinished else { return }
    var step = Transaction(app: app, state: state, stamp: StepStamp())
    // A guard may read the date, which is that of the last step.
    step.state.environment.stamp = state.environment.stamp
    let exposed: DeclaredName?
    do throws(Interruption) {
      exposed = try step.exposedName()
    } catch {
      throw .guardFailed
    }
    guard let exposed else { return }
    throw .guarded(exposed.kind, app.schema(of: exposed).name)
  }
}

/// The reason why a session of another version of its app cannot be migrated to this one. The bytes are intact: the
/// build that wrote them can still read them, as can one with the missing migration.
public enum MigrationObstacle: Error, Sendable, Equatable, CustomStringConvertible {
  /// The app has nothing of this name, and no migration for it.
  case unknown(PackedName)
  /// The version is above the one that this build knows.
  case newer(PackedName, known: Int)
  /// The version is older, or the name is no longer in the app, and no ``Migration`` is for that version.
  case noMigration(PackedName)
  /// The migration threw an error with this description, or made a value that cannot be stored.
  case migrationFailed(PackedName, reason: String)
  /// The value does not decode, although its version is the current one.
  case undecodable(PackedName, reason: String)
  /// The session holds or waits for something that the app no longer declares.
  case undeclared(String)
  /// A guard of the app now protects a part of the session that is shown.
  case guarded(PackedName.Kind, String)
  /// The code of a guard threw an error.
  case guardFailed
  /// More stacks nest than this host allows.
  case tooDeep(limit: Int)

  /// A sentence for people, by declared names.
  public var description: String {
    switch self {
    case .unknown(let name): "The app has no \(name), and no migration for it."
    case .newer(let name, let known): "The \(name) has version \(name.version), and the app knows at most \(known)."
    case .noMigration(let name): "The \(name) has version \(name.version), and the app has no migration for it."
    case .migrationFailed(let name, let reason):
      "The migration of the \(name) of version \(name.version) failed: \(reason)"
    case .undecodable(let name, let reason):
      "The \(name) does not decode, although its version is the current one: \(reason)"
    case .undeclared(let sentence): sentence
    case .guarded(let kind, let name): "A guard now protects the \(kind.rawValue) \(name)."
    case .guardFailed: "A guard of the app fails on the session."
    case .tooDeep(let limit): "More than \(limit) stacks lie in or over each other."
    }
  }
}
