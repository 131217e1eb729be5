/// The stack verbs. Each is a line on one primitive, ``change(_:by:goingForward:_:)``: entries before → entries after, told
/// apart by their ids and never by their place.
extension Transaction {
  mutating func push(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { (entries: inout [Entry]) throws(Interruption) in entries.append(entry) }
  }

  mutating func pushSingleTop(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { (entries: inout [Entry]) throws(Interruption) in
      if entries.last?.content != entry.content { entries.append(entry) }
    }
  }

  mutating func bringToFront(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { (entries: inout [Entry]) throws(Interruption) in
      guard let found = entries.lastIndex(where: { $0.screen == entry.screen && $0.owner == entry.owner }) else {
        return entries.append(entry)
      }
      var moved = entries.remove(at: found)
      moved.content = entry.content
      moved.leavePolicy = entry.leavePolicy
      entries.append(moved)
    }
  }

  mutating func pop(_ count: Int, from stack: StackID, by actor: NodeID?) throws(Interruption) {
    try change(stack, by: actor) { (entries: inout [Entry]) throws(Interruption) in
      guard count >= 1, count < entries.count else {
        throw .unavailable("\(count) of \(entries.count) screens cannot be popped.")
      }
      entries.removeLast(count)
    }
  }

  mutating func popTo(_ screen: Int?, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor) { (entries: inout [Entry]) throws(Interruption) in
      guard let screen, let found = entries.lastIndex(where: { $0.screen == screen }) else {
        throw .unavailable("The stack has no such screen to pop to.")
      }
      entries.removeSubrange((found + 1)...)
    }
  }

  mutating func popToRoot(_ stack: StackID, by actor: NodeID?) throws(Interruption) {
    try change(stack, by: actor) { (entries: inout [Entry]) throws(Interruption) in
      entries.removeLast(max(entries.count - 1, 0))
    }
  }

  mutating func replaceTop(_ entry: Entry, on stack: StackID, by actor: NodeID) throws(Interruption) {
    try change(stack, by: actor, goingForward: true) { (entries: inout [Entry]) throws(Interruption) in
      entries[entries.count - 1] = entry
    }
  }

  mutating func setStack(_ new: [Entry], on stack: StackID, by actor: NodeID) throws(Interruption) {
    guard !new.isEmpty else { throw .fault("A stack is set to no screens.") }
    try change(stack, by: actor, goingForward: true) { (entries: inout [Entry]) throws(Interruption) in entries = new }
  }

  /// The primitive: changes the entries of a stack, after every entry that goes has been asked for its leave policy.
  ///
  /// - Parameters:
  ///   - actor: the coordinator that wants it; nil for the user.
  ///   - goingForward: the actor's own entries do not ask.
  mutating func change(
    _ stack: StackID, by actor: NodeID?, goingForward: Bool = false,
    _ edit: (inout [Entry]) throws(Interruption) -> Void
  ) throws(Interruption) {
    let limit = app.limits.depth
    let found = try state.root.withStack(stack) { (stack: inout Stack) throws(Interruption) -> [Entry] in
      let before = stack.entries
      try edit(&stack.entries)
      if stack.entries.count > limit, stack.entries.count > before.count { throw .rejected(.tooDeep(limit: limit)) }
      return entriesRemoved(from: before, to: stack.entries)
    }
    guard let gone = found else { throw .fault("The stack that a coordinator acts on has gone.") }
    try askToLeave(gone, by: actor, goingForward: goingForward)
  }
}

/// The entries of `before` that `after` has no more, top first.
private func entriesRemoved(from before: [Entry], to after: [Entry]) -> [Entry] {
  var kept = 0
  while kept < before.count, kept < after.count, before[kept].id == after[kept].id { kept += 1 }
  if kept == before.count { return [] }
  let added = Set(after[kept...].map(\.id))
  return before[kept...].reversed().filter { !added.contains($0.id) }
}
