internal import Values

// The life of coordinators: their start, the actions that they handle, and their end.
extension Transaction {
  /// Starts a coordinator that its parent has declared.
  ///
  /// - Parameter isTab: whether the stack is that of a new tab, in which a coordinator waits until its guards pass.
  mutating func start(
    _ draft: Draft, under parent: NodeID, in stack: StackID, isTab: Bool = false
  ) throws(Interruption) {
    // A search by hash takes longer than one among the few children.
    guard let index = state.nodeIndex(parent),
      let coordinator = app.coordinators[state.nodes[index].coordinator].children
        .firstIndex(where: { $0.name == draft.name })
    else { throw .fault(.undeclaredChild(draft.name)) }
    let isLocked = isTab ? try failingGuard(of: coordinator, under: parent) != nil : false
    try start(coordinator, try draft.encoded(), under: parent, in: stack, isLocked: isLocked)
  }

  mutating func start(
    _ coordinator: Int, _ value: AppValue, under parent: NodeID?, in stack: StackID, isLocked: Bool = false
  ) throws(Interruption) {
    let id: NodeID = state.makeID()
    state.nodes.append(Node(id: id, parent: parent, hostStack: stack, coordinator: coordinator, state: value))
    if isLocked { return }
    if let index = locking[id]?.last { return try lock(id, behind: GuardID(guardian: id, index: index)) }
    try runStart(of: state.nodes[state.nodes.count - 1])
  }

  /// Ends a coordinator with its whole subtree at once. Its parent receives the result when this step settles.
  mutating func finish(_ id: NodeID, with result: Value) throws(Interruption) {
    guard let node = state.node(id) else { return }
    guard node.parent != nil else {
      state.result = result
      (state.prompt, state.queuedPrompts) = (nil, [])
      try cancelWork(of: state.nodes.map(\.id))
      return
    }
    guard !state.isTabRoot(node) else { throw .fault(.rootOfTabFinishes) }
    let subtree = state.subtree(of: id)
    for stack in state.stacks.reversed() {
      let gone = stack.entries.reversed().lazy.filter { subtree.contains($0.owner) }
      try askToLeave(gone, by: id, goingForward: true)
    }
    if state.hasExtras {
      let before = state
      handOver({ before.owner(of: $0).map { subtree.contains($0) } ?? false }, to: .coordinator(id))
    }
    try remove(subtree)
    deliveries.append(Delivery(child: node, result: result))
  }

  /// Removes coordinators with their entries and their pending work, regardless of the leave policies.
  mutating func remove(_ nodes: [NodeID]) throws(Interruption) {
    try cancelWork(of: nodes)
    state.nodes.removeAll { nodes.contains($0.id) }
    let living = state.nodes
    // A parent that lives in a modal may go on there after a child that had all of its entries.
    state.removeEntries(keeping: { id in living.contains { $0.hostStack == id } }) { nodes.contains($0.owner) }
    state.closePrompts(of: nodes)
    if state.hasExtras { state.lockedStarts.removeAll { nodes.contains($0.coordinator) } }
  }

  /// Offers an action to the owner of its screen or prompt, and then to the ancestors of the owner.
  ///
  /// - Parameters:
  ///   - stack: the stack for the commands of the owner. The commands of an ancestor act on the stack that it was started
  ///     in, as do those of the owner if there is none.
  ///   - entry: the entry of the screen that offers the action; nil for a prompt, and for a screen that is gone.
  mutating func offer(
    _ action: Int, _ input: Value, to owner: NodeID, in stack: StackID?, at entry: Entry?
  ) throws(Interruption) {
    guard let (node, handler) = state.handler(of: action, from: owner, in: app) else {
      throw .fault(.unhandledAction(app.actions[action].name))
    }
    let stack = node.id == owner ? stack ?? node.hostStack : node.hostStack
    let name = app.actions[action].crashName.text
    if let entry, app.coordinators[node.coordinator].mayRefuse { submit(app.actions[action], input, at: entry.id) }
    guard handler.readsScreen else {
      return try react(node.id, in: stack, "action", name) { try handler.handle(&$0, input, $1) }
    }
    // The guard of a pending intent may have replaced the screen.
    guard let entry, let screen = try app.draw(entry, in: state) else { throw .unavailable(.hidden) }
    let origin = EventOrigin(.screen, screen.definition.name, screen.value.encoding)
    try react(node.id, in: stack, "action", name) { try handler.handle(&$0, input, $1.with(origin: origin)) }
  }

  /// Runs a handler of the coordinator `id` on its state, and executes its commands.
  ///
  /// - Parameters:
  ///   - kind: the kind of the event, for errors and crash reports.
  ///   - name: the name of the action, child or guard behind the event.
  ///   - mayRefuse: whether a refusal is about the form behind the event, and not about the step.
  mutating func react(
    _ id: NodeID, in stack: StackID, _ kind: StaticString, _ name: UnsafePointer<UInt8>, mayRefuse: Bool = false,
    _ handle: (inout AppValue, SessionEnvironment) throws -> [Command]
  ) throws(Interruption) {
    guard let index = state.nodeIndex(id) else { return }
    var value = state.nodes[index].state
    let commands = try app.calling(state.nodes[index].coordinator, kind, name) {
      try handle(&value, state.environment)
    }
    if mayRefuse {
      let reasons = commands.refusals
      if !reasons.isEmpty { return try refuse(form, reasons, by: id) }
    }
    // A change of the element in the array copies all coordinators, because the state before the step shares them.
    if !value.isSame(as: state.nodes[index].state) { state.nodes[index].state = value }
    try apply(commands, by: id, in: stack, of: HandlerName(kind, name))
  }

  /// Delivers the result or the cancellation of a child to its parent, unless the session has ended. The handler acts
  /// where the parent has started the child.
  mutating func deliver(_ delivery: Delivery) throws(Interruption) {
    let child = delivery.child
    guard !state.isFinished, let parent = child.parent.flatMap({ state.node($0) }),
      let declared = app.coordinators[parent.coordinator].children[child.coordinator]
    else { return }
    let name = app.coordinators[child.coordinator].definition.schema.crashName.text
    let stack = stack(leftBy: child) ?? parent.hostStack
    let vacant = vacantStack
    // The handler goes on with the reaction of a guard, and fills a stack as the reaction does.
    if isEmpty(stack), state.hostsLockedStart(stack) { vacantStack = stack }
    if let result = delivery.result {
      let firstNewID = state.nextID
      try react(parent.id, in: stack, "end of child", name) { try declared.finished?(&$0, result, $1) ?? [] }
      // An intent that waits for a child that has finished waits for the part that its parent has shown since.
      let next = state.hasExtras ? state.awaited(madeSince: firstNewID) : .nothing
      if next != .nothing { handOver({ $0 == .coordinator(child.id) }, to: next) }
    } else if let cancelled = declared.cancelled {
      try react(parent.id, in: stack, "end of child", name, cancelled)
    }
    vacantStack = vacant
  }

  /// Returns the stack of a child that has ended, or the nearest one below that is left; nil if this step has made them.
  private func stack(leftBy child: Node) -> StackID? {
    if state.stack(child.hostStack) != nil { return child.hostStack }
    return presentationBefore.stacks(from: child.hostStack).first { state.stack($0) != nil }
  }
}

extension SessionState {
  /// Returns the reason why an action of a screen or a prompt is hidden or disabled now; nil if it is enabled.
  func obstacle(
    to action: Int, from owner: NodeID, in app: AppDefinition
  ) throws(Interruption) -> Unavailability? {
    guard let (node, handler) = handler(of: action, from: owner, in: app), let obstacle = handler.obstacle else {
      return nil
    }
    let reason = try app.calling(node.coordinator, "action", app.actions[action].crashName.text) {
      try obstacle(node.state, environment)
    }
    guard case .stated(let stated)? = reason else { return reason }
    return .stated(app.textWriter(for: environment.locale).written(stated))
  }

  /// Returns the coordinator that handles an action of a screen or a prompt of `owner`: that one, or its nearest ancestor
  /// with a handler.
  @inline(__always)
  func handler(
    of action: Int, from owner: NodeID, in app: AppDefinition
  ) -> (node: Node, definition: HandlerDefinition)? {
    var next: NodeID? = owner
    while let id = next, let node = self.node(id) {
      if let handler = app.coordinators[node.coordinator].handlers[action] { return (node, handler) }
      next = node.parent
    }
    return nil
  }
}
