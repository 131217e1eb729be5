internal import Values

// The intents of the user, each up to its commit.
extension Transaction {
  /// Carries out the intent of the user, which continues after a question.
  mutating func run(_ intent: Intent) throws(Interruption) {
    self.intent = intent
    try carryOut(intent)
  }

  /// Carries out an intent, or a step of one.
  mutating func carryOut(_ intent: Intent) throws(Interruption) {
    switch intent {
    case .action(let name, let input): try act(name, input)
    case .back: try goBack()
    case .dismiss: try dismissTopModal()
    case .tab(let name): try selectTab(name)
    case .open(let link):
      try refuseWhilePromptIsOpen()
      try open(link)
    }
  }

  private mutating func act(_ name: String, _ input: Value) throws(Interruption) {
    if let prompt = state.prompt { return try press(name, input, of: prompt) }
    guard let (entry, stack) = state.root.visiblePlace, let screen = entry.screen else { return }
    guard let action = app.screens[screen].actions.first(where: { $0.name == name }) else {
      guard app.actionNames.contains(name) else { throw .rejected(.unknownAction(name)) }
      throw .unavailable(.actionNotOnScreen(action: name, screen: app.screens[screen].name))
    }
    try take(action, input, by: entry.owner, in: stack)
  }

  /// Performs an action as if the user had just chosen it.
  ///
  /// - Parameters:
  ///   - owner: the coordinator that may handle it first.
  ///   - stack: the stack that the owner acts on; nil for the one that it was started in.
  mutating func take(
    _ action: ActionDefinition, _ input: Value, by owner: NodeID, in stack: StackID?
  ) throws(Interruption) {
    self.action = action
    if let reason = try disabledReason(action.index, from: owner) { throw .unavailable(.stated(reason)) }
    try offer(action.index, try check(input, action), to: owner, in: stack)
  }

  private mutating func press(_ name: String, _ input: Value, of prompt: OpenPrompt) throws(Interruption) {
    state.prompt = prompt.under
    switch prompt {
    case .leaving(let entry, let intent, let consents, _):
      switch name {
      case LeaveAnswer.leave.rawValue:
        self.consents = consents + [entry]
        try run(intent)
      case LeaveAnswer.stay.rawValue: break
      default:
        throw promptIsOpen(name)
      }
    case .asked(let asked):
      guard let action = app.prompts[asked.prompt].actions.first(where: { $0.name == name }) else {
        throw promptIsOpen(name)
      }
      try press(action, input, of: asked)
    }
  }

  /// Performs the button of a prompt, on the stack on which the prompt was asked if that still exists.
  mutating func press(_ action: ActionDefinition, _ input: Value, of asked: AskedPrompt) throws(Interruption) {
    try take(action, input, by: asked.owner, in: state.root.level(of: asked.stack).map { _ in asked.stack })
  }

  private func promptIsOpen(_ name: String) -> Interruption {
    guard app.actionNames.contains(name) else { return .rejected(.unknownAction(name)) }
    return .unavailable(.promptIsOpen)
  }

  private func check(_ input: Value, _ action: ActionDefinition) throws(Interruption) -> Value {
    do {
      return try action.input.check(input)
    } catch {
      throw .rejected(.invalidInput(error))
    }
  }

  private mutating func goBack() throws(Interruption) {
    switch state.backTarget {
    case nil: throw .unavailable(state.noBackReason)
    case .closePrompt: state.prompt = state.prompt?.under
    case .pop(let stack, _):
      try pop(1, from: stack, by: nil)
    case .dismiss(let modal, _): try removeModal(modal)
    }
  }

  private mutating func dismissTopModal() throws(Interruption) {
    try refuseWhilePromptIsOpen()
    guard let modal = VisiblePath(of: state.root)?.modal else { throw .unavailable(.noModal) }
    try removeModal(modal.id)
  }

  mutating func selectTab(_ name: String) throws(Interruption) {
    try refuseWhilePromptIsOpen()
    guard let bar = VisiblePath(of: state.root)?.tabBar, let index = bar.index(of: name) else {
      guard app.coordinatorIndex[name] != nil else { throw .rejected(.unknownTab(name)) }
      throw .unavailable(.tabNotVisible(name))
    }
    if index == bar.selected {
      try popToRoot(bar.tabs[index].stack.id, by: nil)
    } else {
      try show(tab: index, of: bar.tabs[index].stack.id)
    }
  }

  private func refuseWhilePromptIsOpen() throws(Interruption) {
    if state.prompt != nil { throw .unavailable(.promptIsOpen) }
  }
}
