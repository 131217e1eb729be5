// The stack commands. Each command is one call of a primitive, ``change(_:by:goingForward:_:)``, which edits the
// entries and returns the removed ones.
extension Transaction {
  /// - Parameter singleTop: whether a top with the same content stays as it is.
  mutating func push(
    _ entry: Entry, on stack: StackID, by actor: NodeID, singleTop: Bool = false
  ) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      if !singleTop || entries.last?.content != entry.content { entries.append(entry) }
      return []
    }
  }

  mutating func bringToFront(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      let found = entries.lastIndex { $0.screen == entry.screen && $0.owner == entry.owner }
      let old = found.map { entries.remove(at: $0) }
      let id = old?.id ?? entry.id
      entries.append(Entry(id: id, owner: entry.owner, content: entry.content, leavePolicy: entry.leavePolicy))
      return []
    }
  }

  mutating func pop(_ count: Int, from stack: StackID, by actor: NodeID?) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      // The children that had the whole stack have ended in this step.
      if entries.isEmpty, actor != nil { return [] }
      // The user cannot empty a stack. A coordinator can: its modal ends, and a root stack or a tab starts again.
      guard count >= 1, count < entries.count || count == entries.count && actor != nil else {
        throw .fault(.cannotPop(count: count, of: entries.count))
      }
      return entries.cut(from: entries.count - count)
    }
  }

  mutating func popTo(_ screen: Int?, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { entries throws(Interruption) in
      guard let screen, let found = entries.lastIndex(where: { $0.screen == screen }) else {
        throw .fault(.noScreenToPopTo)
      }
      return entries.cut(from: found + 1)
    }
  }

  mutating func popToRoot(_ stack: StackID, by actor: NodeID?) throws(Interruption) {
    try change(stack, by: actor) { $0.cut(from: min($0.count, 1)) }
  }

  /// Pops a stack to its root, but leaves a gate of several screens that replaces a root coordinator as it is.
  mutating func returnToRoot(of stack: StackID, by actor: NodeID?) throws(Interruption) {
    if showsReaction(stack) { return }
    try popToRoot(stack, by: actor)
  }

  mutating func replaceTop(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    // The guard of a coordinator that has not started yet replaces no screen of the parent.
    let hasNone = waitingGuardian == actor
    try change(stack, by: actor, goingForward: true) { entries throws(Interruption) in
      // The stack has no top when a coordinator starts, or when its child had the whole stack.
      let hasTop = !hasNone || entries.last?.owner == actor
      let replaced = hasTop ? entries.cut(from: max(entries.count - 1, 0)) : []
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
    guard let index = state.stackIndex(stack) else { throw .fault(.stackIsGone) }
    let count = state.stacks[index].entries.count
    let gone = try edit(&state.stacks[index].entries)
    let newCount = state.stacks[index].entries.count
    if newCount > count, newCount > app.limits.depth { throw .rejected(.tooDeep(limit: app.limits.depth)) }
    if gone.isEmpty { return }
    try askToLeave(gone.reversed(), by: actor, goingForward: goingForward)
    if gone.contains(where: { $0.tabBar != nil }) { state.removeDetachedStacks() }
  }

  // MARK: Modals

  /// Presents a new, still empty stack over `stack`, and over the modals that are open there.
  mutating func presentStack(over stack: StackID) throws(Interruption) -> StackID {
    if stack == vacantStack, isEmpty(stack) { return stack }
    guard state.stack(stack) != nil else { throw .fault(.stackIsGone) }
    let top = topModal(over: stack)
    try checkNesting(beyond: top)
    let modal = Stack(id: state.makeID(), covered: top, entries: [])
    state.stacks.append(modal)
    return modal.id
  }

  /// Returns the modal at the top of those over a stack; the stack itself without any.
  private func topModal(over stack: StackID) -> StackID {
    var top = stack
    while let modal = state.modal(over: top) { top = modal.id }
    return top
  }

  /// Refuses one more stack in or over `stack` if a session with it could not be read.
  func checkNesting(beyond stack: StackID) throws(Interruption) {
    let limit = app.limits.nesting
    if state.stacks(from: stack).count >= limit { throw .rejected(.tooDeep(limit: limit)) }
  }

  /// Dismisses the top modal over `stack`, or `stack` itself if it is a modal. Where the modal of a guard has become the
  /// stack itself, its entries are removed.
  mutating func dismiss(at stack: StackID, by actor: NodeID) throws(Interruption) {
    let locked = lockOfVisibleTab.flatMap { $0.guardian == actor ? state.node($0.coordinator) : nil }
    let dismissed = topModal(over: locked?.hostStack ?? stack)
    guard showsReaction(dismissed), let index = state.stackIndex(dismissed) else {
      guard state.stack(dismissed)?.isModal ?? false else { throw .fault(.nothingToDismiss) }
      return try removeModal(dismissed)
    }
    try askToLeave(state.stacks[index])
    state.stacks[index].entries = []
    state.removeDetachedStacks { $0.covered == dismissed }
  }

  mutating func removeModal(_ id: StackID) throws(Interruption) {
    guard let modal = state.stack(id) else { throw .fault(.stackIsGone) }
    try askToLeave(modal)
    state.removeStack(id)
  }

  mutating func dismissAll() throws(Interruption) {
    while let modal = state.stacks.first(where: \.isModal) { try removeModal(modal.id) }
  }

  // MARK: Tabs

  mutating func setTabs(_ drafts: [TabDraft], on stack: StackID, by actor: NodeID) throws(Interruption) {
    guard !drafts.isEmpty else { throw .fault(.emptyTabBar) }
    guard Set(drafts.map(\.child.name)).count == drafts.count else { throw .fault(.repeatedTab) }
    try checkNesting(beyond: stack)
    let tabs = drafts.map { draft in
      TabBar.Tab(name: draft.child.name, title: draft.title, icon: draft.icon, badge: nil, stack: state.makeID())
    }
    let bar = TabBar(tabs: tabs, selected: 0)
    let entry = Entry(id: state.makeID(), owner: actor, content: .tabs(bar), leavePolicy: .free)
    try setStack([entry], on: stack, by: actor)
    for tab in tabs { state.stacks.append(Stack(id: tab.stack, covered: nil, entries: [])) }
    for (draft, tab) in zip(drafts, tabs) { try start(draft.child, under: actor, in: tab.stack, isTab: true) }
  }

  mutating func selectTab(named name: String, reselect: Bool, by actor: NodeID) throws(Interruption) {
    let selected = updateTabBar(near: actor) { bar -> StackID? in
      guard let index = bar.index(of: name) else { return nil }
      bar.selected = index
      return bar.tabs[index].stack
    }
    guard let stack = selected else { throw .fault(.unknownTab(name)) }
    try uncoverTabBar(of: stack, by: actor)
    if reselect { try returnToRoot(of: stack, by: actor) }
  }

  /// Selects the tabs that a stack lies in, where another one is visible.
  mutating func showTabs(of stack: StackID, by actor: NodeID) throws(Interruption) {
    guard !state.visibleStacks.contains(stack) else { return }
    if let covered = state.stack(stack)?.covered { return try showTabs(of: covered, by: actor) }
    guard let bar = state.stacks.first(where: { $0.entries.contains { $0.tabBar?.index(of: stack) != nil } }) else {
      return
    }
    try showTabs(of: bar.id, by: actor)
    state.updateTab(of: stack) { $0.selected = $1 }
    try uncoverTabBar(of: stack, by: actor)
  }

  /// Removes the modal over a tab bar and the entries on top of it, subject to their leave policies.
  private mutating func uncoverTabBar(of tabStack: StackID, by actor: NodeID) throws(Interruption) {
    let isBar: (Entry) -> Bool = { $0.tabBar?.index(of: tabStack) != nil }
    guard let stack = state.stacks.first(where: { $0.entries.contains(where: isBar) }) else { return }
    if let modal = state.modal(over: stack.id) { try removeModal(modal.id) }
    try change(stack.id, by: actor) { $0.cut(from: ($0.lastIndex(where: isBar) ?? $0.count - 1) + 1) }
  }

  mutating func setBadge(_ count: Int?, tab name: String?, by actor: NodeID) throws(Interruption) {
    let path = state.path(to: actor).map { app.name(of: $0) }
    let set: Void? = updateTabBar(near: actor) { bar -> Void? in
      let index = name.map { bar.index(of: $0) } ?? bar.tabs.firstIndex { path.contains($0.name) }
      return index.map { bar.tabs[$0].badge = count }
    }
    guard set != nil else { throw .fault(.noTabForBadge) }
  }

  /// Changes the tab bar of the coordinator, or of the nearest ancestor that has one. Returns nil if none has.
  private mutating func updateTabBar<R>(near actor: NodeID, _ change: (inout TabBar) -> R?) -> R? {
    for node in state.path(to: actor).reversed() {
      if let changed = state.updateTabBar(where: { entry, _ in entry.owner == node.id }, change) { return changed }
    }
    return nil
  }

  // MARK: Leave policies. Every removal of entries goes through these functions.

  /// Applies the leave policies of entries, those in their tab bars first.
  func askToLeave(_ entries: some Sequence<Entry>, by actor: NodeID?, goingForward: Bool = false) throws(Interruption) {
    for entry in entries {
      for tab in entry.tabBar?.tabs ?? [] {
        if let stack = state.stack(tab.stack) { try askToLeave(stack) }
      }
      if goingForward, entry.owner == actor { continue }
      if isPassedGate(entry) { continue }
      switch entry.leavePolicy {
      case .free: break
      case .sealed:
        guard isBackground && agreesToLeave else { throw .unavailable(.screenIsSealed) }
      case .confirm:
        // The user has never seen an entry of this step.
        guard agreesToLeave || consents.contains(entry.id) || entry.id.rawValue >= firstNewID else {
          throw .question(entry.id)
        }
      }
    }
  }

  /// Applies the leave policies of all entries of a stack that is removed as a whole, from the visible entry downwards.
  func askToLeave(_ stack: Stack) throws(Interruption) {
    if let modal = state.modal(over: stack.id) { try askToLeave(modal) }
    try askToLeave(stack.entries.reversed(), by: nil)
  }
}

extension [Entry] {
  /// Removes and returns the entries from `index` on.
  mutating func cut(from index: Int) -> [Entry] {
    defer { self = Array(self[..<index]) }
    return Array(self[index...])
  }
}
