/// The invariants of a committed state (design: navigation, "Invariants"). They are checked on every commit.
extension SessionState {
  /// The first invariant that does not hold, as a sentence; nil where all do.
  func brokenInvariant(of app: AppDefinition) -> String? {
    brokenTree() ?? brokenPresentation() ?? (abandonedNodes.isEmpty ? nil : "a coordinator has no entry in its subtree")
  }

  /// One root; parents exist and are older than their children, so there is no cycle; ids grow.
  private func brokenTree() -> String? {
    guard let first = nodes.first, first.parent == nil else { return "there is no root coordinator" }
    for index in nodes.indices.dropFirst() {
      guard nodes[index].id > nodes[index - 1].id else { return "two coordinators have one id" }
      guard let parent = nodes[index].parent else { return "there are two root coordinators" }
      guard let found = nodeIndex(parent), found < index else { return "a coordinator's parent does not exist" }
    }
    return nil
  }

  private func brokenPresentation() -> String? {
    var ids = UsedIDs(below: nextID, expecting: nodes.count * 2 + root.entries.count + 8)
    for node in nodes where !ids.insert(node.id.rawValue) { return "an id is used twice or was never given out" }
    var checkedOwner: (owner: NodeID, stack: StackID)?
    do {
      try check(root, covering: nil, &ids, &checkedOwner)
    } catch {
      return error.sentence
    }
    guard VisiblePath(of: root) != nil else { return "no screen is visible" }
    return nil
  }

  private struct Broken: Error { let sentence: String }

  private func check(
    _ stack: Stack, covering covered: StackID?, _ ids: inout UsedIDs,
    _ checkedOwner: inout (owner: NodeID, stack: StackID)?
  ) throws(Broken) {
    guard ids.insert(stack.id.rawValue) else { throw Broken(sentence: "a stack's id is used twice or was never given out") }
    guard !stack.entries.isEmpty else { throw Broken(sentence: "a stack is empty") }
    guard stack.modals.count <= 1 else { throw Broken(sentence: "a stack has two modals") }
    for entry in stack.entries {
      guard ids.insert(entry.id.rawValue) else {
        throw Broken(sentence: "an entry's id is used twice or was never given out")
      }
      if checkedOwner?.owner != entry.owner || checkedOwner?.stack != stack.id {
        guard node(entry.owner) != nil else { throw Broken(sentence: "an entry's owner is not alive") }
        guard mayShow(entry.owner, on: stack.id, covering: covered) else {
          throw Broken(sentence: "an entry's owner neither lives in its stack nor is an ancestor of who does")
        }
        checkedOwner = (entry.owner, stack.id)
      }
      guard case .tabs(let bar) = entry.content else { continue }
      guard bar.tabs.indices.contains(bar.selected) else { throw Broken(sentence: "the selected tab does not exist") }
      for tab in bar.tabs { try check(tab.stack, covering: nil, &ids, &checkedOwner) }
    }
    guard let modal = stack.modal else { return }
    // A modal of screens only has no coordinator living in it: what counts then is the stack under it.
    let isInhabited = nodes.contains { $0.hostStack == stack.id }
    try check(modal, covering: isInhabited ? stack.id : covered, &ids, &checkedOwner)
  }

  /// A coordinator shows screens on the stack it lives in, on those of its descendants, and on a modal over its own.
  private func mayShow(_ owner: NodeID, on stack: StackID, covering covered: StackID?) -> Bool {
    nodes.contains { host in
      (host.hostStack == stack || host.hostStack == covered) && isSelfOrAncestor(owner, of: host.id)
    }
  }
}

/// A set of ids in one flat table, made for a few hundred at most.
private struct UsedIDs {
  private var slots: [UInt32]
  private var count = 0
  private let limit: UInt32

  init(below limit: UInt32, expecting expected: Int) {
    self.limit = limit
    slots = [UInt32](repeating: 0, count: Self.capacity(for: expected))
  }

  private static func capacity(for count: Int) -> Int {
    1 << (Int.bitWidth - max(count * 2 - 1, 15).leadingZeroBitCount)
  }

  /// False for an id that is in the set, is 0, or is not below the limit.
  mutating func insert(_ id: UInt32) -> Bool {
    guard id > 0, id < limit else { return false }
    if count * 2 >= slots.count { grow() }
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: id &* 0x9E37_79B1) & mask
    while slots[slot] != 0 {
      if slots[slot] == id { return false }
      slot = (slot + 1) & mask
    }
    slots[slot] = id
    count += 1
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt32](repeating: 0, count: old.count * 2)
    count = 0
    for id in old where id != 0 { _ = insert(id) }
  }
}
