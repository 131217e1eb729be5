internal import Values

/// The child verbs: start and finish.
extension Transaction {
  mutating func start(_ draft: Draft, under parent: NodeID, in stack: StackID) throws(Interruption) {
    guard let parentNode = state.node(parent), let coordinator = app.coordinatorIndex[draft.name],
      app.coordinators[parentNode.coordinator].children[coordinator] != nil
    else { throw .fault("The coordinator \(draft.name) is started by one that does not declare it.") }
    try start(coordinator, try draft.encoded(), under: parent, in: stack)
  }

  mutating func start(
    _ coordinator: Int, _ value: Value, under parent: NodeID?, in stack: StackID
  ) throws(Interruption) {
    let id: NodeID = state.makeID()
    state.nodes.append(Node(id: id, parent: parent, hostStack: stack, coordinator: coordinator, state: value))
    let definition = app.coordinators[coordinator].definition
    let commands = try calling(definition.name) { try definition.start(value, state.environment) }
    try apply(commands, by: id, in: stack)
  }

  /// Ends a coordinator with its whole subtree at once; its parent hears of the result when this step settles.
  mutating func finish(_ id: NodeID, with result: Value) throws(Interruption) {
    guard let node = state.node(id) else { return }
    guard let parent = node.parent else {
      state.result = result
      state.prompt = nil
      return
    }
    guard !isTabRoot(node) else { throw .unavailable("The root coordinator of a tab cannot finish.") }
    let subtree = state.subtree(of: id)
    var gone: [Entry] = []
    state.root.forEachEntry { if subtree.contains($0.owner) { gone.append($0) } }
    try askToLeave(gone.reversed(), by: id, goingForward: true)
    remove(subtree)
    deliveries.append(.finished(parent: parent, coordinator: node.coordinator, result: result))
  }

  /// Removes coordinators and their entries, whatever the entries' policies.
  mutating func remove(_ nodes: [NodeID]) {
    state.nodes.removeAll { nodes.contains($0.id) }
    let living = state.nodes
    // A parent that lives in a modal may go on there after a child that had all of it.
    state.root.removeEntries(keeping: { id in living.contains { $0.hostStack == id } }) { nodes.contains($0.owner) }
    if let asked = state.prompt?.asked, nodes.contains(asked.owner) { state.prompt = nil }
  }

  /// Whether a tab was made for this coordinator: it lives in a tab's stack and its parent does not.
  private func isTabRoot(_ node: Node) -> Bool {
    guard let parent = node.parent.flatMap({ state.node($0) }), parent.hostStack != node.hostStack else { return false }
    var found = false
    state.root.forEachEntry { entry in
      guard case .tabs(let bar) = entry.content else { return }
      if bar.tabs.contains(where: { $0.stack.id == node.hostStack }) { found = true }
    }
    return found
  }
}
