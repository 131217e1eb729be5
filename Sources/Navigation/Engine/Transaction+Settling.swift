/// Settle: a coordinator that has no entry left in its subtree is over, until nothing changes any more.
extension Transaction {
  /// Every turn of the outer loop ends a coordinator or is the last, and a parent that keeps starting children runs into
  /// the limit of commands, so it comes to an end.
  mutating func settle() throws(Interruption) {
    repeat {
      while !deliveries.isEmpty { try deliver(deliveries.removeFirst()) }
    } while endAbandoned()
  }

  /// Ends the coordinators without entries; false where all have some. Only a parent that lives on is told.
  private mutating func endAbandoned() -> Bool {
    let abandoned = state.abandonedNodes
    guard !abandoned.isEmpty else { return false }
    let ended = Set(abandoned.map(\.id))
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
  var abandonedNodes: [Node] {
    var isNeeded = [Bool](repeating: false, count: nodes.count)
    var previous: NodeID?
    root.forEachEntry { entry in
      guard entry.owner != previous else { return }
      previous = entry.owner
      var next: NodeID? = entry.owner
      while let id = next, let index = nodeIndex(id), !isNeeded[index] {
        isNeeded[index] = true
        next = nodes[index].parent
      }
    }
    var abandoned: [Node] = []
    for index in nodes.indices where !isNeeded[index] && nodes[index].parent != nil { abandoned.append(nodes[index]) }
    return abandoned
  }
}
