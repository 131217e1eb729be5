internal import Values

/// Guards, looked at over every live entry at commit: what a guard protects has no entry while the guard fails.
extension Transaction {
  /// Stops a step that would show something protected, and takes away what has lost its protection.
  mutating func holdGuards() throws(Interruption) {
    guard app.hasGuards else { return }
    while let breach = try firstBreach() {
      if breach.isNew(in: self) { throw .guarded(by: breach.guardian, index: breach.index) }
      switch breach.protected {
      case .node(let id):
        guard let node = state.node(id), let parent = node.parent else { return }
        remove(state.subtree(of: id))
        deliveries.append(.cancelled(parent: parent, coordinator: node.coordinator))
      case .entry(let id):
        state.root.removeEntries { $0.id == id }
      }
      try settle()
    }
  }

  func passes(_ index: Int, of node: Node) throws(Interruption) -> Bool {
    let registered = app.coordinators[node.coordinator]
    return try calling(registered.definition.name) {
      try registered.guards[index].definition.passes(node.state, state.environment)
    }
  }

  /// Something alive that a guard protects and does not let pass; nil in every state that this app has committed.
  func exposedName() throws(Interruption) -> DeclaredName? {
    guard let breach = try firstBreach(), let guardian = state.node(breach.guardian) else { return nil }
    return app.coordinators[guardian.coordinator].guards[breach.index].protectedName
  }

  private struct Breach {
    enum Protected {
      case node(NodeID)
      case entry(EntryID)
    }
    let guardian: NodeID
    let index: Int
    let protected: Protected

    func isNew(in step: Transaction) -> Bool {
      switch protected {
      case .node(let id): id.rawValue >= step.firstNewID
      case .entry(let id): id.rawValue >= step.firstNewID
      }
    }
  }

  private func firstBreach() throws(Interruption) -> Breach? {
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

  private func firstProtected(by guarding: RegisteredGuard, under guardian: NodeID) -> Breach.Protected? {
    switch guarding.protected {
    case .coordinator(let coordinator):
      return state.nodes.first { $0.coordinator == coordinator && state.isSelfOrAncestor(guardian, of: $0.id) }
        .map { .node($0.id) }
    case .screen(let screen):
      var found: Breach.Protected?
      state.root.forEachEntry { entry in
        if found == nil, entry.screen == screen, state.isSelfOrAncestor(guardian, of: entry.owner) {
          found = .entry(entry.id)
        }
      }
      return found
    }
  }
}
