/// Leave policies: the one place that every removal of entries goes through.
extension Transaction {
  /// Asks the entries, those that lie in their tab bars first.
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

  /// Asks all entries of a stack that goes as a whole, from what the user sees downwards.
  func askToLeave(_ stack: Stack) throws(Interruption) {
    for modal in stack.modals { try askToLeave(modal) }
    try askToLeave(stack.entries.reversed(), by: nil)
  }
}

extension Stack {
  /// Whether an entry of this stack, or of those in and over it, lets nobody take it away.
  var hasSealedEntry: Bool { modals.contains(where: \.hasSealedEntry) || entries.contains(where: \.hasSealedEntry) }
}

extension Entry {
  var hasSealedEntry: Bool {
    if leavePolicy == .sealed { return true }
    guard case .tabs(let bar) = content else { return false }
    return bar.tabs.contains { $0.stack.hasSealedEntry }
  }
}
