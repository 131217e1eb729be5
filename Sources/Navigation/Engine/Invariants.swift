// The invariants of a committed state. Every commit checks them.
extension SessionState {
  /// Returns the first invariant that does not hold; nil if all hold.
  func brokenInvariant() -> BrokenInvariant? {
    do throws(BrokenInvariant) {
      try checkTree()
      var check = PresentationCheck(nodes: nodes, ids: UsedIDs(expecting: nodes.count + root.idCount, below: nextID))
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
}

/// A check that visits every stack and every entry once.
private struct PresentationCheck {
  let nodes: [Node]
  var ids: UsedIDs
  /// The coordinators that have an entry in their subtree, by index.
  var needed: SmallIndexSet
  /// The last checked owner, with its stack: neighbours mostly have one owner.
  var checked: (owner: NodeID, stack: StackID)?

  init(nodes: [Node], ids: UsedIDs) {
    self.nodes = nodes
    self.ids = ids
    needed = SmallIndexSet(upTo: nodes.count)
  }

  mutating func run(_ root: borrowing Stack) throws(BrokenInvariant) {
    for node in nodes where !ids.insert(node.id.rawValue) {
      throw .invalidID
    }
    try check(root, covering: nil)
    // The root coordinator of a tab has no screen while guards lock the tab.
    for index in nodes.indices.dropFirst() where !needed.contains(index) && !nodes.isTabRoot(nodes[index], in: root) {
      throw .idleCoordinator
    }
  }

  /// - Parameter covered: the stack under a modal.
  private mutating func check(_ stack: borrowing Stack, covering covered: StackID?) throws(BrokenInvariant) {
    guard ids.insert(stack.id.rawValue) else {
      throw .invalidID
    }
    guard !stack.entries.isEmpty else { throw .emptyStack }
    guard stack.modals.count <= 1 else { throw .secondModal }
    let entries = stack.entries.span
    for index in entries.indices {
      guard ids.insert(entries[index].id.rawValue) else {
        throw .invalidID
      }
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

/// A set of ids in a table of fixed size. A set of few ids needs no allocation.
private struct UsedIDs {
  private var few = InlineArray<64, UInt32>(repeating: 0)
  private var many: [UInt32]
  private let limit: UInt32

  init(expecting count: Int, below limit: UInt32) {
    // A power of two that is at most half full.
    let capacity = 1 << (Int.bitWidth - (count * 2).leadingZeroBitCount)
    many = capacity > few.count ? [UInt32](repeating: 0, count: capacity) : []
    self.limit = limit
  }

  /// Inserts an id. Returns false for an id that is in the set, is 0, or is not below the limit.
  mutating func insert(_ id: UInt32) -> Bool {
    guard id > 0, id < limit else { return false }
    if many.isEmpty {
      var slots = few.mutableSpan
      return Self.insert(id, into: &slots)
    }
    var slots = many.mutableSpan
    return Self.insert(id, into: &slots)
  }

  private static func insert(_ id: UInt32, into slots: inout MutableSpan<UInt32>) -> Bool {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: id) & mask
    while slots[slot] != 0 {
      if slots[slot] == id { return false }
      slot = (slot + 1) & mask
    }
    slots[slot] = id
    return true
  }
}

extension Stack {
  /// The number of ids of this stack, of its entries, and of the stacks in and over it.
  fileprivate var idCount: Int {
    var count = 1 + entries.count
    for entry in entries {
      guard case .tabs(let bar) = entry.content else { continue }
      for tab in bar.tabs { count += tab.stack.idCount }
    }
    for modal in modals { count += modal.idCount }
    return count
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
