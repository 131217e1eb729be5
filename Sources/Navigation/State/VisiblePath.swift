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
    while true {
      switch stack.inSight {
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
  /// The entry that shows.
  public var visibleEntry: Entry? { root.visiblePlace?.entry }

  /// The entry that would show if the innermost modal were not there; nil where no modal is open.
  var coveredEntry: Entry? { VisiblePath(of: root)?.modal.flatMap { root.visibleEntry(without: $0.id) } }
}

extension Stack {
  /// What of a stack is in sight: the rule of every way to the screen that shows.
  fileprivate enum InSight {
    case modal(Stack)
    case tab(Stack, of: TabBar)
    case screen(Entry)
  }

  /// The entry that shows of this stack and what covers it, and the stack it is on: the end of the ``VisiblePath``.
  var visiblePlace: (entry: Entry, stack: StackID)? {
    switch inSight {
    case nil: nil
    case .modal(let stack)?, .tab(let stack, _)?: stack.visiblePlace
    case .screen(let top)?: (top, id)
    }
  }

  /// The entry that would show of this stack if the modal `id` were not there.
  fileprivate func visibleEntry(without id: StackID) -> Entry? {
    if let modal, modal.id != id { return modal.visibleEntry(without: id) }
    guard let top = entries.last, case .tabs(let bar) = top.content else { return entries.last }
    return bar.tabs.indices.contains(bar.selected) ? bar.tabs[bar.selected].stack.visibleEntry(without: id) : nil
  }

  /// Nil only in a state that breaks the invariants.
  fileprivate var inSight: InSight? {
    if let modal { return .modal(modal) }
    guard let top = entries.last else { return nil }
    guard case .tabs(let bar) = top.content else { return .screen(top) }
    return bar.tabs.indices.contains(bar.selected) ? .tab(bar.tabs[bar.selected].stack, of: bar) : nil
  }
}

/// Where `back` leads: one target a state, the same for the view and for the intent.
enum BackTarget: Equatable {
  case closePrompt
  /// Pops the visible stack down to `entry`.
  case pop(StackID, to: EntryID)
  /// The modal's first screen goes with the modal; `to` is the entry under it.
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

  /// Why there is nothing to go back to.
  var noBackReason: Unavailability { visibleEntry?.leavePolicy == .sealed ? .screenIsSealed : .nothingToGoBackTo }

  /// The modal that `dismiss` takes away; nil where there is none or one of its entries is sealed.
  func dismissTarget(from path: VisiblePath) -> StackID? {
    guard prompt == nil, !isFinished, let modal = path.modal else { return nil }
    return modal.hasSealedEntry ? nil : modal.id
  }

  /// The entry that shows once the modal has gone.
  func entryUnder(_ modal: StackID) -> EntryID? {
    var uncovered = root
    uncovered.removeModal(modal)
    return uncovered.visiblePlace?.entry.id
  }
}

extension Stack {
  /// Takes the modal `id` away, wherever it lies; false where it is not found.
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
