/// The way from the root stack to the one screen that shows.
struct VisiblePath {
  /// The stack whose top shows.
  var stack: Stack
  /// The entry that shows: the top of `stack`, always a screen.
  var entry: Entry
  /// How many modals the way goes through.
  var modals = 0
  /// The innermost modal on the way, nil without one.
  var modal: Stack?
  /// The innermost tab bar that is still in sight: no modal covers it and no entry lies over it.
  var tabBar: TabBar?

  /// Nil only for a state that breaks the invariants (an empty stack).
  init?(of root: Stack) {
    stack = root
    guard let top = root.entries.last else { return nil }
    entry = top
    while true {
      if let modal = stack.modal {
        modals += 1
        self.modal = modal
        tabBar = nil
        stack = modal
      } else if case .tabs(let bar) = entry.content {
        guard bar.tabs.indices.contains(bar.selected) else { return nil }
        tabBar = bar
        stack = bar.tabs[bar.selected].stack
      } else {
        return
      }
      guard let top = stack.entries.last else { return nil }
      entry = top
    }
  }
}

extension SessionState {
  /// The entry that shows.
  public var visibleEntry: Entry? { root.visiblePlace?.entry }
}

extension Stack {
  /// The entry that shows of this stack and what covers it, and the stack it is on: the end of the ``VisiblePath``.
  var visiblePlace: (entry: Entry, stack: StackID)? {
    guard modals.isEmpty else { return modals[0].visiblePlace }
    guard let top = entries.last else { return nil }
    guard case .tabs(let bar) = top.content else { return (top, id) }
    return bar.tabs.indices.contains(bar.selected) ? bar.tabs[bar.selected].stack.visiblePlace : nil
  }
}
