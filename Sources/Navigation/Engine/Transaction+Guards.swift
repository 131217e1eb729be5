// Guards, evaluated over every live entry at commit: a protected coordinator or screen has no entry while its guard
// fails.
extension Transaction {
  /// Stops a step that would show a protected entry, removes entries whose guard has begun to fail, and fills the
  /// stacks that are empty without them. Returns whether coordinators wait for their start and parts have been removed.
  @discardableResult
  mutating func applyGuards() throws(Interruption) -> Bool {
    guard app.hasGuards || !vacantTabRoots.isEmpty || state.root.entries.isEmpty else { return false }
    var hasRemoved = false
    repeat {
      while let breach = try firstBreach() {
        try countCommand()
        if isNew(breach.protected), try stops(at: breach) { throw .guarded(by: breach.blocker) }
        try removeProtected(breach.protected)
        hasRemoved = true
        if consequencesFrom == nil { consequencesFrom = state.nextID }
        try settle()
      }
    } while try fillVacantStacks()
    (guardedUpTo, consequencesFrom) = (state.nextID, nil)
    return hasRemoved && !state.lockedStarts.isEmpty
  }

  /// Returns whether the step ends at a breach. Otherwise the protected part is left out: before the first commit of a
  /// session there is no screen to return to, a new tab bar shows its other tabs, and the consequences of a guard are
  /// not requests of the user.
  private func stops(at breach: Breach) throws(Interruption) -> Bool {
    if isLockable(breach.blocker.guardian) { return true }
    return !isCreation && !isInNewTabBar(breach.protected) && !isConsequence(breach.protected)
  }

  private func isConsequence(_ protected: Protected) -> Bool { consequencesFrom.map { protected.id >= $0 } ?? false }

  /// Removes protected entries regardless of their leave policies, with the entries that the user has opened over them,
  /// such as a list with its details. Entries that this step itself has put over them stay.
  mutating func removeProtected(_ protected: Protected) throws(Interruption) {
    let (first, isFresh) = (firstNewID, isNew(protected))
    // The reaction of the guard may lie over its own consequences.
    let isAbove: (Entry) -> Bool = isConsequence(protected) ? { _ in false } : { isFresh || $0.id.rawValue < first }
    switch protected {
    case .entry(let id):
      state.removeEntries(including: isAbove) { $0.id == id }
    case .node(let id):
      guard let node = state.node(id), node.parent != nil else { return }
      let subtree = state.subtree(of: id)
      let staying = state.nodes.filter { !subtree.contains($0.id) }
      state.removeEntries(including: isAbove, keeping: { id in staying.contains { $0.hostStack == id } }) {
        subtree.contains($0.owner)
      }
      state.closePrompts(of: subtree)
      // The root coordinator of a tab lives as long as the tab, and starts again in it.
      guard !state.isTabRoot(node) else {
        if state.hasExtras { state.lockedStarts.removeAll { subtree.contains($0.coordinator) } }
        return
      }
      // A parent that starts the child again whenever it ends would do so for ever.
      let isConsequence = isConsequence(protected)
      try remove(subtree)
      if !isConsequence { deliveries.append(Delivery(child: node)) }
    }
  }

  /// Returns the first guard that fails for the start of a coordinator; nil if all pass.
  func failingGuard(of coordinator: Int, under parent: NodeID) throws(Interruption) -> GuardID? {
    guard app.hasGuards else { return nil }
    for guardian in state.path(to: parent) {
      for (index, guarding) in app.coordinators[guardian.coordinator].guards.enumerated() {
        let isGuarded = guarding.protectedName == DeclaredName(kind: .coordinator, index: coordinator)
        guard isGuarded, try !passes(index, of: guardian) else { continue }
        return GuardID(guardian: guardian.id, index: index)
      }
    }
    return nil
  }

  /// - Parameter environment: the environment of the guard; nil for the one of this step.
  func passes(_ index: Int, of node: Node, in environment: SessionEnvironment? = nil) throws(Interruption) -> Bool {
    let registered = app.coordinators[node.coordinator].guards[index]
    return try app.calling(node.coordinator, "guard of", app.crashName(of: registered.protectedName)) {
      try registered.definition.passes(node.state, environment ?? state.environment)
    }
  }

  /// Returns a live coordinator or screen whose guard fails; nil in every state that this app has committed.
  func exposedName() throws(Interruption) -> DeclaredName? {
    var step = self
    step.vacantTabRoots = state.tabRoots(among: state.idleNodes)
    guard let blocker = try step.firstBreach()?.blocker, let guardian = state.node(blocker.guardian) else { return nil }
    return app.coordinators[guardian.coordinator].guards[blocker.index].protectedName
  }

  enum Protected {
    case node(NodeID)
    case entry(EntryID)

    fileprivate var id: UInt32 {
      switch self {
      case .node(let id): id.rawValue
      case .entry(let id): id.rawValue
      }
    }
  }

  struct Breach {
    let blocker: GuardID
    let protected: Protected
  }

  func isNew(_ protected: Protected) -> Bool { protected.id >= firstNewID }

  /// The tab bars that this step has made since it last applied the guards.
  var unguardedTabBars: [TabBar] {
    state.entries.filter { $0.id.rawValue >= guardedUpTo }.compactMap(\.tabBar)
  }

  /// Returns whether the entry or coordinator lies in a tab bar that this step has made since it last applied the guards.
  private func isInNewTabBar(_ protected: Protected) -> Bool {
    let inside = unguardedTabBars.flatMap(\.tabs).flatMap { state.stacks.inAndOver($0.stack) }
    return switch protected {
    case .node(let id): inside.contains { $0.id == state.node(id)?.hostStack }
    case .entry(let id): inside.contains { $0.entries.contains { $0.id == id } }
    }
  }

  func firstBreach() throws(Interruption) -> Breach? {
    for guardian in state.nodes {
      for (index, guarding) in app.coordinators[guardian.coordinator].guards.enumerated() {
        guard let protected = firstProtected(by: guarding, under: guardian.id) else { continue }
        if try !passes(index, of: guardian) {
          return Breach(blocker: GuardID(guardian: guardian.id, index: index), protected: protected)
        }
      }
    }
    return nil
  }

  private func firstProtected(by guarding: RegisteredGuard, under guardian: NodeID) -> Protected? {
    let protected = guarding.protectedName
    if protected.kind == .screen {
      return state.entries.first { entry in
        entry.screen == protected.index && state.isSelfOrAncestor(guardian, of: entry.owner)
      }.map { .entry($0.id) }
    }
    return state.nodes.first { node in
      node.coordinator == protected.index && state.isSelfOrAncestor(guardian, of: node.id)
        && !vacantTabRoots.contains(node.id)
    }.map { .node($0.id) }
  }

  /// Runs the reaction of a failing guard, and returns the part that it opened.
  ///
  /// In a stack that is empty a modal would cover nothing, so it becomes the stack itself.
  ///
  /// - Parameter stack: the stack for its commands; nil for the one that its coordinator was started in.
  @discardableResult
  mutating func react(
    to blocker: GuardID, in stack: StackID? = nil
  ) throws(Interruption) -> PendingIntent.Awaited {
    guard let node = state.node(blocker.guardian) else { throw .fault(.guardWithoutCoordinator) }
    let guarding = app.coordinators[node.coordinator].guards[blocker.index]
    let (stack, firstNewID) = (stack ?? node.hostStack, state.nextID)
    let isVacant = isEmpty(stack)
    if isVacant { vacantStack = stack }
    try react(
      node.id, in: stack, "guard of", app.crashName(of: guarding.protectedName), guarding.definition.otherwise)
    if isVacant {
      vacantStack = nil
      guard !isEmpty(stack) else { throw .fault(.located(.guardLeavesStackEmpty, at: location(of: node, guarding))) }
    }
    return state.awaited(madeSince: firstNewID)
  }

  func isEmpty(_ stack: StackID) -> Bool { state.stack(stack)?.entries.isEmpty ?? false }

  /// Returns the location of a coordinator for the author of the app.
  func location(of node: Node) -> String { "\(app.name) › \(app.name(of: node))" }

  func location(of guardian: Node, _ guarding: RegisteredGuard) -> String {
    "\(location(of: guardian)) › guard of \(app.schema(of: guarding.protectedName).name)"
  }

  /// Lets what waits for a part that a guard opened wait for the part that replaces it.
  mutating func handOver(_ isReplaced: (PendingIntent.Awaited) -> Bool, to next: PendingIntent.Awaited) {
    for index in state.pendingIntents.indices where isReplaced(state.pendingIntents[index].awaited) {
      state.pendingIntents[index].awaited = next
    }
    for index in state.lockedStarts.indices where isReplaced(state.lockedStarts[index].awaited) {
      state.lockedStarts[index].awaited = next
    }
  }

  /// Whether an entry belongs to what a guard has opened that passes by now.
  func isPassedGate(_ entry: Entry) -> Bool {
    switch passedGate {
    case .entry(let id): entry.id == id
    case .coordinator(let id): state.isSelfOrAncestor(id, of: entry.owner)
    default: false
    }
  }

  /// Returns whether a part that a guard opened has been removed. A screen that its coordinator removes, and a prompt that
  /// is closed, hand over to the part that this step has opened.
  func isGone(_ awaited: inout PendingIntent.Awaited) -> Bool {
    switch awaited {
    case .coordinator(let id): return state.node(id) == nil
    case .entry(let id):
      guard state.position(of: id) == nil else { return false }
      let owner = presentationBefore.position(of: id).flatMap { state.node($0.entry.owner) }
      guard owner != nil, isBackground || action != nil else { return true }
    case .prompt: guard state.prompt == nil, state.queuedPrompts.isEmpty else { return false }
    case .answer, .nothing, .intent: return false
    }
    awaited = state.awaited(madeSince: firstNewID)
    return awaited == .nothing
  }
}

extension SessionState {
  /// Returns the coordinator that a guard has started, or the owner of the screen that it has shown; nil if the guard has
  /// opened something else, or if the part is gone.
  func owner(of awaited: PendingIntent.Awaited) -> NodeID? {
    switch awaited {
    case .coordinator(let id): node(id)?.id
    case .entry(let id): entry(id)?.owner
    case .prompt, .answer, .nothing, .intent: nil
    }
  }

  /// Returns the first of the parts that a guard opened, whose ids begin with `id`.
  func awaited(madeSince id: UInt32) -> PendingIntent.Awaited {
    let node = nodes.first { $0.id.rawValue >= id }
    let entry = entries.map(\.id).filter { $0.rawValue >= id }.min()
    return switch (node, entry) {
    case (let node?, let entry) where entry.map { node.id.rawValue < $0.rawValue } ?? true: .coordinator(node.id)
    case (_, let entry?): .entry(entry)
    default: prompt == nil ? .nothing : .prompt
    }
  }
}
