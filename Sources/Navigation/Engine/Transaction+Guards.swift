internal import Values

/// Guards, looked at over every live entry at commit: what a guard protects has no entry while the guard fails.
extension Transaction {
  /// Stops a step that would show something protected, takes away what has lost its protection, and fills the stacks that are
  /// empty without it.
  mutating func holdGuards() throws(Interruption) {
    guard app.hasGuards || !vacantTabRoots.isEmpty else { return }
    repeat {
      while let breach = try firstBreach() {
        try countCommand()
        // Before a session's first commit nothing shows that the user could be sent back to, and a new tab bar shows its other tabs.
        if isNew(breach.protected), !isCreation, !isInNewTabBar(breach.protected) {
          throw .guarded(by: breach.guardian, index: breach.index)
        }
        takeAway(breach.protected)
        try settle()
      }
    } while try fillVacantStacks()
  }

  /// Removes what a guard protects, whatever the leave policies, with what the user has opened over it: a list takes its details
  /// along. What this step itself has put over it stays.
  mutating func takeAway(_ protected: Protected) {
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
