public import Values

/// One place on a stack: a screen, or a tab bar with a stack in every tab.
public struct Entry: Sendable, Equatable {
  public let id: EntryID
  /// The coordinator that put the entry here and is offered its actions first.
  public let owner: NodeID
  public var content: Content
  /// What it takes to remove the entry.
  public var leavePolicy: LeavePolicy

  public enum Content: Sendable, Equatable {
    /// A screen of the app, by its index in ``AppDefinition/screens``, and its encoded value.
    case screen(Int, Value)
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
        content = .screen(0, .null)
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
