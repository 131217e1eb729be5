/// Settle: a coordinator that has no entry left in its subtree is over, until nothing changes any more.
extension Transaction {
  /// Every turn of the outer loop ends a coordinator or is the last, and a parent that keeps starting children runs into
  /// the limit of commands, so it comes to an end.
  mutating func settle() throws(Interruption) {
    repeat {
      guard !deliveries.isEmpty else { continue }
      while !deliveries.isEmpty { try deliver(deliveries.removeFirst()) }
      // The modals that no parent has gone on in.
      state.root.removeEntries { _ in false }
    } while endAbandoned()
  }

  /// Ends the coordinators without entries; false where all have some. Only a parent that lives on is told.
  private mutating func endAbandoned() -> Bool {
    let idle = state.idleNodes
    // Every step settles, and hardly any has idle nodes.
    vacantTabRoots = state.tabRoots(among: idle)
    let abandoned = idle.filter { !vacantTabRoots.contains($0.id) }
    guard !abandoned.isEmpty else { return false }
    let ended = abandoned.map(\.id)
    remove(ended)
    for node in abandoned {
      guard let parent = node.parent, !ended.contains(parent) else { continue }
      deliveries.append(.cancelled(parent: parent, coordinator: node.coordinator))
    }
    return true
  }
}

extension SessionState {
  /// The coordinators but the root that have no entry in their subtree.
  var idleNodes: [Node] {
    // The root alone needs no look.
    if nodes.count == 1 { return [] }
    var needed = IndexSet(upTo: nodes.count)
    root.markOwners(in: &needed, of: nodes)
    var idle: [Node] = []
    for index in nodes.indices.dropFirst() where !needed.contains(index) { idle.append(nodes[index]) }
    return idle
  }

  func tabRoots(among nodes: [Node]) -> [NodeID] { nodes.filter { isTabRoot($0) }.map(\.id) }

  /// Whether a tab was made for this coordinator, which then lives as long as the tab.
  func isTabRoot(_ node: Node) -> Bool { nodes.isTabRoot(node, in: root) }
}

extension [Node] {
  /// A tab's stack is new when its root coordinator is started, so that none lives there before.
  func isTabRoot(_ node: Node, in root: borrowing Stack) -> Bool {
    first { $0.hostStack == node.hostStack }?.id == node.id && root.hasTab(node.hostStack)
  }
}

extension Stack {
  /// Whether the stack `id` is that of a tab, in or over this one.
  fileprivate func hasTab(_ id: StackID) -> Bool {
    var isFound = false
    forEachStack { stack in
      for entry in stack.entries {
        if case .tabs(let bar) = entry.content, bar.tabs.contains(where: { $0.stack.id == id }) { isFound = true }
      }
    }
    return isFound
  }

  fileprivate func markOwners(in needed: inout IndexSet, of nodes: [Node]) {
    var previous: NodeID?
    let entries = entries.span
    for place in entries.indices {
      let owner = entries[place].owner
      if owner != previous, let index = nodes.index(of: owner) {
        previous = owner
        nodes.markNeeded(index, in: &needed)
      }
      guard case .tabs(let bar) = entries[place].content else { continue }
      for tab in bar.tabs { tab.stack.markOwners(in: &needed, of: nodes) }
    }
    for modal in modals { modal.markOwners(in: &needed, of: nodes) }
  }
}
