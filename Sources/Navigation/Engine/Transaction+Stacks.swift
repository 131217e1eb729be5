// The stack commands. Each is one call of a primitive, ``change(_:by:goingForward:_:)``, which edits the entries and
// returns the removed ones.
extension Transaction {
  mutating func push(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      entries.append(entry)
      return []
    }
  }

  mutating func pushSingleTop(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      if entries.last?.content != entry.content { entries.append(entry) }
      return []
    }
  }

  mutating func bringToFront(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      guard let found = entries.lastIndex(where: { $0.screen == entry.screen && $0.owner == entry.owner }) else {
        entries.append(entry)
        return []
      }
      var moved = entries.remove(at: found)
      moved.content = entry.content
      moved.leavePolicy = entry.leavePolicy
      entries.append(moved)
      return []
    }
  }

  mutating func pop(_ count: Int, from stack: StackID, by actor: NodeID?) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      guard count >= 1, count < entries.count else {
        throw .unavailable(.cannotPop(count: count, of: entries.count))
      }
      return entries.cut(from: entries.count - count)
    }
  }

  mutating func popTo(_ screen: Int?, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      guard let screen, let found = entries.lastIndex(where: { $0.screen == screen }) else {
        throw .unavailable(.noScreenToPopTo)
      }
      return entries.cut(from: found + 1)
    }
  }

  mutating func popToRoot(_ stack: StackID, by actor: NodeID?) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      entries.cut(from: min(entries.count, 1))
    }
  }

  mutating func replaceTop(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor, goingForward: true) { entries throws(Interruption) in
      // The stack has no top when a coordinator starts, or when its child had the whole stack.
      let replaced = entries.cut(from: max(entries.count - 1, 0))
      entries.append(entry)
      return replaced
    }
  }

  mutating func setStack(_ new: [Entry], on stack: StackID, by actor: NodeID) throws(Interruption) {
    guard !new.isEmpty else { throw .fault(.emptyStack) }
    try change(stack, by: actor, goingForward: true) { entries throws(Interruption) in
      defer { entries = new }
      return entries
    }
  }

  /// Changes the entries of a stack, subject to the leave policy of every removed entry: the primitive of all stack
  /// commands.
  ///
  /// - Parameters:
  ///   - actor: the coordinator that gives the command; nil for the user.
  ///   - goingForward: whether the entries of the actor itself are exempt from their policies.
  ///   - edit: returns the removed entries, bottom first.
  mutating func change(
    _ stack: StackID, by actor: NodeID?, goingForward: Bool = false,
    _ edit: (inout [Entry]) throws(Interruption) -> [Entry]
  ) throws(Interruption) {
    let limit = app.limits.depth
    let found = try state.root.withStack(stack) { (stack: inout Stack) throws(Interruption) -> [Entry] in
      let count = stack.entries.count
      let gone = try edit(&stack.entries)
      if stack.entries.count > limit, stack.entries.count > count { throw .rejected(.tooDeep(limit: limit)) }
      return gone
    }
    guard let gone = found else { throw .fault(.stackIsGone) }
    try askToLeave(gone.reversed(), by: actor, goingForward: goingForward)
  }
}

extension [Entry] {
  /// Removes and returns the entries from `index` on.
  mutating func cut(from index: Int) -> [Entry] {
    let removed = Array(self[index...])
    removeLast(removed.count)
    return removed
  }
}

// The modal commands.
extension Transaction {
  /// Presents a new, still empty stack over `stack`. Refused if a modal is open: a stack has no more than one.
  mutating func presentStack(over stack: StackID) throws(Interruption) -> StackID {
    if stack == vacantStack, state.root.withStack(stack, { $0.entries.isEmpty }) ?? false { return stack }
    try checkNesting(beyond: stack)
    let modal = Stack(id: state.makeID(), entries: [])
    let accepted = state.root.withStack(stack) { covered in
      guard covered.modals.isEmpty else { return false }
      covered.modals.append(modal)
      return true
    }
    switch accepted {
    case true?: return modal.id
    case false?: throw .unavailable(.modalIsOpen)
    case nil: throw .fault(.stackIsGone)
    }
  }

  /// Refuses one more stack in or over `stack` if a session with it could not be read.
  func checkNesting(beyond stack: StackID) throws(Interruption) {
    let limit = app.limits.nesting
    if let level = state.root.level(of: stack), level >= limit { throw .rejected(.tooDeep(limit: limit)) }
  }

  /// Dismisses the modal over `stack`, or `stack` itself if it is a modal.
  mutating func dismiss(at stack: StackID) throws(Interruption) {
    let over = state.root.withStack(stack) { $0.modal?.id } ?? nil
    try removeModal(over ?? stack)
  }

  mutating func removeModal(_ id: StackID) throws(Interruption) {
    guard let modal = state.root.withStack(id, { $0 }), state.root.removeModal(id) else {
      throw .unavailable(.noModal)
    }
    try askToLeave(modal)
  }

  mutating func dismissAll() throws(Interruption) {
    while let modal = state.root.firstModal {
      state.root.removeModal(modal.id)
      try askToLeave(modal)
    }
  }
}

extension Stack {
  /// A modal in or over this stack, the outermost of its chain.
  fileprivate var firstModal: Stack? {
    if let modal { return modal }
    for entry in entries {
      guard case .tabs(let bar) = entry.content else { continue }
      for tab in bar.tabs {
        if let found = tab.stack.firstModal { return found }
      }
    }
    return nil
  }
}

// The tab commands.
extension Transaction {
  mutating func setTabs(_ drafts: [TabDraft], on stack: StackID, by actor: NodeID) throws(Interruption) {
    guard !drafts.isEmpty else { throw .fault(.emptyTabBar) }
    guard Set(drafts.map(\.child.name)).count == drafts.count else { throw .fault(.repeatedTab) }
    try checkNesting(beyond: stack)
    let tabs = drafts.map { draft in
      TabBar.Tab(
        name: draft.child.name, title: draft.title, icon: draft.icon, badge: nil,
        stack: Stack(id: state.makeID(), entries: []))
    }
    let bar = TabBar(tabs: tabs, selected: 0)
    let entry = Entry(id: state.makeID(), owner: actor, content: .tabs(bar), leavePolicy: .free)
    try setStack([entry], on: stack, by: actor)
    for (draft, tab) in zip(drafts, tabs) { try start(draft.child, under: actor, in: tab.stack.id, isTab: true) }
  }

  /// Selects the tab `index` of the bar that the stack `tabStack` belongs to.
  mutating func show(tab index: Int, of tabStack: StackID) throws(Interruption) {
    state.root.updateTabBar(where: { $0.tabs.contains { $0.stack.id == tabStack } }) { $0.selected = index }
  }

  mutating func selectTab(named name: String, reselect: Bool, by actor: NodeID) throws(Interruption) {
    let selected = updateTabBar(near: actor) { bar -> StackID? in
      guard let index = bar.index(of: name) else { return nil }
      bar.selected = index
      return bar.tabs[index].stack.id
    }
    guard let stack = selected else { throw .fault(.unknownTab(name)) }
    if reselect { try popToRoot(stack, by: actor) }
  }

  mutating func setBadge(_ count: Int?, tab name: String?, by actor: NodeID) throws(Interruption) {
    let path = state.path(to: actor).map { app.coordinators[$0.coordinator].definition.name }
    let set: Void? = updateTabBar(near: actor) { bar -> Void? in
      let index = name.map { bar.index(of: $0) } ?? bar.tabs.firstIndex { path.contains($0.name) }
      return index.map { bar.tabs[$0].badge = count }
    }
    guard set != nil else { throw .fault(.noTabForBadge) }
  }

  /// Changes the tab bar of the coordinator, or of the nearest ancestor that has one. Returns nil if none has.
  private mutating func updateTabBar<R>(near actor: NodeID, _ change: (inout TabBar) -> R?) -> R? {
    for node in state.path(to: actor).reversed() {
      if let changed = state.root.updateTabBar(ownedBy: node.id, change) { return changed }
    }
    return nil
  }
}

extension Stack {
  /// Changes the first tab bar, on this stack or in or over it, for which `wanted` is true. Returns nil if there is
  /// none.
  @discardableResult
  mutating func updateTabBar<R>(where wanted: (TabBar) -> Bool, _ change: (inout TabBar) -> R) -> R? {
    updateTabBar(matching: { _, bar in wanted(bar) }, change)
  }

  mutating func updateTabBar<R>(ownedBy owner: NodeID, _ change: (inout TabBar) -> R) -> R? {
    updateTabBar(matching: { entry, _ in entry.owner == owner }, change)
  }

  private mutating func updateTabBar<R>(
    matching wanted: (Entry, TabBar) -> Bool, _ change: (inout TabBar) -> R
  ) -> R? {
    for index in entries.indices {
      guard case .tabs(let bar) = entries[index].content else { continue }
      if wanted(entries[index], bar) { return entries[index].tabBar.map { _ in change(&entries[index].tabBar!) } }
      for tab in bar.tabs.indices {
        if let result = entries[index].tabBar!.tabs[tab].stack.updateTabBar(matching: wanted, change) { return result }
      }
    }
    for index in modals.indices {
      if let result = modals[index].updateTabBar(matching: wanted, change) { return result }
    }
    return nil
  }
}

// Leave policies: every removal of entries goes through these functions.
extension Transaction {
  /// Applies the leave policies of entries, those in their tab bars first.
  func askToLeave(_ entries: [Entry], by actor: NodeID?, goingForward: Bool = false) throws(Interruption) {
    for entry in entries {
      if case .tabs(let bar) = entry.content {
        for tab in bar.tabs { try askToLeave(tab.stack) }
      }
      if goingForward, entry.owner == actor { continue }
      switch entry.leavePolicy {
      case .free: break
      case .sealed: throw .unavailable(.screenIsSealed)
      case .confirm:
        guard isRehearsal || consents.contains(entry.id) else { throw .question(entry.id) }
      }
    }
  }

  /// Applies the leave policies of all entries of a stack that is removed as a whole, from the visible entry downwards.
  func askToLeave(_ stack: Stack) throws(Interruption) {
    for modal in stack.modals { try askToLeave(modal) }
    try askToLeave(stack.entries.reversed(), by: nil)
  }
}

extension Stack {
  /// Whether an entry of this stack, or of those in and over it, is sealed.
  var hasSealedEntry: Bool { modals.contains(where: \.hasSealedEntry) || entries.contains(where: \.hasSealedEntry) }
}

extension Entry {
  var hasSealedEntry: Bool {
    if leavePolicy == .sealed { return true }
    guard case .tabs(let bar) = content else { return false }
    return bar.tabs.contains { $0.stack.hasSealedEntry }
  }
}
