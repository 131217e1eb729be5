// Pending intents: an intent that a guard stops waits, and is carried out once when the guard passes. A further guard or
// a question that it meets then keeps it, and keeps what the user has agreed to leave.
extension Transaction {
  /// Carries out a part of the step, settles and applies the guards. A coordinator of this part that a guard of its own
  /// stops is locked, and the part is carried out again.
  mutating func attempt(_ part: (inout Transaction) throws(Interruption) -> Void) throws(Interruption) {
    let nextID = state.nextID
    // A copy counts references, and no guard stops a step of an app without guards.
    let before = app.hasGuards ? self : nil
    while true {
      do throws(Interruption) {
        try part(&self)
        return try settleAndGuard()
      } catch .guarded(let blocker) where blocker.guardian.rawValue >= nextID {
        // Ids are given in order and none twice, so the coordinator gets the same one again, as do those that started
        // before it.
        var locks = locking.filter { $0.key <= blocker.guardian }
        let failing = locks[blocker.guardian] ?? []
        guard let before, isLockable(blocker.guardian), !failing.contains(blocker.index) else {
          throw guardsBlockEachOther(blocker)
        }
        locks[blocker.guardian] = failing + [blocker.index]
        revert(to: before)
        state.nextID = nextID
        locking = locks
      }
    }
  }

  /// Returns to an earlier point of the step. The commands since then count on, and their ids are not given again: a lock
  /// would be that of another coordinator.
  mutating func revert(to earlier: Transaction) {
    let failed = self
    self = earlier
    takeCounts(of: failed)
  }

  /// Runs the reaction of a failing guard, and keeps the intent for later. If the reaction meets a guard, the intent waits
  /// behind that one.
  mutating func wait(
    for pending: PendingIntent.Content?, behind blocker: GuardID, after earlier: [GuardID] = []
  ) throws(Interruption) {
    guard !earlier.contains(blocker) else { throw guardsBlockEachOther(blocker) }
    let origin = pending.flatMap { $0.isRest ? state.visibleEntry?.id : nil }
    if case .link(_, from: 0) = pending { try returnToRootUnlessGuarded() }
    let before = self
    do throws(Interruption) {
      var awaited = PendingIntent.Awaited.nothing
      try attempt { step throws(Interruption) in
        awaited = try step.reactVisibly(to: blocker)
        step.consequencesFrom = step.state.nextID
      }
      consequencesFrom = nil
      guard let pending else { return }
      keep(
        PendingIntent(content: pending, blocker: blocker, awaited: awaited, consents: consents, origin: origin))
    } catch .guarded(let next) {
      revert(to: before)
      try wait(for: pending, behind: next, after: earlier + [blocker])
    }
  }

  /// Adds a pending intent, which is carried out before the others. The intent of a person who has turned away from the
  /// guards of the others replaces them.
  mutating func keep(_ pending: PendingIntent) {
    if turnsAway { state.pendingIntents = [] }
    turnsAway = false
    state.pendingIntents = state.pendingIntents.suffix(PendingIntent.limit - 1) + [pending]
  }

  /// Returns to the root of the session, from where a link goes on. The person stays where the way there meets a guard.
  private mutating func returnToRootUnlessGuarded() throws(Interruption) {
    let before = self
    do throws(Interruption) {
      try attempt { step throws(Interruption) in try step.returnToRoot() }
    } catch .guarded {
      revert(to: before)
    }
  }

  /// Runs the reaction of a guard where the person sees it: in the tab of its coordinator, and over a modal.
  mutating func reactVisibly(to blocker: GuardID) throws(Interruption) -> PendingIntent.Awaited {
    guard let host = state.node(blocker.guardian)?.hostStack else { throw .fault(.guardWithoutCoordinator) }
    let stackBefore = state.visiblePath?.stack.id
    try showTabs(of: host, by: blocker.guardian)
    let isCovered = state.modal(over: host) != nil
    let awaited = try react(to: blocker, in: isCovered ? state.visiblePath?.stack.id : nil)
    // A reaction that opens nothing may lead to another stack, such as that of a tab with the sign-in.
    guard awaited == .nothing, let stack = state.visiblePath?.stack, stack.id != stackBefore,
      let bottom = stack.entries.first
    else { return awaited }
    return .entry(bottom.id)
  }

  func guardsBlockEachOther(_ blocker: GuardID) -> Interruption { fault(of: blocker, .guardsBlockEachOther) }

  /// Returns a fault with the location of a guard.
  func fault(of blocker: GuardID, _ fault: AppFault) -> Interruption {
    guard let node = state.node(blocker.guardian) else { return .fault(.guardWithoutCoordinator) }
    let guarding = app.coordinators[node.coordinator].guards[blocker.index]
    return .fault(.located(fault, at: location(of: node, guarding)))
  }

  /// Carries out the pending intents whose guards pass now, the latest one first. Drops an intent if its coordinator has
  /// ended, if the part that its guard has opened was removed, or if this step has changed what the user agrees to with
  /// the intent.
  mutating func resolvePendingIntents() throws(Interruption) {
    while let pending = livingPending() {
      try countCommand()
      guard !state.isFinished, let node = state.node(pending.guardian), try !changesAgreement(of: pending.content),
        pending.awaited != .answer || state.prompt?.decidesPendingIntent ?? false
      else {
        dropPending()
        continue
      }
      if pending.awaited == .answer { return }
      if pending.awaited != .intent, try !passes(pending.blocker.index, of: node) {
        var awaited = pending.awaited
        guard isGone(&awaited) else {
          state.pending?.awaited = awaited
          return
        }
        guard try hasPassedGuard() else {
          dropPending()
          continue
        }
      }
      // The prompts that are open and that wait come first.
      guard state.prompt == nil, state.queuedPrompts.isEmpty else {
        var waiting = pending
        if pending.awaited == .intent { waiting.origin = state.visibleEntry?.id }
        return goOnWaiting(for: waiting)
      }
      state.pending = nil
      turnsAway = false
      let agreesToLeave = agreesToLeave
      var unfulfilled = self
      do throws(Interruption) {
        (consents, passedGate) = (pending.consents, pending.awaited)
        // The person decides whether to leave a screen, even where an event lets the intent go on.
        if isBackground { self.agreesToLeave = false }
        try attempt { step throws(Interruption) in try step.removePassedGate() }
        unfulfilled = self
        try attempt { step throws(Interruption) in try step.carryOutPending(pending) }
        (self.agreesToLeave, passedGate) = (agreesToLeave, nil)
      } catch {
        revert(to: unfulfilled)
        (self.agreesToLeave, passedGate) = (agreesToLeave, nil)
        consents = pending.consents
        switch error {
        case .guarded(let blocker):
          if let node = state.node(blocker.guardian), try passes(blocker.index, of: node) {
            tell(fault(of: blocker, .intentBreaksGuard).asRejection)
            dropRest()
            continue
          }
          do throws(Interruption) {
            try wait(for: pending.content, behind: blocker)
          } catch .question(let entry) {
            revert(to: unfulfilled)
            return ask(about: entry, before: pending)
          }
        case .question(let entry): return ask(about: entry, before: pending)
        // A sealed screen that an event has opened over the gate comes first.
        case .rejected(.unavailable(.screenIsSealed)): return goOnWaiting(for: pending)
        // The step that made the guard pass stands, even if the intent has become impossible.
        case .rejected(let rejection):
          tell(rejection)
          dropRest()
        case .promptQueueFull, .promptIsOpen: throw error
        }
      }
    }
  }

  /// Keeps an intent whose guard passes for a later step. The gate is removed then.
  private mutating func goOnWaiting(for pending: PendingIntent) {
    state.pending = pending
    if state.owner(of: pending.awaited) == nil { state.pending?.awaited = .nothing }
  }

  /// Returns the first pending intent, after it has dropped those whose guards are gone, at any position: the coordinator
  /// of a guard may end while its intent waits behind others.
  private mutating func livingPending() -> PendingIntent? {
    guard state.hasExtras, !state.pendingIntents.isEmpty else { return nil }
    guard state.pendingIntents.contains(where: { state.node($0.guardian) == nil }) else { return state.pending }
    var (living, isGone): ([PendingIntent], Bool) = ([], false)
    for pending in state.pendingIntents.reversed() {
      isGone = state.node(pending.guardian) == nil || isGone && pending.awaited == .intent
      if !isGone { living.append(pending) }
    }
    state.pendingIntents = living.reversed()
    return state.pending
  }

  private mutating func dropPending() {
    state.pending = nil
    dropRest()
  }

  /// Drops the rest of a link that goes on from an intent that has been dropped.
  private mutating func dropRest() {
    while state.pending?.awaited == .intent { state.pending = nil }
  }

  /// Returns whether a guard passes since this step. The person has not turned away then: the way to the intent may have
  /// several guards, whose order may be that of another version of the app.
  func hasPassedGuard() throws(Interruption) -> Bool {
    let before = presentationBefore
    for node in state.nodes {
      guard let nodeBefore = before.node(node.id) else { continue }
      for index in app.coordinators[node.coordinator].guards.indices {
        if try passes(index, of: node), try !passes(index, of: nodeBefore, in: before.environment) { return true }
      }
    }
    return false
  }

  /// Opens a notice that a pending intent could not be carried out, or that an outcome has refused a form that is gone.
  /// Keeps a fault for the log.
  mutating func tell(_ rejection: Rejection) {
    var reason = ""
    switch rejection {
    case .refused(let failures), .invalidLink(_, .invalidInput(let failures)): reason = failures.reasons
    case .unavailable(.stated(let text)), .invalidLink(_, .unavailable(.stated(let text))): reason = text.string
    case .fault(let fault): state.environment.keep(fault)
    default: break
    }
    if state.prompt == nil { state.prompt = .notice(OpenNotice(id: state.makeID(), reason: reason)) }
  }

  /// Opens the question of an entry that the pending intent leaves. While a prompt is open, the intent goes on waiting.
  private mutating func ask(about entry: EntryID, before pending: PendingIntent) {
    state.pending = pending
    state.pending?.awaited = .nothing
    guard state.prompt == nil else { return }
    state.pending?.awaited = .answer
    state.prompt = .leaving(
      OpenLeaveQuestion(id: state.makeID(), entry: entry, intent: nil, consents: pending.consents, behind: nil))
  }

  private func changesAgreement(of pending: PendingIntent.Content) throws(Interruption) -> Bool {
    guard case .action(let action, _, let origin, _) = pending else { return false }
    return try changesAgreement(to: action.name, at: origin)
  }

  /// Returns whether this step has changed what the user agrees to with an action of the screen at an entry.
  func changesAgreement(to action: String, at entry: EntryID) throws(Interruption) -> Bool {
    try app.agreement(to: action, at: entry, in: presentationBefore) != app.agreement(to: action, at: entry, in: state)
  }

  /// Carries out an intent with the checks of a new one: its input has waited in stored bytes, and its action may be
  /// disabled by now.
  private mutating func carryOutPending(_ pending: PendingIntent) throws(Interruption) {
    switch pending.content {
    case .link(let link, from: 0): try open(link)
    case .link(let link, let step):
      // The part of the link before it has just ended where the rest goes on.
      if pending.awaited != .intent { try uncoverOrigin(of: pending) }
      try open(link, from: step)
    case .steps(let steps, let actor):
      try uncoverOrigin(of: pending)
      if let locked = lockOfVisibleTab, !state.isSelfOrAncestor(locked.coordinator, of: actor) {
        return wait(for: pending.content, behind: locked)
      }
      try follow(steps, by: actor)
    case .action(let action, let input, let origin, let handler):
      guard let action = action.definition(in: app) else { return }
      guard let position = state.position(of: origin) else {
        // The guard has replaced the screen. A coordinator above the handler means something else by the action.
        guard let node = state.node(handler), app.coordinators[node.coordinator].handlers[action.index] != nil else {
          throw .unavailable(.hidden)
        }
        return try perform(action, input, by: handler, in: nil)
      }
      // The action would act under a modal that an event has opened.
      if state.modal(over: position.stack) != nil || !state.visibleStacks.contains(position.stack) {
        try uncover(position)
      }
      try perform(action, input, by: position.entry.owner, in: position.stack, at: position.entry)
    case .move(let intent, let origin):
      // The screen of the move is gone if the guard has replaced it.
      guard let position = state.position(of: origin) else { return }
      try uncover(position)
      try carryOut(intent)
    case .button(let name, let input, let asked):
      guard let action = app.prompts[asked.prompt].actions.first(where: { $0.name == name }) else { return }
      try press(action, input, of: asked)
    }
  }

  /// Shows the screen again from which the rest of an intent goes on.
  fileprivate mutating func uncoverOrigin(of pending: PendingIntent) throws(Interruption) {
    if let origin = pending.origin, let position = state.position(of: origin) { return try uncover(position) }
    try uncover(pending.guardian)
  }

  /// Removes the modal that a guard opened, which covers the screen for the next step.
  private mutating func uncover(_ guardian: NodeID) throws(Interruption) {
    if let node = state.node(guardian), let modal = state.modal(over: node.hostStack) { try removeModal(modal.id) }
  }

  /// Shows an entry again under what its guard or its coordinator has opened, in the tab of the entry.
  mutating func uncover(_ position: (entry: Entry, stack: StackID)) throws(Interruption) {
    try showTabs(of: position.stack, by: position.entry.owner)
    if let modal = state.modal(over: position.stack) { try removeModal(modal.id) }
    try change(position.stack, by: nil) { entries throws(Interruption) in
      entries.cut(from: (entries.firstIndex { $0.id == position.entry.id } ?? entries.count - 1) + 1)
    }
    try settle()
  }

  /// Removes what a guard has opened and its handler has left open, and what lies over it, except for the entries of this
  /// step. No stack becomes empty.
  fileprivate mutating func removePassedGate() throws(Interruption) {
    for stack in state.stacks {
      guard let index = state.stack(stack.id)?.entries.firstIndex(where: isPassedGate) else { continue }
      if let modal = state.modal(over: stack.id) { try removeModal(modal.id) }
      if index > 0 {
        let stays: (Entry) -> Bool = { [self] in isNew(.entry($0.id)) && !isPassedGate($0) }
        try change(stack.id, by: nil) { entries throws(Interruption) in
          let above = entries.cut(from: index)
          entries += above.filter(stays)
          return above.filter { !stays($0) }
        }
      } else if stack.isModal {
        try removeModal(stack.id)
      }
    }
    try endPassedGate()
  }

  /// Ends the coordinator that a guard has started, once it has no entry left. Its parent has not been cancelled: the
  /// guard passes.
  mutating func endPassedGate() throws(Interruption) {
    guard case .coordinator(let id)? = passedGate, state.node(id) != nil else { return }
    let gate = state.subtree(of: id)
    if !state.entries.contains(where: { gate.contains($0.owner) }) { try remove(gate) }
  }
}

extension PendingIntent.Content {
  /// Whether the content is the rest of a link or of followed steps.
  var isRest: Bool {
    switch self {
    case .link(_, from: 0), .action, .button, .move: false
    case .link, .steps: true
    }
  }
}

extension [InvalidInput.Failure] {
  /// The reasons in the words of the app.
  fileprivate var reasons: String {
    compactMap { failure in if case .refused(let reason) = failure.fault.fact { reason.string } else { nil } }
      .joined(separator: " ")
  }
}
