/// The way from the root stack to the visible screen.
struct VisiblePath {
  /// The visible stack.
  var stack: Stack
  /// The number of modals on the way.
  var modals: Int
  /// The innermost modal on the way, nil without one.
  var modal: StackID?
  /// The innermost visible tab bar: no modal covers it, and no entry lies over it.
  var tabBar: TabBar?
  /// Whether that bar lies in a tab of another visible one.
  var isTabBarNested: Bool

  /// The visible entry: the top of `stack`, always a screen.
  var entry: Entry { stack.entries[stack.entries.count - 1] }
}

extension SessionState {
  /// Nil only for a state that breaks the invariants.
  var visiblePath: VisiblePath? { visiblePath(from: stacks[0].id) }

  /// The visible entry.
  public var visibleEntry: Entry? { visiblePath?.entry }

  /// The entry that would be visible without the innermost modal; nil if no modal is open.
  var coveredEntry: Entry? { visiblePath?.modal.flatMap { entryUnder($0) } }

  /// Returns the entry that is visible without the modal.
  private func entryUnder(_ modal: StackID) -> Entry? { visiblePath(from: stacks[0].id, without: modal)?.entry }

  /// Returns the way from the stack `start` to its visible screen, without the modal `dismissed` and what lies in it.
  func visiblePath(from start: StackID, without dismissed: StackID? = nil) -> VisiblePath? {
    var (next, modals, modal, tabBar, isNested) = (stackIndex(start), 0, StackID?.none, TabBar?.none, false)
    while let index = next {
      let id = stacks[index].id
      if let over = stacks.firstIndex(where: { $0.covered == id && $0.id != dismissed }) {
        (next, modals, modal, tabBar, isNested) = (over, modals + 1, stacks[over].id, nil, false)
        continue
      }
      guard let top = stacks[index].entries.last else { return nil }
      guard let bar = top.tabBar else {
        return VisiblePath(
          stack: stacks[index], modals: modals, modal: modal, tabBar: tabBar, isTabBarNested: isNested)
      }
      guard bar.tabs.indices.contains(bar.selected) else { return nil }
      isNested = tabBar != nil
      (next, tabBar) = (stackIndex(bar.tabs[bar.selected].stack), bar)
    }
    return nil
  }

  /// The visible tab bars, each in a tab of the next: no modal covers them, and no entry lies over them.
  var visibleTabBars: [TabBar] {
    let way = visibleStacks.compactMap { stack($0) }
    let uncovered = way.lastIndex(where: \.isModal).map { way[$0...] } ?? way[...]
    return uncovered.reversed().compactMap { $0.entries.last?.tabBar }
  }

  /// The stacks on the way from the root stack to the visible screen.
  var visibleStacks: [StackID] {
    var way: [StackID] = []
    var next: StackID? = stacks[0].id
    while let id = next {
      way.append(id)
      let bar = stack(id)?.entries.last?.tabBar
      next =
        modal(over: id)?.id ?? bar.flatMap { $0.tabs.indices.contains($0.selected) ? $0.tabs[$0.selected].stack : nil }
    }
    return way
  }

  var backTarget: BackTarget? { visiblePath.flatMap { backTarget(from: $0) } }

  func backTarget(from path: VisiblePath) -> BackTarget? {
    if isFinished { return nil }
    if hasPrompt { return .closePrompt }
    guard path.entry.leavePolicy != .sealed else { return nil }
    let entries = path.stack.entries
    if entries.count > 1 { return .pop(path.stack.id, to: entries[entries.count - 2].id) }
    return path.stack.covered == nil ? nil : .dismiss(path.stack.id, to: entryUnder(path.stack.id)?.id)
  }

  /// The reason why `back` has no target.
  var noBackReason: Unavailability { visibleEntry?.leavePolicy == .sealed ? .screenIsSealed : .nothingToGoBackTo }

  /// Returns the modal that `dismiss` removes; nil if there is none, or if one of its entries is sealed.
  func dismissTarget(from path: VisiblePath) -> StackID? {
    guard !hasPrompt, !isFinished, let modal = path.modal else { return nil }
    return hasSealedEntry(inAndOver: modal) ? nil : modal
  }
}

/// The target of `back`: one for each state, the same for the view and for the intent.
enum BackTarget: Equatable {
  case closePrompt
  /// Pops the visible stack down to `entry`.
  case pop(StackID, to: EntryID)
  /// Dismisses the modal with its first screen; `to` is the entry under it.
  case dismiss(StackID, to: EntryID?)
}
