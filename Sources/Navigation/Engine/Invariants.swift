// The invariants of a committed state. Every commit checks them.
extension SessionState {
  /// Returns the first invariant that does not hold; nil if all hold.
  func brokenInvariant() -> BrokenInvariant? {
    do throws(BrokenInvariant) {
      try checkTree()
      try checkIDs()
      var check = PresentationCheck(nodes: nodes)
      try check.run(root)
      return nil
    } catch {
      return error
    }
  }

  /// Requires one root, parents that exist and are older than their children (so there is no cycle), and ids that grow.
  private func checkTree() throws(BrokenInvariant) {
    // Far below the limit, so that the next id never overflows in the middle of a step.
    guard nextID <= UInt32.max / 2 else { throw .idsUsedUp }
    guard let first = nodes.first, first.parent == nil else { throw .noRootCoordinator }
    for index in nodes.indices.dropFirst() {
      guard nodes[index].id > nodes[index - 1].id else { throw .repeatedCoordinatorID }
      guard let parent = nodes[index].parent else { throw .secondRootCoordinator }
      guard let found = nodeIndex(parent), found < index else {
        throw .missingParent
      }
    }
  }

  /// Requires that every id is used once and is below the next one.
  private func checkIDs() throws(BrokenInvariant) {
    var ids: [UInt32] = []
    ids.reserveCapacity(64)
    for node in nodes { ids.append(node.id.rawValue) }
    root.forEachStack { stack in
      ids.append(stack.id.rawValue)
      for entry in stack.entries { ids.append(entry.id.rawValue) }
    }
    ids.sort()
    guard ids[0] > 0, ids[ids.count - 1] < nextID, zip(ids, ids.dropFirst()).allSatisfy(<) else { throw .invalidID }
  }
}

/// A check that visits every stack and every entry once.
private struct PresentationCheck {
  let nodes: [Node]
  /// The coordinators that have an entry in their subtree, by index.
  var needed: [Bool]
  /// The last checked owner, with its stack: neighbours mostly have one owner.
  var checked: (owner: NodeID, stack: StackID)?

  init(nodes: [Node]) {
    self.nodes = nodes
    needed = [Bool](repeating: false, count: nodes.count)
  }

  mutating func run(_ root: borrowing Stack) throws(BrokenInvariant) {
    try check(root, covering: nil)
    // The root coordinator of a tab has no screen while guards lock the tab.
    for index in nodes.indices.dropFirst() where !needed[index] && !nodes.isTabRoot(nodes[index], in: root) {
      throw .idleCoordinator
    }
  }

  /// - Parameter covered: the stack under a modal.
  private mutating func check(_ stack: borrowing Stack, covering covered: StackID?) throws(BrokenInvariant) {
    guard !stack.entries.isEmpty else { throw .emptyStack }
    guard stack.modals.count <= 1 else { throw .secondModal }
    let entries = stack.entries.span
    for index in entries.indices {
      try check(entries[index].owner, on: stack.id, covering: covered)
      guard case .tabs(let bar) = entries[index].content else { continue }
      guard bar.tabs.indices.contains(bar.selected) else { throw .missingSelectedTab }
      for tab in bar.tabs { try check(tab.stack, covering: nil) }
    }
    guard !stack.modals.isEmpty else { return }
    // No coordinator lives in a modal that has only screens. For such a modal, the stack under it counts.
    let id = stack.id
    let isInhabited = nodes.contains { $0.hostStack == id }
    try check(stack.modals[0], covering: isInhabited ? id : covered)
  }

  private mutating func check(
    _ owner: NodeID, on stack: StackID, covering covered: StackID?
  ) throws(BrokenInvariant) {
    if let checked, checked == (owner, stack) { return }
    guard let index = nodes.index(of: owner) else { throw .deadOwner }
    // A coordinator shows screens on its own stack, on those of its descendants, and on a modal over its own.
    let mayShow = nodes.contains { host in
      (host.hostStack == stack || host.hostStack == covered) && nodes.isSelfOrAncestor(owner, of: host.id)
    }
    guard mayShow else {
      throw .foreignOwner
    }
    nodes.markNeeded(index, in: &needed)
    checked = (owner, stack)
  }
}

/// An invariant of a committed state that does not hold.
public enum BrokenInvariant: Error, Sendable, Equatable {
  case idsUsedUp
  case revisionsUsedUp
  case noRootCoordinator
  case secondRootCoordinator
  case repeatedCoordinatorID
  case missingParent
  case invalidID
  case idleCoordinator
  case emptyStack
  case secondModal
  case missingSelectedTab
  case deadOwner
  case foreignOwner
  case promptOfDeadCoordinator
  case questionWithoutScreen
  case intentBehindMissingGuard
}

extension BrokenInvariant: CustomStringConvertible {
  /// A clause without a capital and a full stop.
  public var description: String {
    switch self {
    case .idsUsedUp: "the ids are used up"
    case .revisionsUsedUp: "the revisions are used up"
    case .noRootCoordinator: "there is no root coordinator"
    case .secondRootCoordinator: "there are two root coordinators"
    case .repeatedCoordinatorID: "two coordinators have one id"
    case .missingParent: "the parent of a coordinator does not exist"
    case .invalidID: "an id is used twice or was never given out"
    case .idleCoordinator: "a coordinator has no entry in its subtree"
    case .emptyStack: "a stack is empty"
    case .secondModal: "a stack has two modals"
    case .missingSelectedTab: "the selected tab does not exist"
    case .deadOwner: "the owner of an entry is not alive"
    case .foreignOwner: "the owner of an entry neither lives in its stack nor is an ancestor of a coordinator that does"
    case .promptOfDeadCoordinator: "the coordinator that asked a prompt is not alive"
    case .questionWithoutScreen: "a question is about a screen that does not exist"
    case .intentBehindMissingGuard: "a pending intent waits for a guard that does not exist"
    }
  }
}
