internal import Values

// Guards, evaluated over every live entry at commit: a protected coordinator or screen has no entry while its guard
// fails.
extension Transaction {
  /// Stops a step that would show a protected entry, removes entries whose guard has begun to fail, and fills the
  /// stacks that are empty without them.
  mutating func applyGuards() throws(Interruption) {
    guard app.hasGuards || !vacantTabRoots.isEmpty else { return }
    repeat {
      while let breach = try firstBreach() {
        try countCommand()
        // Before the first commit of a session there is no screen to return to, and a new tab bar shows its other tabs.
        if isNew(breach.protected), !isCreation, !isInNewTabBar(breach.protected) {
          throw .guarded(by: breach.guardian, index: breach.index)
        }
        try removeProtected(breach.protected)
        try settle()
      }
    } while try fillVacantStacks()
  }

  /// Removes protected entries regardless of their leave policies, with the entries that the user has opened over them,
  /// such as a list with its details. Entries that this step itself has put over them stay.
  mutating func removeProtected(_ protected: Protected) throws(Interruption) {
    let (first, isFresh) = (firstNewID, isNew(protected))
    let isAbove: (Entry) -> Bool = { isFresh || $0.id.rawValue < first }
    switch protected {
    case .entry(let id):
      state.removeEntries(including: isAbove) { $0.id == id }
    case .node(let id):
      guard let node = state.node(id), let parent = node.parent else { return }
      let subtree = state.subtree(of: id)
      let staying = state.nodes.filter { !subtree.contains($0.id) }
      state.removeEntries(including: isAbove, keeping: { id in staying.contains { $0.hostStack == id } }) {
        subtree.contains($0.owner)
      }
      state.closePrompts(of: subtree)
      // The root coordinator of a tab lives as long as the tab, and starts again in it.
      guard !state.isTabRoot(node) else { return }
      try remove(subtree)
      deliveries.append(.cancelled(parent: parent, coordinator: node.coordinator))
    }
  }

  /// Returns the first guard that fails for the start of a coordinator; nil if all pass.
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

  /// Returns a live coordinator or screen whose guard fails; nil in every state that this app has committed.
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

  /// Returns whether the entry or coordinator lies in a tab bar that this step has made.
  private func isInNewTabBar(_ protected: Protected) -> Bool {
    let subtree = if case .node(let id) = protected { state.subtree(of: id) } else { [NodeID]() }
    let tabs = state.entries.filter { $0.id.rawValue >= firstNewID }.compactMap(\.tabBar).flatMap(\.tabs)
    let inside = tabs.flatMap { state.stacks.inAndOver($0.stack) }.flatMap(\.entries)
    return inside.contains { entry in
      switch protected {
      case .node: subtree.contains(entry.owner)
      case .entry(let id): entry.id == id
      }
    }
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
      return state.entries.first { entry in
        entry.screen == screen && state.isSelfOrAncestor(guardian, of: entry.owner)
      }.map { .entry($0.id) }
    }
  }
}

// Pending intents: an intent that a guard stops waits, and is carried out once when the guard passes.
extension Transaction {
  /// Runs the reaction of a failing guard, and keeps the intent for later.
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

  /// Carries out the pending intent if its guard passes now. Drops it if its coordinator has ended, or if this step has
  /// changed what the user agrees to with it.
  mutating func resolvePendingIntent() throws(Interruption) {
    guard let pending = state.pending else { return }
    guard !state.isFinished, let node = state.node(pending.guardian), try !changesAgreement(of: pending.content) else {
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
      if case .promptQueueFull = error { throw error }
      // The step that made the guard pass stands, even if the intent has become impossible.
      self = unfulfilled
    }
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
    switch pending.awaited {
    case .coordinator(let id): if state.node(id) == nil { state.pending = nil }
    case .entry(let id): if state.place(of: id) == nil { state.pending = nil }
    case .prompt:
      guard state.prompt == nil else { return }
      let next = state.awaited(madeSince: firstNewID)
      if next == .nothing { state.pending = nil } else { state.pending?.awaited = next }
    case .nothing: break
    }
  }

  /// Carries out an intent with the checks of a new one: its input has waited in stored bytes, and its action may be
  /// disabled by now.
  private mutating func carryOutPending(_ pending: PendingIntent.Content) throws(Interruption) {
    switch pending {
    case .link(let link): try open(link)
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

extension SessionState {
  /// Returns the part that a guard opened, whose ids begin with `id`.
  fileprivate func awaited(madeSince id: UInt32) -> PendingIntent.Awaited {
    if let node = nodes.first(where: { $0.id.rawValue >= id }) { return .coordinator(node.id) }
    if let first = entries.map(\.id).filter({ $0.rawValue >= id }).min() { return .entry(first) }
    return prompt == nil ? .nothing : .prompt
  }
}
