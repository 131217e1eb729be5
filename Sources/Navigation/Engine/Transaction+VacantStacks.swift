// Vacant stacks: guards may remove the last screen of the root stack or of a tab, and no stack stays empty. The
// coordinator that lives there starts again. While a guard prevents that, the stack shows the replacement that the
// guard's `otherwise` opens.
extension Transaction {
  /// Fills every vacant stack. Returns false if there is none.
  mutating func fillVacantStacks() throws(Interruption) -> Bool {
    guard !state.isFinished else { return false }
    var isChanged = false
    if state.root.entries.isEmpty, let root = state.nodes.first { isChanged = try fill(root) }
    for id in vacantTabRoots {
      // The previous tab may have filled or ended this one.
      guard vacantTabRoots.contains(id), let node = state.node(id) else { continue }
      if try fill(node) { isChanged = true }
    }
    for locked in state.lockedStarts {
      guard let node = state.node(locked.coordinator), state.livesInStack(node), try isUnlocked(node) else { continue }
      if try fill(node) { isChanged = true }
    }
    return isChanged
  }

  /// Returns whether the guard passes now that the coordinator waits for.
  private func isUnlocked(_ node: Node) throws(Interruption) -> Bool {
    guard let locked = state.lockedStarts.first(where: { $0.coordinator == node.id }),
      let guardian = state.node(locked.guardian)
    else { return false }
    return try passes(locked.blocker.index, of: guardian)
  }

  /// The coordinator that waits for its start in a visible tab, which shows the reaction of the guard, perhaps with a modal
  /// over it. No later step of an intent may reveal the part behind it.
  var lockOfVisibleTab: LockedStart? {
    guard state.hasExtras, !state.lockedStarts.isEmpty else { return nil }
    let tabs = state.visibleStacks.dropFirst().compactMap { state.stack($0) }.filter { !$0.isModal }
    return tabs.lazy.compactMap { lockedStart(filling: $0) }.last
  }

  /// Returns whether the stack shows the reaction of a guard instead of the coordinator that lives there.
  func showsReaction(_ stack: StackID) -> Bool { state.stack(stack).flatMap { lockedStart(filling: $0) } != nil }

  /// Fills the stack of a coordinator. Returns false if a guard prevents the start and the stack shows its reaction
  /// already. Entries that this step has put over the gate stay once its guard passes.
  private mutating func fill(_ node: Node) throws(Interruption) -> Bool {
    try countCommand()
    let isUnlocked = try isUnlocked(node)
    let shown = state.stack(node.hostStack)?.entries ?? []
    let added = isUnlocked ? shown.filter { $0.id.rawValue >= firstNewID } : []
    var attempt = self
    let obstacle = try attempt.restart(node)
    if obstacle == nil || shown.isEmpty || isUnlocked {
      self = attempt
    } else {
      takeCounts(of: attempt)
      return false
    }
    let locks = state.lockedStarts.filter { $0.coordinator == node.id }
    state.lockedStarts.removeAll { $0.coordinator == node.id }
    if let obstacle, isEmpty(node.hostStack) {
      let shown = try showReplacement(of: obstacle, in: node.hostStack)
      let awaited = reaction(inStackOf: node) ?? .nothing
      state.lockedStarts.append(LockedStart(coordinator: node.id, blocker: shown, awaited: awaited))
    }
    for locked in locks {
      let next = state.lockedStarts.last { $0.coordinator == node.id }
      if next != nil || obstacle == nil { resume(after: locked, in: node.hostStack, behind: next) }
    }
    if let index = state.stackIndex(node.hostStack) {
      // A coordinator may have ended meanwhile.
      state.stacks[index].entries += added.filter { state.node($0.owner) != nil }
    }
    try settle()
    guard !isEmpty(node.hostStack) else {
      throw .fault(.located(.stackRestartsEmpty, at: location(of: node)))
    }
    return true
  }

  /// Returns the part that the stack of a coordinator shows instead: the coordinator or the screen at its bottom, which
  /// the user cannot remove.
  func reaction(inStackOf node: Node) -> PendingIntent.Awaited? {
    guard let bottom = state.stack(node.hostStack)?.entries.first, let owner = state.node(bottom.owner) else {
      return nil
    }
    return owner.hostStack == node.hostStack && owner.id != node.id ? .coordinator(owner.id) : .entry(bottom.id)
  }

  /// Starts a coordinator in its vacant stack, without the entries that guards protect.
  ///
  /// - Returns: the guard that leaves the stack empty, if there is one.
  private mutating func restart(_ node: Node) throws(Interruption) -> GuardID? {
    if let index = state.stackIndex(node.hostStack) { state.stacks[index].entries = [] }
    let first = firstNewID
    state.removeDetachedStacks { $0.covered == node.hostStack && $0.id.rawValue < first }
    if let parent = node.parent, let failing = try failingGuard(of: node.coordinator, under: parent) { return failing }
    try runStart(of: node)
    while let breach = try firstBreach() {
      try countCommand()
      if isLockable(breach.blocker.guardian) { throw .guarded(by: breach.blocker) }
      try removeProtected(breach.protected)
      if isEmpty(node.hostStack) { return breach.blocker }
      try settle()
    }
    return nil
  }

  /// Runs the reaction of a guard in a vacant stack. If the reaction meets a guard, that one reacts instead.
  ///
  /// - Returns: the guard that reacted.
  private mutating func showReplacement(
    of obstacle: GuardID, in stack: StackID, after earlier: [GuardID] = []
  ) throws(Interruption) -> GuardID {
    guard !earlier.contains(obstacle) else { throw guardsBlockEachOther(obstacle) }
    state.updateTab(of: stack) { $0.tabs[$1].badge = nil }
    let before = self
    try react(to: obstacle, in: stack)
    guard let breach = try firstBreach(), isNew(breach.protected) else { return obstacle }
    if isLockable(breach.blocker.guardian) { throw .guarded(by: breach.blocker) }
    revert(to: before)
    return try showReplacement(of: breach.blocker, in: stack, after: earlier + [obstacle])
  }
}

extension SessionState {
  /// Returns whether the coordinator is the root of the session or of a tab, and starts again in its stack.
  func livesInStack(_ node: Node) -> Bool { node.parent == nil || isTabRoot(node) }
}
