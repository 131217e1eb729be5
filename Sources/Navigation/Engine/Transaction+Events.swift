internal import Values

/// Events: an action is offered to the entry's owner, then bubbles to its ancestors.
extension Transaction {
  /// Why nobody takes the action now, or nil when somebody does.
  func disabledReason(_ action: Int, from owner: NodeID) throws(Interruption) -> Text? {
    try state.disabledReason(action, from: owner, in: app)
  }

  /// - Parameters:
  ///   - owner: of the screen or the prompt that the action comes from.
  ///   - stack: what the owner wants acts on this one; what an ancestor wants, or the owner where there is none, acts on
  ///     the one that the coordinator was started in.
  mutating func offer(
    _ action: Int, _ input: Value, to owner: NodeID, in stack: StackID?
  ) throws(Interruption) {
    var next: NodeID? = owner
    while let id = next, let index = state.nodeIndex(id) {
      let node = state.nodes[index]
      if let handler = app.coordinators[node.coordinator].handlers[action] {
        let stack = id == owner ? stack ?? node.hostStack : node.hostStack
        return try react(id, in: stack) { try handler.handle(&$0, input, $1) }
      }
      next = node.parent
    }
    throw .fault("Nobody handles the action \(app.actions[action].name).")
  }

  /// Runs a handler of the coordinator `id` on its state, and carries out what it asks for.
  mutating func react(
    _ id: NodeID, in stack: StackID, _ handle: (inout Value, SessionEnvironment) throws -> [Command]
  ) throws(Interruption) {
    guard let index = state.nodeIndex(id) else { return }
    let name = app.coordinators[state.nodes[index].coordinator].definition.name
    let environment = state.environment
    let commands: [Command]
    do {
      commands = try handle(&state.nodes[index].state, environment)
    } catch {
      throw .fault("\(name) failed: \(error)")
    }
    try apply(commands, by: id, in: stack)
  }

  /// Tells a parent how a child ended; after the end of the session nobody goes on.
  mutating func deliver(_ delivery: Delivery) throws(Interruption) {
    guard !state.isFinished else { return }
    switch delivery {
    case .finished(let parent, let coordinator, let result):
      guard let node = state.node(parent), let child = app.coordinators[node.coordinator].children[coordinator] else {
        return
      }
      try react(parent, in: node.hostStack) { try child.finished(&$0, result, $1) }
    case .cancelled(let parent, let coordinator):
      guard let node = state.node(parent),
        let cancelled = app.coordinators[node.coordinator].children[coordinator]?.cancelled
      else { return }
      try react(parent, in: node.hostStack, cancelled)
    }
  }
}

extension SessionState {
  func disabledReason(_ action: Int, from owner: NodeID, in app: AppDefinition) throws(Interruption) -> Text? {
    var next: NodeID? = owner
    while let id = next, let node = self.node(id) {
      if let handler = app.coordinators[node.coordinator].handlers[action] {
        guard let disabled = handler.disabled else { return nil }
        return try calling(app.actions[action].name) { try disabled(node.state, environment) }
      }
      next = node.parent
    }
    return nil
  }
}
