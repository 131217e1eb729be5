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

  /// Lets a failing guard do what it does instead, and keeps the wish for later.
  mutating func wait(for wish: Wish.Content?, behind guardian: NodeID, index: Int) throws(Interruption) {
    guard let node = state.node(guardian) else { throw .fault("A guard failed before its coordinator had started.") }
    let guarding = app.coordinators[node.coordinator].guards[index].definition
    let firstNewID = state.nextID
    try react(guardian, in: node.hostStack, guarding.otherwise)
    guard let wish else { return }
    let waitingFor = state.nodes.first { $0.id.rawValue >= firstNewID }?.id
    state.pending = Wish(content: wish, guardian: guardian, guardIndex: index, waitingFor: waitingFor)
  }

  /// Fulfils the wish whose guard has come to pass, once; drops one whose guard never will.
  mutating func resolveWish() throws(Interruption) {
    guard let wish = state.pending else { return }
    guard let node = state.node(wish.guardian) else {
      state.pending = nil
      return
    }
    guard try passes(wish.guardIndex, of: node) else {
      if let waitingFor = wish.waitingFor, state.node(waitingFor) == nil { state.pending = nil }
      return
    }
    state.pending = nil
    let unfulfilled = self
    do throws(Interruption) {
      try fulfil(wish.content)
      try settle()
      try holdGuards()
    } catch {
      // The step that let the guard pass stands, even where the wish has become impossible.
      self = unfulfilled
    }
  }

  private mutating func fulfil(_ wish: Wish.Content) throws(Interruption) {
    switch wish {
    case .link(let link): try open(link)
    case .action(let name, let input, let origin):
      guard let place = state.root.place(of: origin), let screen = place.entry.screen,
        let action = app.screens[screen].actions.first(where: { $0.name == name })
      else { return }
      try offer(action.index, input, to: place.entry.owner, in: place.stack)
    }
  }

  private func passes(_ index: Int, of node: Node) throws(Interruption) -> Bool {
    let registered = app.coordinators[node.coordinator]
    return try calling(registered.definition.name) { try registered.guards[index].definition.passes(node.state) }
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

extension Stack {
  /// The entry `id` and the stack it is on, in or over this one.
  func place(of id: EntryID) -> (entry: Entry, stack: StackID)? {
    var place: (entry: Entry, stack: StackID)?
    forEachStack { stack in
      if let entry = stack.entries.first(where: { $0.id == id }) { place = (entry, stack.id) }
    }
    return place
  }
}
