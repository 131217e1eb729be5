internal import Values

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
    return isChanged
  }

  /// Makes the link the pending intent if the visible tab is locked. Such a tab shows the replacement of the guard, and
  /// no later step may reveal the part behind it. Returns whether the link waits.
  mutating func waitInLockedTab(for link: String) throws(Interruption) -> Bool {
    guard let stack = visibleTab else { return false }
    if wait(for: link, behindLockedStartIn: stack) { return true }
    guard let node = vacantRoot(of: stack) else { return false }
    return try wait(for: link, behindReplacementIn: stack, of: node)
  }

  /// Returns the guard that fails for the visible tab, which shows the replacement of the guard; nil if none does.
  func lockOfVisibleTab() throws(Interruption) -> (guardian: NodeID, index: Int)? {
    guard let stack = visibleTab, let node = vacantRoot(of: stack) else { return nil }
    var attempt = self
    return try attempt.restart(node)
  }

  private var visibleTab: Stack? {
    state.visiblePath?.tabBar.flatMap { bar in state.stack(bar.tabs[bar.selected].stack) }
  }

  private func vacantRoot(of tab: Stack) -> Node? {
    vacantTabRoots.first { state.node($0)?.hostStack == tab.id }.flatMap { state.node($0) }
  }

  /// Makes the link the pending intent if the root stack shows the replacement of a guard instead of the first screen of
  /// the app. Returns whether the link waits.
  mutating func waitInLockedRoot(for link: String) throws(Interruption) -> Bool {
    guard app.hasGuards, let root = state.nodes.first else { return false }
    if wait(for: link, behindLockedStartIn: state.root) { return true }
    return try wait(for: link, behindReplacementIn: state.root, of: root)
  }

  /// Makes the link the pending intent. Returns false if the stack does not show the reaction of a guard in place of a
  /// coordinator that has not started.
  private mutating func wait(for link: String, behindLockedStartIn stack: Stack) -> Bool {
    guard let locked = lockedStart(filling: stack) else { return false }
    wait(for: .link(link, from: 0), behind: locked)
    return true
  }

  /// Makes the link the pending intent. Returns false if no guard prevents the coordinator from starting in the stack.
  private mutating func wait(
    for link: String, behindReplacementIn stack: Stack, of node: Node
  ) throws(Interruption) -> Bool {
    var attempt = self
    guard let obstacle = try attempt.restart(node), let guardian = state.node(obstacle.guardian),
      let replacement = stack.entries.first
    else { return false }
    let occupant = state.node(replacement.owner).flatMap { $0.hostStack == stack.id && $0.id != node.id ? $0.id : nil }
    state.pending = PendingIntent(
      content: .link(link, from: 0), guardian: guardian.id, guardIndex: obstacle.index,
      awaited: occupant.map { .coordinator($0) } ?? .entry(replacement.id), consents: consents)
    return true
  }

  /// Returns whether the stack has shown the reaction of a guard in place of the coordinator that lives there.
  func showsReaction(_ stack: StackID) throws(Interruption) -> Bool {
    guard app.hasGuards, let shown = state.stack(stack) else { return false }
    if lockedStart(filling: shown) != nil { return true }
    let before = earlier
    if before.tabRoots(among: before.idleNodes).contains(where: { before.node($0)?.hostStack == stack }) { return true }
    guard stack == before.root.id, let root = before.nodes.first, !isCreation else { return false }
    var attempt = Transaction(app: app, state: before, stamp: state.environment.stamp)
    return try attempt.restart(root) != nil
  }

  /// Fills the stack of a coordinator. Returns false if a guard prevents the start and the stack shows its replacement
  /// already.
  private mutating func fill(_ node: Node) throws(Interruption) -> Bool {
    try countCommand()
    let hasReplacement = !isEmpty(node.hostStack)
    var attempt = self
    let obstacle = try attempt.restart(node)
    if obstacle == nil || !hasReplacement {
      self = attempt
    } else {
      // The commands of the failed attempt count too.
      takeCount(of: attempt)
      return false
    }
    if let obstacle, isEmpty(node.hostStack) { try showReplacement(of: obstacle, in: node.hostStack) }
    try settle()
    guard !isEmpty(node.hostStack) else {
      throw .fault(.stackRestartsEmpty(place: place(of: node)))
    }
    return true
  }

  /// Starts a coordinator in its vacant stack, without the entries that guards protect.
  ///
  /// - Returns: the guard that leaves the stack empty, if there is one.
  private mutating func restart(_ node: Node) throws(Interruption) -> (guardian: NodeID, index: Int)? {
    if let parent = node.parent, let failing = try failingGuard(of: node.coordinator, under: parent) { return failing }
    if let index = state.stackIndex(node.hostStack) { state.stacks[index].entries = [] }
    state.removeDetachedStacks { $0.covered == node.hostStack }
    try runStart(of: node)
    while let breach = try firstBreach() {
      try countCommand()
      if isLockable(breach.guardian) { throw .guarded(by: breach.guardian, index: breach.index) }
      try removeProtected(breach.protected)
      if isEmpty(node.hostStack) { return (breach.guardian, breach.index) }
      try settle()
    }
    return nil
  }

  /// Runs the reaction of a guard in a vacant stack. If the reaction meets a guard, that one reacts instead.
  private mutating func showReplacement(
    of obstacle: (guardian: NodeID, index: Int), in stack: StackID,
    after earlier: [(guardian: NodeID, index: Int)] = []
  ) throws(Interruption) {
    guard let guardian = state.node(obstacle.guardian) else {
      throw .fault(.guardWithoutCoordinator)
    }
    guard !earlier.contains(where: { $0 == obstacle }) else {
      throw guardsBlockEachOther(obstacle.guardian, obstacle.index)
    }
    state.updateTabBar(where: { $1.index(of: stack) != nil }) { bar in
      if let index = bar.index(of: stack) { bar.tabs[index].badge = nil }
    }
    let before = self
    try react(toGuard: obstacle.index, of: guardian.id, in: stack)
    guard let breach = try firstBreach(), isNew(breach.protected) else { return }
    if isLockable(breach.guardian) { throw .guarded(by: breach.guardian, index: breach.index) }
    revert(to: before)
    try showReplacement(of: (breach.guardian, breach.index), in: stack, after: earlier + [obstacle])
  }
}
