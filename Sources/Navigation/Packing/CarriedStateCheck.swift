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
          throw .undeclared("The app no longer begins with the coordinator \(name(of: node.coordinator)).")
        }
        continue
      }
      guard app.coordinators[parent.coordinator].children[node.coordinator] != nil else {
        throw .undeclared("\(name(of: parent.coordinator)) no longer starts \(name(of: node.coordinator)).")
      }
    }
  }

  private func checkEntries() throws(CarryingObstacle) {
    try state.root.forEachEntry { (entry) throws(CarryingObstacle) in
      switch entry.content {
      case .screen(let screen, _):
        guard let owner = state.node(entry.owner), !app.coordinators[owner.coordinator].shows[screen] else { return }
        throw .undeclared("\(name(of: owner.coordinator)) no longer shows the screen \(app.screens[screen].name).")
      case .tabs(let bar):
        guard Set(bar.tabs.map(\.name)).count < bar.tabs.count else { return }
        throw .undeclared("Two of its tabs have become one coordinator.")
      }
    }
  }

  /// - Parameter asked: open, or behind a wish; nobody answers it where its coordinator has gone.
  private func check(_ asked: AskedPrompt) throws(CarryingObstacle) {
    guard let owner = state.node(asked.owner), !app.coordinators[owner.coordinator].asks[asked.prompt] else { return }
    throw .undeclared("\(name(of: owner.coordinator)) no longer asks the prompt \(app.prompts[asked.prompt].name).")
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
      throw .undeclared("It waits to do the action \(name), which is no longer offered there.")
    }
    if (try? action.input.check(input)) == nil {
      throw .undeclared("It waits to do the action \(name), which no longer takes that input.")
    }
  }

  private func check(_ link: String) throws(CarryingObstacle) {
    if (try? app.steps(of: link)) == nil {
      throw .undeclared("It waits to open the link \(link), which leads nowhere now.")
    }
  }

  /// A guard that is new may fail for what is shown already. A finished session only shows what it showed last.
  private func checkGuards() throws(CarryingObstacle) {
    guard !state.isFinished else { return }
    let exposed: DeclaredName?
    do throws(Interruption) {
      exposed = try Transaction(app: app, state: state).exposedName()
    } catch {
      throw .undeclared("A guard of the app fails on it.")
    }
    guard let exposed else { return }
    throw .undeclared("A guard now protects its \(exposed.kind.rawValue) \(app.schema(of: exposed).name).")
  }
}
