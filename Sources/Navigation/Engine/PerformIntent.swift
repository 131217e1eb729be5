public import Values

// The entry points of the engine. A session has four kinds of steps: its creation, an intent of its user, an event in
// the background (`apply`), and its move to another version of the app (`carry`). Each step is a ``Transaction``. This
// file commits it, or commits a question or the reaction of a guard instead.
extension AppDefinition {
  /// Returns a new session at revision 1.
  ///
  /// - Parameters:
  ///   - input: the input of the app.
  ///   - link: a deep link to open at once.
  ///   - environment: the facts that the code of the app can read.
  ///   - stamp: the time and the seed of the step, for the history.
  public func create(
    input: Value = .emptyObject, link: String? = nil, environment: SessionEnvironment = SessionEnvironment(),
    stamp: StepStamp = StepStamp()
  ) throws(Rejection) -> SessionState {
    if !localizations.isEmpty {
      return try localized(for: environment.locale).create(
        input: input, link: link, environment: environment, stamp: stamp)
    }
    var empty = SessionState.empty
    empty.environment = environment
    var step = Transaction(app: self, state: empty, stamp: stamp)
    do throws(Interruption) {
      let checked = try self.input.checked(input)
      let root = try calling(0, "creation") { try makeRoot(checked) }
      try step.attempt { step throws(Interruption) in
        try step.start(0, root, under: nil, in: step.state.root.id)
      }
      try step.complete()
    } catch {
      throw error.asRejection
    }
    var created = step.takeState(at: 1)
    guard let link else { return created }
    // The prompts of the start lie over the target of the link.
    let prompts = created.askedPrompts
    if !prompts.isEmpty { (created.prompt, created.queuedPrompts) = (nil, []) }
    var linked = try perform(.open(link: link), on: created, revision: 1, stamp)
    linked.environment.prepend(created.environment.detached)
    guard !prompts.isEmpty, !linked.isFinished else { return linked }
    linked.queuedPrompts = prompts.filter { linked.node($0.owner) != nil } + linked.queuedPrompts
    linked.openNextPrompt()
    return linked
  }

  /// Carries out an intent on a session, and returns the new state.
  ///
  /// - Parameter stamp: the time and the seed of the step, for the history.
  public func perform(
    _ intent: Intent, on state: SessionState, stamp: StepStamp = StepStamp()
  ) throws(Rejection) -> SessionState {
    if !localizations.isEmpty { return try localized(for: state).perform(intent, on: state, stamp: stamp) }
    return try perform(intent, on: state, revision: state.revision + 1, stamp)
  }

  private func perform(
    _ intent: Intent, on state: SessionState, revision: UInt64, _ stamp: StepStamp
  ) throws(Rejection) -> SessionState {
    guard !state.isFinished else { throw .finished }
    var step = Transaction(app: self, state: state, stamp: stamp)
    do throws(Interruption) {
      do throws(Interruption) {
        try step.commit(intent)
      } catch {
        // The changes of the step are dropped. Another step begins with the same state.
        var other = Transaction(app: self, state: state, stamp: stamp)
        other.consents = step.consents
        let interrupted = step.intent ?? intent
        do throws(Interruption) {
          guard case .guarded(let blocker) = error else { throw error }
          step = other
          try step.commitWaiting(for: interrupted, behind: blocker)
        } catch .question(let entry) {
          try rehearse(interrupted, on: state, stamp)
          step = other
          try step.commitQuestion(about: entry, before: interrupted)
        }
      }
    } catch {
      throw error.asRejection
    }
    return step.takeState(at: revision)
  }

  /// Throws the rejection that would follow the answer to leave, so that the user is not asked in vain.
  private func rehearse(_ intent: Intent, on state: SessionState, _ stamp: StepStamp) throws(Interruption) {
    var step = Transaction(app: self, state: state, stamp: stamp)
    step.agreesToLeave = true
    step.state.prompt = state.prompt?.asked.map { .asked($0) }
    do throws(Interruption) {
      try step.commit(intent)
    } catch .rejected(let rejection) {
      throw .rejected(rejection)
    } catch {
      // An intent that meets a guard waits there after the answer.
    }
  }
}

extension Transaction {
  /// Carries out and completes an intent.
  fileprivate mutating func commit(_ intent: Intent) throws(Interruption) {
    try attempt { step throws(Interruption) in try step.run(intent) }
    try complete()
  }

  /// Commits the question of an entry that an intent leaves.
  fileprivate mutating func commitQuestion(about entry: EntryID, before intent: Intent) throws(Interruption) {
    state.prompt = .leaving(
      OpenLeaveQuestion(
        id: state.makeID(), entry: entry, intent: intent, consents: consents, behind: state.prompt?.asked))
    try settleAndGuard()
    try complete()
  }

  /// Commits the reaction of a guard instead of the intent.
  fileprivate mutating func commitWaiting(for intent: Intent, behind blocker: GuardID) throws(Interruption) {
    let asked = state.prompt?.asked
    turnsAway = !comesFromAwaited(intent)
    state.prompt = nil
    if state.refusal != nil { state.refusal = nil }
    let pending: PendingIntent.Content? =
      switch (intent, asked) {
      case (.open(let link), _): .link(link, from: 0)
      case (.action(let name, let input), let asked?): .button(name: name, input: input, of: asked)
      case (.action(let name, let input), nil): state.visibleEntry.flatMap { pendingAction(name, input, at: $0) }
      case (.back, _), (.dismiss, _), (.tab, _): state.visibleEntry.map { .move(intent, origin: $0.id) }
      case (.reload, _), (.locale, _): nil
      }
    try wait(for: pending, behind: blocker)
    try complete()
  }

  /// Returns whether an intent comes from the part that the pending intent waits for, or from a part over it, such as the
  /// form for a new password over a sign-in.
  private func comesFromAwaited(_ intent: Intent) -> Bool {
    guard let pending = state.pending else { return false }
    if case .open = intent { return false }
    let visible = state.visibleStacks
    return switch pending.awaited {
    case .coordinator(let id):
      state.stacks.contains { stack in
        visible.contains(stack.id) && stack.entries.contains { state.isSelfOrAncestor(id, of: $0.owner) }
      }
    case .entry(let id): state.position(of: id).map { visible.contains($0.stack) } ?? false
    // A pending intent may wait for nothing but the open prompt.
    case .prompt, .nothing: state.prompt?.asked != nil
    case .answer, .intent: false
    }
  }

  /// Returns an action of the screen at an entry with the coordinator that handles it; nil without either.
  private func pendingAction(_ name: String, _ input: Value, at entry: Entry) -> PendingIntent.Content? {
    guard let action = entry.screen.map({ PendingIntent.ScreenAction(screen: $0, name: name) }),
      let definition = action.definition(in: app),
      let handler = state.handler(of: definition.index, from: entry.owner, in: app)
    else { return nil }
    return .action(action, input: input, origin: entry.id, handler: handler.node.id)
  }

  // The intents of the user, each from its checks to the stack commands.

  /// Carries out the intent of the user, which continues after a question.
  mutating func run(_ intent: Intent) throws(Interruption) {
    self.intent = intent
    turnsAway = !comesFromAwaited(intent)
    if state.hasExtras { endRefusal(before: intent) }
    try carryOut(intent)
  }

  /// Carries out an intent, or a step of one.
  mutating func carryOut(_ intent: Intent) throws(Interruption) {
    switch intent {
    case .action(let name, let input): try act(name, input)
    case .back: try goBack()
    case .dismiss: try dismissTopModal()
    case .tab(let name): try selectTab(name)
    case .reload(let property): try reload(property)
    case .locale(let locale): state.environment = state.environment.with(locale: locale)
    case .open(let link):
      try refuseWhilePromptIsOpen()
      try open(link)
    }
  }

  private mutating func act(_ name: String, _ input: Value) throws(Interruption) {
    if let prompt = state.prompt { return try press(name, input, of: prompt) }
    guard let path = state.visiblePath, let screen = path.entry.screen else { return }
    guard let action = app.screens[screen].actions.first(where: { $0.name == name }) else {
      throw unavailable(name, .actionNotOnScreen(action: name, screen: app.screens[screen].name))
    }
    try perform(action, input, by: path.entry.owner, in: path.stack.id, at: path.entry)
  }

  /// Performs an action as if the user had just chosen it.
  ///
  /// - Parameters:
  ///   - owner: the coordinator that may handle it first.
  ///   - stack: the stack that the owner acts on; nil for the one that it was started in.
  ///   - entry: the entry of the screen that offers the action; nil for a prompt.
  mutating func perform(
    _ action: ActionDefinition, _ input: Value, by owner: NodeID, in stack: StackID?, at entry: Entry? = nil
  ) throws(Interruption) {
    self.action = action
    if let obstacle = try state.obstacle(to: action.index, from: owner, in: app) { throw .unavailable(obstacle) }
    var schema = action.input
    if action.takesAnswers {
      let answers = input.kind == .map ? input : try schema.checked(input)
      return try offer(action.index, answers, to: owner, in: stack, at: entry)
    }
    if let entry {
      // The handler of a form validates the answers, of which some are conditions for others.
      if app.hasForm(action, at: entry) {
        // An input of another kind than an object is refused here.
        let answers = input.kind == .map ? schema.declared(of: input) : try schema.checked(input)
        return try offer(action.index, answers, to: owner, in: stack, at: entry)
      }
      let limits = try app.limits(of: action, at: entry, in: state)
      if limits.leaveNone(for: schema) { throw .unavailable(.nothingToChoose) }
      if !limits.isEmpty { schema = schema.limited(by: limits) }
    }
    try offer(action.index, try schema.checked(input), to: owner, in: stack, at: entry)
  }

  private mutating func press(_ name: String, _ input: Value, of prompt: OpenPrompt) throws(Interruption) {
    state.prompt = prompt.promptBehind
    switch prompt {
    case .leaving(let question):
      switch name {
      case ServiceAnswer.leave.rawValue:
        let consents = question.consents + [question.entry]
        guard let intent = question.intent else {
          state.pending?.consents = consents
          state.pending?.awaited = .nothing
          return
        }
        self.consents = consents
        try run(intent)
      case ServiceAnswer.stay.rawValue: break
      default: throw unavailable(name, .promptIsOpen)
      }
    case .notice:
      guard name == ServiceAnswer.close.rawValue else { throw unavailable(name, .promptIsOpen) }
    case .asked(let asked):
      guard let action = app.prompts[asked.prompt].actions.first(where: { $0.name == name }) else {
        throw unavailable(name, .promptIsOpen)
      }
      try press(action, input, of: asked)
    }
  }

  /// Performs the button of a prompt, on the stack on which the prompt was asked if that still exists.
  mutating func press(_ action: ActionDefinition, _ input: Value, of asked: AskedPrompt) throws(Interruption) {
    state.environment.origin = EventOrigin(.prompt, app.prompts[asked.prompt].name, asked.value)
    defer { state.environment.origin = nil }
    try perform(action, input, by: asked.owner, in: state.stack(asked.stack)?.id)
  }

  /// Returns the reason why an action is not available, or that no screen has an action of its name.
  private func unavailable(_ action: String, _ reason: Unavailability) -> Interruption {
    app.actionNames.contains(action) ? .unavailable(reason) : .rejected(.unknownAction(action))
  }

  private mutating func goBack() throws(Interruption) {
    switch state.backTarget {
    case nil: throw .unavailable(state.noBackReason)
    case .closePrompt: state.prompt = state.prompt?.promptBehind
    case .pop(let stack, _):
      try pop(1, from: stack, by: nil)
    case .dismiss(let modal, _): try removeModal(modal)
    }
  }

  private mutating func dismissTopModal() throws(Interruption) {
    try refuseWhilePromptIsOpen()
    guard let modal = state.visiblePath?.modal else { throw .unavailable(.noModal) }
    try removeModal(modal)
  }

  /// Selects a tab of the innermost visible bar that has it. The tab that shows is popped to its root.
  ///
  /// - Parameter reselects: whether another tab is popped to its root as well.
  mutating func selectTab(_ name: String, reselects: Bool = false) throws(Interruption) {
    try refuseWhilePromptIsOpen()
    guard let path = state.visiblePath, let innermost = path.tabBar,
      let bar = path.isTabBarNested ? state.visibleTabBars.first(where: { $0.index(of: name) != nil }) : innermost,
      let index = bar.index(of: name)
    else {
      guard app.coordinatorIndex[name] != nil else { throw .rejected(.unknownTab(name)) }
      throw .unavailable(.tabNotVisible(name))
    }
    if index != bar.selected { state.updateTab(of: bar.tabs[index].stack) { $0.selected = $1 } }
    if index == bar.selected || reselects { try returnToRoot(of: bar.tabs[index].stack, by: nil) }
  }

  func refuseWhilePromptIsOpen() throws(Interruption) {
    if state.hasPrompt { throw .unavailable(.promptIsOpen) }
  }
}

extension Interruption {
  /// A question or a guard in a step that cannot wait is a fault of the app.
  var asRejection: Rejection {
    switch self {
    case .rejected(let rejection): rejection
    case .question: .fault(.questionWithoutUser)
    case .guarded: .fault(.guardWithoutCoordinator)
    case .promptQueueFull(let name): .fault(.promptWhileOpen(name))
    case .promptIsOpen: .unavailable(.promptIsOpen)
    }
  }
}

extension InputSchema {
  /// Returns the validated input of an intent.
  fileprivate func checked(_ input: Value) throws(Interruption) -> Value {
    do { return try check(input) } catch { throw .rejected(.invalidInput(error)) }
  }
}
