/// The stack verbs. Each is a line on one primitive, ``change(_:by:goingForward:_:)``: entries before → entries after, and
/// those that go.
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
      // A coordinator that starts, or whose child had the whole stack, finds no top to replace.
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

  /// The primitive: changes the entries of a stack, after every entry that goes has been asked for its leave policy.
  ///
  /// - Parameters:
  ///   - actor: the coordinator that wants it; nil for the user.
  ///   - goingForward: the actor's own entries do not ask.
  ///   - edit: returns the entries that it takes away for good, bottom first.
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
  /// Takes off what lies from `index` on.
  mutating func cut(from index: Int) -> [Entry] {
    let removed = Array(self[index...])
    removeLast(removed.count)
    return removed
  }
}
