public import Values

// The two kinds of steps of a session: its creation, and an intent.
extension AppDefinition {
  /// Returns a new session at revision 1.
  ///
  /// - Parameters:
  ///   - input: the input of the app.
  ///   - link: a deep link to open at once.
  ///   - environment: the facts that the code of the app can read.
  public func create(
    input: Value = .emptyObject, link: String? = nil, environment: SessionEnvironment = SessionEnvironment()
  ) throws(Rejection) -> SessionState {
    let checked: Value
    do {
      checked = try self.input.check(input)
    } catch {
      throw .invalidInput(error)
    }
    var empty = SessionState.empty
    empty.environment = environment
    var step = Transaction(app: self, state: empty)
    do throws(Interruption) {
      let root = try calling(0, "creation") { try makeRoot(checked) }
      try step.start(0, root, under: nil, in: step.state.root.id)
      try step.commit()
    } catch {
      throw error.asRejection
    }
    let created = step.takeState(at: 1)
    guard let link else { return created }
    return try perform(.open(link: link), on: created, revision: 1)
  }

  /// Carries out an intent on a session, and returns the new state.
  public func perform(_ intent: Intent, on state: SessionState) throws(Rejection) -> SessionState {
    try perform(intent, on: state, revision: state.revision + 1)
  }

  private func perform(
    _ intent: Intent, on state: SessionState, revision: UInt64
  ) throws(Rejection) -> SessionState {
    guard !state.isFinished else { throw .finished }
    var step = Transaction(app: self, state: state)
    do throws(Interruption) {
      try step.run(intent)
      try step.commit()
    } catch {
      let interrupted = step.intent ?? intent
      let consents = step.consents
      // The changes of the step are dropped. Another step begins with the same state.
      step = Transaction(app: self, state: state, consents: consents)
      switch error {
      case .rejected(let rejection):
        throw rejection
      case .question(let entry):
        try rehearse(interrupted, on: state)
        step.state.prompt = .leaving(entry: entry, intent: interrupted, consents: consents, behind: state.prompt?.asked)
        try step.commitWithoutQuestions()
      case .guarded(let guardian, let index):
        try step.commitWaiting(for: interrupted, behind: guardian, index: index)
      }
    }
    return step.takeState(at: revision)
  }
}

extension AppDefinition {
  /// Throws the rejection that would follow the answer to leave, so that the user is not asked in vain.
  private func rehearse(_ intent: Intent, on state: SessionState) throws(Rejection) {
    var step = Transaction(app: self, state: state)
    step.isRehearsal = true
    step.state.prompt = state.prompt?.asked.map { .asked($0) }
    do throws(Interruption) {
      try step.run(intent)
      try step.commit()
    } catch .rejected(let rejection) {
      throw rejection
    } catch {
      // An intent that meets a guard waits there after the answer.
    }
  }
}

extension Transaction {
  fileprivate init(app: AppDefinition, state: SessionState, consents: [EntryID]) {
    self.init(app: app, state: state)
    self.consents = consents
  }

  fileprivate mutating func commitWithoutQuestions() throws(Rejection) {
    do throws(Interruption) {
      try commit()
    } catch {
      throw error.asRejection
    }
  }

  /// Commits the reaction of a guard in place of the intent. A link has returned to the root by then.
  fileprivate mutating func commitWaiting(for intent: Intent, behind guardian: NodeID, index: Int) throws(Rejection) {
    do throws(Interruption) {
      let asked = state.prompt?.asked
      state.prompt = nil
      var pending: PendingIntent.Content?
      switch intent {
      case .open(let link):
        try returnToRoot()
        pending = .link(link)
      case .action(let name, let input):
        pending =
          if let asked {
            .button(name: name, input: input, of: asked)
          } else {
            state.visibleEntry.map { .action(name: name, input: input, origin: $0.id) }
          }
      case .back, .dismiss, .tab: break
      }
      try wait(for: pending, behind: guardian, index: index)
      try commit()
    } catch {
      throw error.asRejection
    }
  }
}

extension Interruption {
  /// A question or a guard in a step that cannot wait is a fault of the app.
  fileprivate var asRejection: Rejection {
    switch self {
    case .rejected(let rejection): rejection
    case .question: .fault(.questionWithoutUser)
    case .guarded: .fault(.guardBlocksGuard)
    }
  }
}
