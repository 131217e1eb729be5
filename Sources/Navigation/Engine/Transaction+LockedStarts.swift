// Locked starts: a coordinator whose start would show a part that a guard of its own protects is alive, shows the
// reaction of the guard, and starts once the guard passes. Its parent and its position in the tree are those that it
// would have had without the guard. Root coordinators of sessions and tabs start in their stacks, which are vacant without
// them.
extension Transaction {
  /// Whether a coordinator was started by this step, and can wait for its start.
  func isLockable(_ id: NodeID) -> Bool {
    guard id.rawValue >= firstNewID, let node = state.node(id) else { return false }
    return node.parent != nil && !state.isTabRoot(node)
  }

  /// Shows the reaction of a guard instead of the start of a coordinator.
  mutating func lock(_ id: NodeID, behind blocker: GuardID) throws(Interruption) {
    // The reaction of an ancestor fills the stack of the coordinator if nothing else does.
    let stack = state.node(id).map(\.hostStack).flatMap { isEmpty($0) ? $0 : nil }
    waitingGuardian = blocker.guardian
    let awaited = try react(to: blocker, in: stack)
    waitingGuardian = nil
    // The reaction may have ended the coordinator.
    guard state.node(id) != nil else { return }
    // A start whose guard has opened nothing has no screen, so the latest one replaces it.
    if awaited == .nothing { try endLockedStarts { $0.awaited == .nothing } }
    state.lockedStarts.append(LockedStart(coordinator: id, blocker: blocker, awaited: awaited))
  }

  /// Starts the locked coordinators whose guard passes now. Ends those whose guard fails and has lost the part that it
  /// opened.
  mutating func resolveLockedStarts() throws(Interruption) {
    var index = 0
    while index < state.lockedStarts.count, !state.isFinished {
      try countCommand()
      let locked = state.lockedStarts[index]
      guard let node = state.node(locked.coordinator), let guardian = state.node(locked.guardian),
        state.stack(node.hostStack) != nil
      else {
        // A coordinator without its stack ends as the step settles.
        state.lockedStarts.remove(at: index)
        try settle()
        index = 0
        continue
      }
      // ``fillVacantStacks()`` starts a root coordinator. Its lock awaits what its stack shows.
      guard !state.livesInStack(node) else {
        var awaited = locked.awaited
        if isGone(&awaited), let reaction = reaction(inStackOf: node) { state.lockedStarts[index].awaited = reaction }
        index += 1
        continue
      }
      var awaited = locked.awaited
      var starts = try passes(locked.blocker.index, of: guardian)
      let isGone = !starts && isGone(&awaited)
      if isGone { starts = try hasPassedGuard() }
      if starts {
        state.lockedStarts.remove(at: index)
        let firstNewID = state.nextID
        try startLocked(node)
        // The gate lies under the first screens, and may be the bottom of the stack.
        passedGate = locked.awaited
        state.removeEntries(where: isPassedGate)
        try endPassedGate()
        passedGate = nil
        // The rest of a link waits for all that the start waits for.
        let again = state.lockedStarts.last { $0.coordinator == node.id }
        resume(after: locked, in: node.hostStack, behind: again ?? lockedStart(since: firstNewID))
      } else if isGone {
        try endLockedStarts { $0.coordinator == node.id }
      } else {
        state.lockedStarts[index].awaited = awaited
        index += 1
        continue
      }
      try settle()
      index = 0
    }
  }

  /// Lets the rest of a link or of followed steps go on from where a coordinator has started, or wait for the next locked
  /// one.
  mutating func resume(after locked: LockedStart, in stack: StackID, behind next: LockedStart?) {
    let origin = state.stack(stack)?.entries.last?.id
    for index in state.pendingIntents.indices where state.pendingIntents[index].waits(for: locked) {
      if let next {
        (state.pendingIntents[index].blocker, state.pendingIntents[index].awaited) = (next.blocker, next.awaited)
      } else if state.pendingIntents[index].origin == nil {
        state.pendingIntents[index].origin = origin
      }
    }
  }

  /// Ends coordinators that have not started, as if they were cancelled.
  private mutating func endLockedStarts(where isEnded: (LockedStart) -> Bool) throws(Interruption) {
    for locked in state.lockedStarts where isEnded(locked) {
      guard let node = state.node(locked.coordinator), node.parent != nil else { continue }
      try remove(state.subtree(of: node.id))
      deliveries.append(Delivery(child: node))
    }
  }

  /// Keeps an intent until a coordinator has started.
  mutating func wait(for pending: PendingIntent.Content, behind locked: LockedStart) {
    keep(PendingIntent(content: pending, blocker: locked.blocker, awaited: locked.awaited, consents: consents))
  }

  /// Returns the last of the locked coordinators that were made since an id and share their stack. The next commands on
  /// that stack wait for the start.
  func lockedStart(since id: UInt32) -> LockedStart? {
    guard state.hasExtras else { return nil }
    return state.lockedStarts.last { locked in
      locked.coordinator.rawValue >= id && state.node(locked.coordinator).map { !state.livesInStack($0) } ?? false
    }
  }

  /// Returns the locked coordinator whose guard has filled the stack with its reaction; nil if there is none.
  func lockedStart(filling stack: Stack) -> LockedStart? {
    guard let owner = stack.entries.first?.owner else { return nil }
    return state.lockedStarts.first { locked in
      guard let node = state.node(locked.coordinator), node.hostStack == stack.id else { return false }
      return state.livesInStack(node) || state.isSelfOrAncestor(node.id, of: owner)
    }
  }

  /// Starts a coordinator that was locked. Another guard that it meets locks it again.
  private mutating func startLocked(_ node: Node) throws(Interruption) {
    let unstarted = self
    do throws(Interruption) {
      // The guard that passes is the decision of the app, and not a slip of the user.
      agreesToLeave = true
      try attempt { step throws(Interruption) in try step.runStart(of: node) }
      agreesToLeave = unstarted.agreesToLeave
    } catch .guarded(let blocker) {
      revert(to: unstarted)
      try lock(node.id, behind: blocker)
    }
  }

  /// Runs the start of a coordinator.
  mutating func runStart(of node: Node) throws(Interruption) {
    let definition = app.coordinators[node.coordinator].definition
    let environment = state.environment
    var value = node.state
    let commands = try app.calling(node.coordinator, "start") { try definition.start(&value, environment) }
    if !value.isSame(as: node.state), let index = state.nodeIndex(node.id) { state.nodes[index].state = value }
    try apply(commands, by: node.id, in: node.hostStack, of: HandlerName("start"))
  }
}

extension PendingIntent {
  /// Whether the intent is the rest of a link or of followed steps, which go on once the coordinator has started.
  fileprivate func waits(for locked: LockedStart) -> Bool {
    content.isRest && awaited == locked.awaited && blocker == locked.blocker
  }
}
