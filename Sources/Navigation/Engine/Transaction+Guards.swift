internal import Values

/// Guards, looked at over every live entry at commit: what a guard protects has no entry while the guard fails.
extension Transaction {
  /// Stops a step that would show something protected, takes away what has lost its protection, and fills the stacks that are
  /// empty without it.
  mutating func applyGuards() throws(Interruption) {
    guard app.hasGuards || !vacantTabRoots.isEmpty else { return }
    repeat {
      while let breach = try firstBreach() {
        try countCommand()
        // Before a session's first commit nothing shows that the user could be sent back to, and a new tab bar shows its other tabs.
        if isNew(breach.protected), !isCreation, !isInNewTabBar(breach.protected) {
          throw .guarded(by: breach.guardian, index: breach.index)
        }
        removeProtected(breach.protected)
        try settle()
      }
    } while try fillVacantStacks()
  }

  /// Removes what a guard protects, whatever the leave policies, with what the user has opened over it: a list takes its details
  /// along. What this step itself has put over it stays.
  mutating func removeProtected(_ protected: Protected) {
    let (first, isFresh) = (firstNewID, isNew(protected))
    let isOver: (Entry) -> Bool = { isFresh || $0.id.rawValue < first }
    switch protected {
    case .entry(let id):
      state.root.removeEntries(withCover: isOver) { $0.id == id }
    case .node(let id):
      guard let node = state.node(id), let parent = node.parent else { return }
      let subtree = state.subtree(of: id)
      let staying = state.nodes.filter { !subtree.contains($0.id) }
      state.root.removeEntries(withCover: isOver, keeping: { id in staying.contains { $0.hostStack == id } }) {
        subtree.contains($0.owner)
      }
      if let asked = state.prompt?.asked, subtree.contains(asked.owner) { state.prompt = nil }
      // The root coordinator of a tab lives as long as the tab, and starts again in it.
      guard !state.isTabRoot(node) else { return }
      remove(subtree)
      deliveries.append(.cancelled(parent: parent, coordinator: node.coordinator))
    }
  }

  /// The guard that keeps a coordinator from being started by another one; nil where all pass.
  func failingGuard(of coordinator: Int, under parent: NodeID) throws(Interruption) -> (guardian: NodeID, index: Int)? {
    guard app.hasGuards else { return nil }
    for guardian in state.path(to: parent) {
      for (index, guarding) in app.coordinators[guardian.coordinator].guards.enumerated() {
        guard case .coordinator(coordinator) = guarding.protected, try !passes(index, of: guardian) else { continue }
        return (guardian.id, index)
      }
    }
    return nil
  }

  func passes(_ index: Int, of node: Node) throws(Interruption) -> Bool {
    let registered = app.coordinators[node.coordinator].guards[index]
    return try app.calling(node.coordinator, "guard of", app.crashName(of: registered.protectedName)) {
      try registered.definition.passes(node.state, state.environment)
    }
  }

  /// Something alive that a guard protects and does not let pass; nil in every state that this app has committed.
  func exposedName() throws(Interruption) -> DeclaredName? {
    var step = self
    step.vacantTabRoots = state.tabRoots(among: state.idleNodes)
    guard let breach = try step.firstBreach(), let guardian = state.node(breach.guardian) else { return nil }
    return app.coordinators[guardian.coordinator].guards[breach.index].protectedName
  }

  enum Protected {
    case node(NodeID)
    case entry(EntryID)
  }

  struct Breach {
    let guardian: NodeID
    let index: Int
    let protected: Protected
  }

  private func isNew(_ protected: Protected) -> Bool {
    switch protected {
    case .node(let id): id.rawValue >= firstNewID
    case .entry(let id): id.rawValue >= firstNewID
    }
  }

  /// Whether it lies in a tab bar that this step has made.
  private func isInNewTabBar(_ protected: Protected) -> Bool {
    let subtree = if case .node(let id) = protected { state.subtree(of: id) } else { [NodeID]() }
    var isFound = false
    state.root.forEachEntry { entry in
      guard entry.id.rawValue >= firstNewID, case .tabs(let bar) = entry.content else { return }
      for tab in bar.tabs {
        tab.stack.forEachEntry { inner in
          switch protected {
          case .node: isFound = isFound || subtree.contains(inner.owner)
          case .entry(let id): isFound = isFound || inner.id == id
          }
        }
      }
    }
    return isFound
  }

  func firstBreach() throws(Interruption) -> Breach? {
    for guardian in state.nodes {
      for (index, guarding) in app.coordinators[guardian.coordinator].guards.enumerated() {
        guard let protected = firstProtected(by: guarding, under: guardian.id) else { continue }
        if try !passes(index, of: guardian) {
          return Breach(guardian: guardian.id, index: index, protected: protected)
        }
      }
    }
    return nil
  }

  private func firstProtected(by guarding: RegisteredGuard, under guardian: NodeID) -> Protected? {
    switch guarding.protected {
    case .coordinator(let coordinator):
      return state.nodes.first { node in
        node.coordinator == coordinator && state.isSelfOrAncestor(guardian, of: node.id)
          && !vacantTabRoots.contains(node.id)
      }.map { .node($0.id) }
    case .screen(let screen):
      var found: Protected?
      state.root.forEachEntry { entry in
        if found == nil, entry.screen == screen, state.isSelfOrAncestor(guardian, of: entry.owner) {
          found = .entry(entry.id)
        }
      }
      return found
    }
  }
}

/// Wishes: what a guard stands in the way of waits, and is done once when the guard lets it pass.
extension Transaction {
  /// Lets a failing guard do what it does instead, and keeps the pending for later.
  mutating func wait(for pending: PendingIntent.Content?, behind guardian: NodeID, index: Int) throws(Interruption) {
    guard let node = state.node(guardian) else { throw .fault(.guardWithoutCoordinator) }
    let guarding = app.coordinators[node.coordinator].guards[index]
    let firstNewID = state.nextID
    let name = app.crashName(of: guarding.protectedName)
    try react(guardian, in: node.hostStack, "guard of", name, guarding.definition.otherwise)
    guard let pending else { return }
    state.pending = PendingIntent(
      content: pending, guardian: guardian, guardIndex: index, awaited: state.awaited(madeSince: firstNewID))
  }

  /// Fulfils the pending whose guard has come to pass, once; drops one whose guard never will.
  mutating func resolvePendingIntent() throws(Interruption) {
    guard let pending = state.pending else { return }
    guard !state.isFinished, let node = state.node(pending.guardian) else {
      state.pending = nil
      return
    }
    guard try passes(pending.guardIndex, of: node) else { return waitOn(pending) }
    state.pending = nil
    let unfulfilled = self
    do throws(Interruption) {
      try carryOutPending(pending.content)
      try settle()
      try applyGuards()
    } catch {
      // The step that let the guard pass stands, even where the pending has become impossible.
      self = unfulfilled
    }
  }

  /// Drops a pending when what it waits for has gone.
  private mutating func waitOn(_ pending: PendingIntent) {
    switch pending.awaited {
    case .coordinator(let id): if state.node(id) == nil { state.pending = nil }
    case .entry(let id): if state.root.place(of: id) == nil { state.pending = nil }
    case .prompt:
      guard state.prompt == nil else { return }
      let next = state.awaited(madeSince: firstNewID)
      if next == .nothing { state.pending = nil } else { state.pending?.awaited = next }
    case .nothing: break
    }
  }

  /// Does what the user wanted. What keeps an action from being done when it is chosen keeps a pending from it too: the input
  /// has waited in stored bytes, and it may have been disabled since.
  private mutating func carryOutPending(_ pending: PendingIntent.Content) throws(Interruption) {
    switch pending {
    case .link(let link): try open(link)
    case .action(let name, let input, let origin):
      guard let place = state.root.place(of: origin), let screen = place.entry.screen,
        let action = app.screens[screen].actions.first(where: { $0.name == name })
      else { return }
      try take(action, input, by: place.entry.owner, in: place.stack)
    case .button(let name, let input, let asked):
      guard let action = app.prompts[asked.prompt].actions.first(where: { $0.name == name }) else { return }
      try press(action, input, of: asked)
    }
  }
}

extension SessionState {
  /// What a guard did whose doings have the ids from `id` on.
  fileprivate func awaited(madeSince id: UInt32) -> PendingIntent.Awaited {
    if let node = nodes.first(where: { $0.id.rawValue >= id }) { return .coordinator(node.id) }
    var first: EntryID?
    root.forEachEntry { if $0.id.rawValue >= id, first == nil || $0.id < first! { first = $0.id } }
    if let first { return .entry(first) }
    return prompt == nil ? .nothing : .prompt
  }
}
