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
