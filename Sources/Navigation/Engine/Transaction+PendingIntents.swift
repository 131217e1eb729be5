internal import Values

// Pending intents: an intent that a guard stops waits, and is carried out once when the guard passes. A further guard or
// a question that it meets then keeps it, and keeps what the user has agreed to leave.
extension Transaction {
  /// Carries out a part of the step, settles and applies the guards. A coordinator of this part that a guard of its own
  /// stops is locked, and the part is carried out again.
  mutating func attempt(_ part: (inout Transaction) throws(Interruption) -> Void) throws(Interruption) {
    let before = self
    while true {
      do throws(Interruption) {
        try part(&self)
        try settle()
        try resolveLockedStarts()
        return try applyGuards()
      } catch .guarded(let guardian, let index) where guardian.rawValue >= before.state.nextID {
        // Ids are given in order, so the coordinator gets the same one again.
        var failing = locking[guardian] ?? []
        guard isLockable(guardian), !failing.contains(index) else { throw guardsBlockEachOther(guardian, index) }
        failing.append(index)
        revert(to: before)
        locking[guardian] = failing
      }
    }
  }

  /// Returns to an earlier point of the step. The commands since then count on.
  mutating func revert(to earlier: Transaction) {
    let failed = self
    self = earlier
    takeCount(of: failed)
  }

  /// Runs the reaction of a failing guard, and keeps the intent for later. If the reaction meets a guard, the intent waits
  /// behind that one.
  mutating func wait(
    for pending: PendingIntent.Content?, behind guardian: NodeID, index: Int,
    after earlier: [(guardian: NodeID, index: Int)] = []
  ) throws(Interruption) {
    guard !earlier.contains(where: { $0 == (guardian, index) }) else { throw guardsBlockEachOther(guardian, index) }
    if case .link(_, from: 0) = pending { try returnToRoot() }
    let before = self
    do throws(Interruption) {
      var awaited = PendingIntent.Awaited.nothing
      try attempt { step throws(Interruption) in awaited = try step.react(toGuard: index, of: guardian) }
      guard let pending else { return }
      state.pending = PendingIntent(
        content: pending, guardian: guardian, guardIndex: index, awaited: awaited, consents: consents)
    } catch .guarded(let next, let nextIndex) {
      revert(to: before)
      try wait(for: pending, behind: next, index: nextIndex, after: earlier + [(guardian, index)])
    }
  }

  func guardsBlockEachOther(_ guardian: NodeID, _ index: Int) -> Interruption {
    fault(ofGuard: index, of: guardian, AppFault.guardsBlockEachOther(place:))
  }

  /// Returns a fault that names a guard.
  func fault(ofGuard index: Int, of guardian: NodeID, _ make: (String) -> AppFault) -> Interruption {
    guard let node = state.node(guardian) else { return .fault(.guardWithoutCoordinator) }
    return .fault(make(place(of: node, app.coordinators[node.coordinator].guards[index])))
  }

  /// Carries out the pending intent if its guard passes now. Drops it if its coordinator has ended, or if this step has
  /// changed what the user agrees to with it.
  mutating func resolvePendingIntent() throws(Interruption) {
    while let pending = state.pending {
      try countCommand()
      guard !state.isFinished, let node = state.node(pending.guardian), try !changesAgreement(of: pending.content),
        pending.awaited != .answer || state.prompt?.decidesPendingIntent ?? false
      else {
        state.pending = nil
        return
      }
      if pending.awaited == .answer { return }
      guard try passes(pending.guardIndex, of: node) else { return waitOn(pending) }
      state.pending = nil
      let unfulfilled = self
      do throws(Interruption) {
        consents = pending.consents
        try attempt { step throws(Interruption) in try step.carryOutPending(pending.content, of: pending.guardian) }
      } catch {
        revert(to: unfulfilled)
        consents = pending.consents
        switch error {
        case .guarded(let guardian, let index):
          do throws(Interruption) {
            try wait(for: pending.content, behind: guardian, index: index)
          } catch .question(let entry) {
            revert(to: unfulfilled)
            return ask(about: entry, before: pending)
          }
        case .question(let entry): return ask(about: entry, before: pending)
        // The step that made the guard pass stands, even if the intent has become impossible.
        case .rejected: return
        case .promptQueueFull: throw error
        }
      }
    }
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
    guard case .action(let name, _, let origin) = pending else { return false }
    return try changesAgreement(to: name, at: origin)
  }

  /// Returns whether this step has changed what the user agrees to with an action of the screen at an entry.
  func changesAgreement(to action: String, at entry: EntryID) throws(Interruption) -> Bool {
    try app.agreement(to: action, at: entry, in: earlier) != app.agreement(to: action, at: entry, in: state)
  }

  /// Drops the pending intent if the awaited part has been removed.
  private mutating func waitOn(_ pending: PendingIntent) {
    var awaited = pending.awaited
    if isGone(&awaited) { state.pending = nil } else { state.pending?.awaited = awaited }
  }

  /// Carries out an intent with the checks of a new one: its input has waited in stored bytes, and its action may be
  /// disabled by now.
  private mutating func carryOutPending(
    _ pending: PendingIntent.Content, of guardian: NodeID
  ) throws(Interruption) {
    switch pending {
    case .link(let link, from: 0): try open(link)
    case .link(let link, let step):
      // The modal that the guard opened covers the screen for the next step.
      if let node = state.node(guardian), let modal = state.modal(over: node.hostStack) { try removeModal(modal.id) }
      try open(link, from: step)
    case .action(let name, let input, let origin):
      guard let place = state.place(of: origin), let screen = place.entry.screen,
        let action = app.screens[screen].actions.first(where: { $0.name == name })
      else { return }
      try perform(action, input, by: place.entry.owner, in: place.stack, at: place.entry)
    case .button(let name, let input, let asked):
      guard let action = app.prompts[asked.prompt].actions.first(where: { $0.name == name }) else { return }
      try press(action, input, of: asked)
    }
  }
}
