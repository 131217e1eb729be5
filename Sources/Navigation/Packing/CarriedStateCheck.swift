internal import Values

/// Holds a sound state that another version of the app made against what the app declares now. What passes is as if this
/// version had committed it: somebody handles every action, and nothing that waits is dropped for being unknown.
///
/// The rest may stay as it was stored: a leave policy is that of the entry, and a tab keeps its label.
struct CarriedStateCheck {
  let app: AppDefinition
  let state: SessionState

  func run() throws(CarryingObstacle) {
    try checkTree()
    try checkEntries()
    if let asked = state.prompt?.asked { try check(asked) }
    if case .leaving(_, let intent, _, let behind) = state.prompt { try check(intent, behind) }
    if let wish = state.pending { try check(wish.content) }
    try checkGuards()
  }

  private func name(of coordinator: Int) -> String { app.coordinators[coordinator].definition.name }

  private func checkTree() throws(CarryingObstacle) {
    for node in state.nodes {
      guard let parent = node.parent.flatMap({ state.node($0) }) else {
        guard node.coordinator == 0 else {
          throw .undeclared(.root(name(of: node.coordinator)))
        }
        continue
      }
      guard app.coordinators[parent.coordinator].children[node.coordinator] != nil else {
        throw .undeclared(.child(name(of: node.coordinator), of: name(of: parent.coordinator)))
      }
    }
  }

  private func checkEntries() throws(CarryingObstacle) {
    try state.root.forEachEntry { (entry) throws(CarryingObstacle) in
      switch entry.content {
      case .screen(let screen, _):
        guard let owner = state.node(entry.owner), !app.coordinators[owner.coordinator].shows[screen] else { return }
        throw .undeclared(.screen(app.screens[screen].name, of: name(of: owner.coordinator)))
      case .tabs(let bar):
        guard Set(bar.tabs.map(\.name)).count < bar.tabs.count else { return }
        throw .undeclared(.distinctTabs)
      }
    }
  }

  /// - Parameter asked: open, or behind a wish; nobody answers it where its coordinator has gone.
  private func check(_ asked: AskedPrompt) throws(CarryingObstacle) {
    guard let owner = state.node(asked.owner), !app.coordinators[owner.coordinator].asks[asked.prompt] else { return }
    throw .undeclared(.prompt(app.prompts[asked.prompt].name, of: name(of: owner.coordinator)))
  }

  /// - Parameters:
  ///   - intent: what goes on once a question is answered.
  ///   - behind: the prompt whose button it is.
  private func check(_ intent: Intent, _ behind: AskedPrompt?) throws(CarryingObstacle) {
    switch intent {
    case .action(let name, let input):
      if let behind {
        try check(name, input, among: app.prompts[behind.prompt].actions)
      } else if let screen = state.visibleEntry?.screen {
        try check(name, input, among: app.screens[screen].actions)
      }
    case .open(let link): try check(link)
    case .back, .dismiss, .tab: break
    }
  }

  private func check(_ wish: Wish.Content) throws(CarryingObstacle) {
    switch wish {
    case .action(let name, let input, let origin):
      // Where the screen has been left meanwhile, the wish comes to nothing in any version.
      guard let screen = state.root.place(of: origin)?.entry.screen else { return }
      try check(name, input, among: app.screens[screen].actions)
    case .button(let name, let input, let asked):
      try check(asked)
      try check(name, input, among: app.prompts[asked.prompt].actions)
    case .link(let link): try check(link)
    }
  }

  private func check(_ name: String, _ input: Value, among actions: [ActionDefinition]) throws(CarryingObstacle) {
    guard let action = actions.first(where: { $0.name == name }) else {
      throw .undeclared(.pendingAction(name))
    }
    if (try? action.input.check(input)) == nil {
      throw .undeclared(.inputOfPendingAction(name))
    }
  }

  private func check(_ link: String) throws(CarryingObstacle) {
    if (try? app.steps(of: link)) == nil {
      throw .undeclared(.pendingLink(link))
    }
  }

  /// A guard that is new may fail for what is shown already. A finished session only shows what it showed last.
  private func checkGuards() throws(CarryingObstacle) {
    guard !state.isFinished else { return }
    let exposed: DeclaredName?
    do throws(Interruption) {
      exposed = try Transaction(app: app, state: state).exposedName()
    } catch {
      throw .guardFailed
    }
    guard let exposed else { return }
    throw .guarded(exposed.kind, app.schema(of: exposed).name)
  }
}
