/// The modal verbs.
extension Transaction {
  /// A new, still empty stack over `stack`. Refused where one is open: a stack has no more than one modal.
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

  /// Refuses one more stack in or over `stack` where a session could not be read with it.
  func checkNesting(beyond stack: StackID) throws(Interruption) {
    let limit = app.limits.nesting
    if let level = state.root.level(of: stack), level >= limit { throw .rejected(.tooDeep(limit: limit)) }
  }

  /// Dismisses the modal over `stack`, or `stack` itself where it is a modal.
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
  /// Some modal in or over this stack, the outermost of its chain.
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
