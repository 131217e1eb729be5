public import Values

/// The two steps of a session's life: it is created, and it performs intents.
extension AppDefinition {
  /// A new session at revision 1.
  ///
  /// - Parameters:
  ///   - input: what the app asks for at creation.
  ///   - link: a deep link to open at once.
  public func create(input: Value = .emptyObject, link: String? = nil) throws(Rejection) -> Transition {
    let checked: Value
    do {
      checked = try self.input.check(input)
    } catch {
      throw .invalidInput(error)
    }
    let empty = SessionState(revision: 0, nextID: 2, nodes: [], root: Stack(id: ID(1), entries: []))
    var step = Transaction(app: self, state: empty)
    do throws(Interruption) {
      let root = try calling(name) { try makeRoot(checked) }
      try step.start(0, root, under: nil, in: empty.root.id)
      try step.commit()
    } catch {
      throw error.atCreation
    }
    let created = transition(to: step.state, from: nil)
    guard let link else { return created }
    return transition(to: try perform(.open(link: link), on: step.state, { step.state }, revision: 1), from: nil)
  }

  /// Carries out an intent on a packed session: a new value, or a rejection.
  public func perform(_ intent: Intent, on packed: [UInt8]) throws(Rejection) -> Transition {
    let read = { () throws(Rejection) -> SessionState in
      do throws(PackingError) {
        return try self.unpack(packed)
      } catch {
        throw .unreadable(error)
      }
    }
    let before = try read()
    let (visible, revision) = (before.visibleEntry?.id, before.revision)
    return transition(to: try perform(intent, on: consume before, read, revision: revision + 1), from: visible)
  }

  /// - Parameter restart: the state as it was, for a step that has to begin anew.
  private func perform(
    _ intent: Intent, on state: consuming SessionState, _ restart: () throws(Rejection) -> SessionState,
    revision: UInt64
  ) throws(Rejection) -> SessionState {
    guard !state.isFinished else { throw .finished }
    var step = Transaction(app: self, state: consume state)
    do throws(Interruption) {
      try step.run(intent)
      try step.commit()
    } catch {
      let interrupted = step.intent ?? intent
      let consents = step.consents
      switch error {
      case .rejected(let rejection):
        throw rejection
      case .question(let entry):
        step = Transaction(app: self, state: try restart())
        step.state.prompt = .leaving(entry: entry, intent: interrupted, consents: consents)
        try step.commitWithoutQuestions()
      case .guarded(let guardian, let index):
        step = Transaction(app: self, state: try restart(), consents: consents)
        try step.commitWaiting(for: interrupted, behind: guardian, index: index)
      }
    }
    return step.finished(at: revision)
  }

  private func transition(to state: consuming SessionState, from visible: EntryID?) -> Transition {
    let now = state.visibleEntry?.id
    let changed = now != visible
    return Transition(
      state: state, packed: pack(state), appeared: changed ? now : nil, disappeared: changed ? visible : nil)
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
      throw error.atCreation
    }
  }

  /// Commits what a guard does instead of the intent. A link has left the screens behind it by then.
  fileprivate mutating func commitWaiting(for intent: Intent, behind guardian: NodeID, index: Int) throws(Rejection) {
    do throws(Interruption) {
      var wish: Wish.Content?
      switch intent {
      case .open(let link):
        try returnToRoot()
        wish = .link(link)
      case .action(let name, let input):
        wish = state.visibleEntry.map { .action(name: name, input: input, origin: $0.id) }
        state.prompt = nil
      case .back, .dismiss, .tab: break
      }
      try wait(for: wish, behind: guardian, index: index)
      try commit()
    } catch {
      throw error.atCreation
    }
  }
}

extension Interruption {
  /// A question or a guard where nobody can be asked or wait is the app's fault.
  fileprivate var atCreation: Rejection {
    switch self {
    case .rejected(let rejection): rejection
    case .question: .fault("A screen asks before it is left, in a step that nobody can be asked about.")
    case .guarded: .fault("A guard is in the way of what a guard does instead.")
    }
  }
}
