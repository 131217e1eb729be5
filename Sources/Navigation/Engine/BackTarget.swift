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
