// The presentation of a session: its stacks, and the stacks that lie in the tabs of an entry or over another stack.
extension SessionState {
  /// The root stack.
  public var root: Stack { stacks[0] }

  func stackIndex(_ id: StackID) -> Int? { stacks.firstIndex { $0.id == id } }

  public func stack(_ id: StackID) -> Stack? { stacks.first { $0.id == id } }

  /// Returns the modal that covers the stack `id`; nil if there is none.
  public func modal(over id: StackID) -> Stack? { stacks.first { $0.covered == id } }

  /// The entries of all stacks.
  package var entries: some Sequence<Entry> { stacks.lazy.flatMap(\.entries) }

  public func entry(_ id: EntryID) -> Entry? { position(of: id)?.entry }

  /// Returns the entry `id` and its stack.
  func position(of id: EntryID) -> (entry: Entry, stack: StackID)? {
    for stack in stacks {
      if let entry = stack.entries.first(where: { $0.id == id }) { return (entry, stack.id) }
    }
    return nil
  }

  /// Returns the stack `id`, the one that it covers or lies in, and so on down to the root stack.
  func stacks(from id: StackID) -> [StackID] {
    var chain: [StackID] = []
    var next = stack(id)
    while let stack = next {
      chain.append(stack.id)
      let below = stack.covered.flatMap { self.stack($0) }
      next = below ?? stacks.first { $0.entries.contains { $0.tabBar?.index(of: stack.id) != nil } }
    }
    return chain
  }

  /// Whether an entry of the stack, or of those in and over it, is sealed.
  func hasSealedEntry(inAndOver stack: StackID) -> Bool {
    stacks.inAndOver(stack).contains { $0.entries.contains { $0.leavePolicy == .sealed } }
  }

  // Removal. Leave policies are the subject of ``Transaction``.

  /// Removes every `unwanted` entry, with those entries over it, on its stack or in and over the modal over that stack,
  /// that `isAbove` selects. Removes modals that are empty afterwards, unless one `isKept`.
  mutating func removeEntries(
    including isAbove: (Entry) -> Bool = { _ in false }, keeping isKept: (StackID) -> Bool = { _ in false },
    where unwanted: (Entry) -> Bool
  ) {
    var above: [StackID] = []
    for index in stacks.indices {
      let stack = stacks[index]
      let lowest = above.contains(stack.id) ? 0 : stack.entries.firstIndex(where: unwanted)
      guard let lowest else { continue }
      if let modal = modal(over: stack.id) { above += stacks.ids(inAndOver: modal.id) }
      let staying = stack.entries[lowest...].filter { !unwanted($0) && !isAbove($0) }
      stacks[index].entries = Array(stack.entries[..<lowest]) + staying
    }
    removeDetachedStacks { $0.isModal && $0.entries.isEmpty && !isKept($0.id) }
  }

  /// Removes the stacks in and over the stack `id`, and the stack itself.
  mutating func removeStack(_ id: StackID) { removeDetachedStacks { $0.id == id } }

  /// Removes the stacks whose tab is gone, the `unwanted` ones, and those in and over them.
  mutating func removeDetachedStacks(and unwanted: (Stack) -> Bool = { _ in false }) {
    guard stacks.count > 1 else { return }
    let staying = stacks.ids(inAndOver: stacks[0].id) { !unwanted($0) }
    let isDetached: (Stack) -> Bool = { !staying.contains($0.id) }
    if stacks.contains(where: isDetached) { stacks.removeAll(where: isDetached) }
  }

  /// Changes the tab bar with the tab of a stack, whose index it gives to `change`.
  mutating func updateTab(of stack: StackID, _ change: (inout TabBar, Int) -> Void) {
    updateTabBar(where: { $1.index(of: stack) != nil }) { bar in
      if let index = bar.index(of: stack) { change(&bar, index) }
    }
  }

  /// Changes the first tab bar for which `wanted` is true. Returns nil if there is none.
  @discardableResult
  mutating func updateTabBar<R>(where wanted: (Entry, TabBar) -> Bool, _ change: (inout TabBar) -> R) -> R? {
    for stack in stacks.indices {
      for index in stacks[stack].entries.indices {
        let entry = stacks[stack].entries[index]
        guard var bar = entry.tabBar, wanted(entry, bar) else { continue }
        defer { stacks[stack].entries[index].content = .tabs(bar) }
        return change(&bar)
      }
    }
    return nil
  }
}

extension [Stack] {
  /// Returns the stack `id` with those in and over it.
  func inAndOver(_ id: StackID) -> [Stack] {
    let ids = ids(inAndOver: id)
    return filter { ids.contains($0.id) }
  }

  /// Returns the ids of the stack `id` and of those in and over it, without the stacks that are not `wanted` and those
  /// in and over them.
  func ids(inAndOver id: StackID, where isWanted: (Stack) -> Bool = { _ in true }) -> [StackID] {
    var ids: [StackID] = []
    ids.reserveCapacity(count)
    ids.append(id)
    // A stack is created after the one that it lies in or over, so one pass in the order of creation finds them all.
    for stack in self where isWanted(stack) {
      if let covered = stack.covered, ids.contains(covered) { ids.append(stack.id) }
      guard ids.contains(stack.id) else { continue }
      for entry in stack.entries {
        guard case .tabs(let bar) = entry.content else { continue }
        for tab in bar.tabs.indices { ids.append(bar.tabs[tab].stack) }
      }
    }
    return ids
  }
}
