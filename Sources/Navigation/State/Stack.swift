/// A navigation stack: entries from the bottom up, and the modal that covers them, which is a stack of its own.
public struct Stack: Sendable, Equatable {
  public let id: StackID
  /// Bottom first; never empty in a committed state.
  public var entries: [Entry]
  /// No more than one in a committed state; an array because a value type cannot hold itself.
  var modals: [Stack] = []

  /// The stack presented over this one.
  public var modal: Stack? { modals.first }
}

/// One place on a stack: a screen, or a tab bar with a stack in every tab.
public struct Entry: Sendable, Equatable {
  public let id: EntryID
  /// The coordinator that put the entry here, and may handle its actions first.
  public let owner: NodeID
  public var content: Content
  /// The condition under which the entry may be removed.
  public var leavePolicy: LeavePolicy

  public enum Content: Sendable, Equatable {
    /// A screen of the app, by its index in ``AppDefinition/screens``, and its value.
    case screen(Int, AppValue)
    case tabs(TabBar)
  }
}

extension Entry {
  /// The tab bar that is the entry's content, if it is one. Writable in place.
  var tabBar: TabBar? {
    get {
      guard case .tabs(let bar) = content else { return nil }
      return bar
    }
    _modify {
      var bar: TabBar?
      if case .tabs(let current) = content {
        bar = current
        // Drops the entry's own reference, so that a change to the bar copies nothing.
        content = .screen(0, .empty)
      }
      yield &bar
      if let bar { content = .tabs(bar) }
    }
  }

  /// The index in ``AppDefinition/screens`` of the entry's screen, or nil for a tab bar.
  public var screen: Int? {
    guard case .screen(let index, _) = content else { return nil }
    return index
  }
}

/// The content of an entry with several stacks, one of which is visible.
public struct TabBar: Sendable, Equatable {
  public var tabs: [Tab]
  /// The index in `tabs` of the visible tab.
  public var selected: Int

  public struct Tab: Sendable, Equatable {
    /// The declared name of the tab's root coordinator; unique within its bar.
    public let name: String
    public let title: Text
    public let icon: String?
    /// A count shown beside the title, or nil for none.
    public var badge: Int?
    public var stack: Stack
  }

  func index(of name: String) -> Int? { tabs.firstIndex { $0.name == name } }
}

extension Stack {
  /// Calls `body` with this stack and every stack in or over it, in no particular order.
  func forEachStack<E: Error>(_ body: (borrowing Stack) throws(E) -> Void) throws(E) {
    try body(self)
    for entry in entries {
      guard case .tabs(let bar) = entry.content else { continue }
      for tab in bar.tabs { try tab.stack.forEachStack(body) }
    }
    for modal in modals { try modal.forEachStack(body) }
  }

  /// Calls `body` with every entry of this stack and of the stacks in and over it.
  func forEachEntry<E: Error>(_ body: (Entry) throws(E) -> Void) throws(E) {
    try forEachStack { (stack: borrowing Stack) throws(E) in
      for entry in stack.entries { try body(entry) }
    }
  }

  /// Returns the entry `id` and its stack, in or over this one.
  func place(of id: EntryID) -> (entry: Entry, stack: StackID)? {
    var place: (entry: Entry, stack: StackID)?
    forEachStack { stack in
      if let entry = stack.entries.first(where: { $0.id == id }) { place = (entry, stack.id) }
    }
    return place
  }

  /// Returns the entry `id`, on this stack or in or over it.
  public func entry(_ id: EntryID) -> Entry? { place(of: id)?.entry }

  /// Returns the number of stacks from this one to the stack `id`, both counted; nil if there is no such stack.
  func level(of id: StackID) -> Int? {
    if id == self.id { return 1 }
    for modal in modals {
      if let level = modal.level(of: id) { return level + 1 }
    }
    for entry in entries {
      guard case .tabs(let bar) = entry.content else { continue }
      for tab in bar.tabs {
        if let level = tab.stack.level(of: id) { return level + 1 }
      }
    }
    return nil
  }

  /// Changes the stack `id`, in or over this one. Returns nil if there is no such stack.
  mutating func withStack<R, E: Error>(_ id: StackID, _ body: (inout Stack) throws(E) -> R) throws(E) -> R? {
    if id == self.id { return try body(&self) }
    for index in modals.indices {
      if let result = try modals[index].withStack(id, body) { return result }
    }
    for index in entries.indices {
      guard case .tabs = entries[index].content else { continue }
      if let result = try entries[index].tabBar?.withStack(id, body) { return result }
    }
    return nil
  }

  /// Removes every `unwanted` entry of this stack and of those in and over it, and every modal that is empty
  /// afterwards, unless it `isKept`.
  mutating func removeEntries(
    keeping isKept: (StackID) -> Bool = { _ in false }, where unwanted: (Entry) -> Bool
  ) {
    entries.removeAll(where: unwanted)
    for index in entries.indices {
      guard case .tabs = entries[index].content else { continue }
      entries[index].tabBar?.forEachTab { $0.stack.removeEntries(keeping: isKept, where: unwanted) }
    }
    for index in modals.indices { modals[index].removeEntries(keeping: isKept, where: unwanted) }
    modals.removeAll { $0.entries.isEmpty && !isKept($0.id) }
  }
}

extension Stack {
  /// Removes every `unwanted` entry, with those entries over it, on its stack or in the modal over that stack, that
  /// `isAbove` selects. Removes modals that are empty afterwards, unless one `isKept`.
  mutating func removeEntries(
    including isAbove: (Entry) -> Bool, keeping isKept: (StackID) -> Bool = { _ in false },
    where unwanted: (Entry) -> Bool
  ) {
    if let lowest = entries.firstIndex(where: unwanted) {
      let above = entries[lowest...].filter { !unwanted($0) && !isAbove($0) }
      entries.replaceSubrange(lowest..., with: above)
      for index in modals.indices { modals[index].removeEntries(keeping: isKept) { unwanted($0) || isAbove($0) } }
    }
    for index in entries.indices {
      guard case .tabs = entries[index].content else { continue }
      entries[index].tabBar?.forEachTab { tab in
        tab.stack.removeEntries(including: isAbove, keeping: isKept, where: unwanted)
      }
    }
    for index in modals.indices { modals[index].removeEntries(including: isAbove, keeping: isKept, where: unwanted) }
    modals.removeAll { $0.entries.isEmpty && !isKept($0.id) }
  }
}

extension TabBar {
  mutating func withStack<R, E: Error>(_ id: StackID, _ body: (inout Stack) throws(E) -> R) throws(E) -> R? {
    for index in tabs.indices {
      if let result = try tabs[index].stack.withStack(id, body) { return result }
    }
    return nil
  }

  mutating func forEachTab(_ body: (inout Tab) -> Void) {
    for index in tabs.indices { body(&tabs[index]) }
  }
}
