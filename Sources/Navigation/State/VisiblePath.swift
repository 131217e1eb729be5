/// The way from the root stack to the visible screen.
struct VisiblePath {
  /// The visible stack.
  var stack: Stack
  /// The visible entry: the top of `stack`, always a screen.
  var entry: Entry
  /// The number of modals on the way.
  var modals = 0
  /// The innermost modal on the way, nil without one.
  var modal: Stack?
  /// The innermost visible tab bar: no modal covers it, and no entry lies over it.
  var tabBar: TabBar?

  /// Nil only for a state that breaks the invariants (an empty stack).
  init?(of root: Stack) {
    stack = root
    while true {
      switch stack.visiblePart {
      case nil: return nil
      case .modal(let modal)?:
        modals += 1
        self.modal = modal
        tabBar = nil
        stack = modal
      case .tab(let selected, let bar)?:
        tabBar = bar
        stack = selected
      case .screen(let top)?:
        entry = top
        return
      }
    }
  }
}

extension SessionState {
  /// The visible entry.
  public var visibleEntry: Entry? { root.visiblePlace?.entry }

  /// The entry that would be visible without the innermost modal; nil if no modal is open.
  var coveredEntry: Entry? { VisiblePath(of: root)?.modal.flatMap { root.visibleEntry(without: $0.id) } }
}

extension Stack {
  /// The visible part of a stack: the one rule for every way to the visible screen.
  fileprivate enum VisiblePart {
    case modal(Stack)
    case tab(Stack, of: TabBar)
    case screen(Entry)
  }

  /// The visible entry of this stack and those over it, and its stack: the end of the ``VisiblePath``.
  var visiblePlace: (entry: Entry, stack: StackID)? {
    switch visiblePart {
    case nil: nil
    case .modal(let stack)?, .tab(let stack, _)?: stack.visiblePlace
    case .screen(let top)?: (top, id)
    }
  }

  /// Returns the entry of this stack that would be visible without the modal `id`.
  fileprivate func visibleEntry(without id: StackID) -> Entry? {
    if let modal, modal.id != id { return modal.visibleEntry(without: id) }
    guard let top = entries.last, case .tabs(let bar) = top.content else { return entries.last }
    return bar.tabs.indices.contains(bar.selected) ? bar.tabs[bar.selected].stack.visibleEntry(without: id) : nil
  }

  /// Nil only in a state that breaks the invariants.
  fileprivate var visiblePart: VisiblePart? {
    if let modal { return .modal(modal) }
    guard let top = entries.last else { return nil }
    guard case .tabs(let bar) = top.content else { return .screen(top) }
    return bar.tabs.indices.contains(bar.selected) ? .tab(bar.tabs[bar.selected].stack, of: bar) : nil
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

extension SessionState {
  var backTarget: BackTarget? { VisiblePath(of: root).flatMap { backTarget(from: $0) } }

  func backTarget(from path: VisiblePath) -> BackTarget? {
    if isFinished { return nil }
    if prompt != nil { return .closePrompt }
    guard path.entry.leavePolicy != .sealed else { return nil }
    let entries = path.stack.entries
    if entries.count > 1 { return .pop(path.stack.id, to: entries[entries.count - 2].id) }
    guard let modal = path.modal, modal.id == path.stack.id else { return nil }
    return .dismiss(modal.id, to: entryUnder(modal.id))
  }

  /// The reason why `back` has no target.
  var noBackReason: Unavailability { visibleEntry?.leavePolicy == .sealed ? .screenIsSealed : .nothingToGoBackTo }

  /// Returns the modal that `dismiss` removes; nil if there is none, or if one of its entries is sealed.
  func dismissTarget(from path: VisiblePath) -> StackID? {
    guard prompt == nil, !isFinished, let modal = path.modal else { return nil }
    return modal.hasSealedEntry ? nil : modal.id
  }

  /// Returns the entry that is visible without the modal.
  func entryUnder(_ modal: StackID) -> EntryID? {
    var uncovered = root
    uncovered.removeModal(modal)
    return uncovered.visiblePlace?.entry.id
  }
}

extension Stack {
  /// Removes the modal `id`, wherever it lies. Returns false if there is none.
  @discardableResult
  mutating func removeModal(_ id: StackID) -> Bool {
    if modal?.id == id {
      modals.removeAll()
      return true
    }
    for index in modals.indices where modals[index].removeModal(id) { return true }
    for index in entries.indices {
      guard case .tabs = entries[index].content else { continue }
      var removed = false
      entries[index].tabBar?.forEachTab { removed = removed || $0.stack.removeModal(id) }
      if removed { return true }
    }
    return false
  }
}
