internal import Values

/// Wishes: what a guard stands in the way of waits, and is done once when the guard lets it pass.
extension Transaction {
  /// Lets a failing guard do what it does instead, and keeps the wish for later.
  mutating func wait(for wish: Wish.Content?, behind guardian: NodeID, index: Int) throws(Interruption) {
    guard let node = state.node(guardian) else { throw .fault(.guardWithoutCoordinator) }
    let guarding = app.coordinators[node.coordinator].guards[index]
    let firstNewID = state.nextID
    let name = app.crashName(of: guarding.protectedName)
    try react(guardian, in: node.hostStack, "guard of", name, guarding.definition.otherwise)
    guard let wish else { return }
    state.pending = Wish(
      content: wish, guardian: guardian, guardIndex: index, awaited: state.awaited(madeSince: firstNewID))
  }

  /// Fulfils the wish whose guard has come to pass, once; drops one whose guard never will.
  mutating func resolveWish() throws(Interruption) {
    guard let wish = state.pending else { return }
    guard !state.isFinished, let node = state.node(wish.guardian) else {
      state.pending = nil
      return
    }
    guard try passes(wish.guardIndex, of: node) else { return waitOn(wish) }
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

  /// Drops a wish when what it waits for has gone.
  private mutating func waitOn(_ wish: Wish) {
    switch wish.awaited {
    case .coordinator(let id): if state.node(id) == nil { state.pending = nil }
    case .entry(let id): if state.root.place(of: id) == nil { state.pending = nil }
    case .prompt:
      guard state.prompt == nil else { return }
      let next = state.awaited(madeSince: firstNewID)
      if next == .nothing { state.pending = nil } else { state.pending?.awaited = next }
    case .nothing: break
    }
  }

  /// Does what the user wanted. What keeps an action from being done when it is chosen keeps a wish from it too: the input
  /// has waited in stored bytes, and it may have been disabled since.
  private mutating func fulfil(_ wish: Wish.Content) throws(Interruption) {
    switch wish {
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
  fileprivate func awaited(madeSince id: UInt32) -> Wish.Awaited {
    if let node = nodes.first(where: { $0.id.rawValue >= id }) { return .coordinator(node.id) }
    var first: EntryID?
    root.forEachEntry { if $0.id.rawValue >= id, first == nil || $0.id < first! { first = $0.id } }
    if let first { return .entry(first) }
    return prompt == nil ? .nothing : .prompt
  }
}
