// The invariants of a committed state. Every commit checks them.
extension SessionState {
  /// Returns the first invariant that does not hold; nil if all hold.
  func brokenInvariant() -> BrokenInvariant? {
    do throws(BrokenInvariant) {
      try checkTree()
      try checkIDs()
      try checkPresentation()
      guard hasExtras else { return nil }
      guard work.allSatisfy({ nodeIndex($0.owner) != nil }) else { throw .workOfDeadCoordinator }
      if !loaded.isEmpty || work.contains(where: { $0.effect?.property != nil }) { try checkLoads() }
      for locked in lockedStarts
      where nodeIndex(locked.coordinator) == nil || !isSelfOrAncestor(locked.guardian, of: locked.coordinator) {
        throw .invalidLockedStart
      }
      guard pendingIntents.allSatisfy({ nodeIndex($0.guardian) != nil }) else { throw .intentBehindMissingGuard }
      guard queuedPrompts.isEmpty || prompt != nil else { throw .promptBehindNone }
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
    if hasExtras {
      for work in work {
        ids.append(work.id.rawValue)
        if let compensation = work.effect?.compensation { ids.append(compensation.id.rawValue) }
      }
      ids += promptIDs.map(\.rawValue)
    }
    for index in nodes.indices { ids.append(nodes[index].id.rawValue) }
    for index in stacks.indices {
      ids.append(stacks[index].id.rawValue)
      for position in stacks[index].entries.indices { ids.append(stacks[index].entries[position].id.rawValue) }
    }
    ids.sort()
    guard ids[0] > 0, ids[ids.count - 1] < nextID, zip(ids, ids.dropFirst()).allSatisfy(<) else { throw .invalidID }
  }

  /// Requires that every property that is or was loaded belongs to a screen, and has one effect at most.
  private func checkLoads() throws(BrokenInvariant) {
    let pending = work.compactMap { $0.effect?.property }
    for properties in [pending, loaded.map(\.property)] {
      for (index, property) in properties.enumerated() {
        guard entry(property.entry)?.screen != nil, !properties[..<index].contains(property) else {
          throw .invalidLoad
        }
      }
    }
  }

  /// Requires stacks that follow the one that they lie in or over, one stack for each tab, and an entry in the subtree
  /// of each coordinator.
  private func checkPresentation() throws(BrokenInvariant) {
    var tabStacks: [StackID] = []
    for (index, stack) in stacks.enumerated() {
      if let covered = stack.covered {
        guard stacks[..<index].contains(where: { $0.id == covered }) else { throw .detachedStack }
        guard modal(over: covered)?.id == stack.id else { throw .secondModal }
      } else if index > 0 {
        guard tabStacks.contains(stack.id) else { throw .detachedStack }
      }
      guard !stack.entries.isEmpty else { throw .emptyStack }
      var owner: NodeID?
      let entries = stack.entries.span
      for position in entries.indices {
        if case .tabs(let bar) = entries[position].content {
          guard bar.tabs.indices.contains(bar.selected) else { throw .missingSelectedTab }
          for tab in bar.tabs.indices { tabStacks.append(bar.tabs[tab].stack) }
        }
        // Neighbours mostly have one owner.
        if entries[position].owner != owner { try check(entries[position].owner, on: stack) }
        owner = entries[position].owner
      }
    }
    guard stacks.count(where: { !$0.isModal }) == tabStacks.count + 1 else { throw .detachedStack }
    // The root coordinator of a tab has no screen while guards lock the tab.
    guard idleNodes.allSatisfy({ isTabRoot($0) }) else { throw .idleCoordinator }
  }

  /// Requires that a coordinator shows screens on its own stack, on those of its descendants, or on a modal over one of
  /// them.
  private func check(_ owner: NodeID, on stack: Stack) throws(BrokenInvariant) {
    guard nodeIndex(owner) != nil else { throw .deadOwner }
    var current: Stack? = stack
    while let next = current {
      if nodes.contains(where: { $0.hostStack == next.id && isSelfOrAncestor(owner, of: $0.id) }) { return }
      current = next.covered.flatMap { self.stack($0) }
    }
    throw .foreignOwner
  }
}

/// An invariant of a committed state that does not hold.
public enum BrokenInvariant: String, Error, CustomStringConvertible {
  case idsUsedUp = "the ids are used up"
  case revisionsUsedUp = "the revisions are used up"
  case noRootCoordinator = "there is no root coordinator"
  case secondRootCoordinator = "there are two root coordinators"
  case repeatedCoordinatorID = "two coordinators have one id"
  case missingParent = "the parent of a coordinator does not exist"
  case invalidID = "an id is used twice or was never given out"
  case idleCoordinator = "a coordinator has no entry in its subtree"
  case emptyStack = "a stack is empty"
  case detachedStack = "a stack lies neither in a tab nor over another stack, or a tab has no stack"
  case secondModal = "a stack has two modals"
  case missingSelectedTab = "the selected tab does not exist"
  case deadOwner = "the owner of an entry is not alive"
  case foreignOwner = "the owner of an entry neither lives in its stack nor is an ancestor of a coordinator that does"
  case promptOfDeadCoordinator = "the coordinator that asked a prompt is not alive"
  case promptBehindNone = "a prompt waits although none is open"
  case questionWithoutScreen = "a question is about a screen that does not exist"
  case intentBehindMissingGuard = "a pending intent waits for a guard that does not exist"
  case workOfDeadCoordinator = "the coordinator of pending work is not alive"
  case invalidLoad = "the data of a screen that does not exist is loaded, or a property is loaded twice"
  case invalidLockedStart = "a coordinator that does not exist, or with a foreign guard, waits for its start"

  /// A clause without a capital and a full stop.
  public var description: String { rawValue }
}
