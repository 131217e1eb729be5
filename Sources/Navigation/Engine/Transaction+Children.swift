internal import Values

/// The child verbs: start and finish.
extension Transaction {
  /// - Parameter isTab: whether the stack is that of a new tab, in which a coordinator waits until its guards pass.
  mutating func start(
    _ draft: Draft, under parent: NodeID, in stack: StackID, isTab: Bool = false
  ) throws(Interruption) {
    guard let parentNode = state.node(parent), let coordinator = app.coordinatorIndex[draft.name],
      app.coordinators[parentNode.coordinator].children[coordinator] != nil
    else { throw .fault(.undeclaredChild(draft.name)) }
    let isLocked = isTab ? try failingGuard(of: coordinator, under: parent) != nil : false
    try start(coordinator, try draft.encoded(), under: parent, in: stack, isLocked: isLocked)
  }

  mutating func start(
    _ coordinator: Int, _ value: Value, under parent: NodeID?, in stack: StackID, isLocked: Bool = false
  ) throws(Interruption) {
    let id: NodeID = state.makeID()
    state.nodes.append(Node(id: id, parent: parent, hostStack: stack, coordinator: coordinator, state: value))
    if isLocked { return }
    let definition = app.coordinators[coordinator].definition
    let environment = state.environment
    let commands = try app.calling(coordinator, "start") { try definition.start(value, environment) }
    try apply(commands, by: id, in: stack)
  }

  /// Ends a coordinator with its whole subtree at once; its parent hears of the result when this step settles.
  mutating func finish(_ id: NodeID, with result: Value) throws(Interruption) {
    guard let node = state.node(id) else { return }
    guard let parent = node.parent else {
      let root = app.coordinators[node.coordinator].definition
      state.result = Value.mayHoldDates ? try app.calling(node.coordinator, "result") { try root.presentResult(result) } : result
      state.prompt = nil
      return
    }
    guard !state.isTabRoot(node) else { throw .unavailable(.rootOfTabFinishes) }
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
}
