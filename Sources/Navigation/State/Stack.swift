/// A navigation stack.
public struct Stack: Sendable, Equatable {
  public let id: StackID
  /// The stack that this one covers as a modal; nil for the root stack and for the stack of a tab.
  public let covered: StackID?
  /// Bottom first; never empty in a committed state.
  public var entries: [Entry]

  var isModal: Bool { covered != nil }
}

/// One position on a stack: a screen, or a tab bar with a stack in every tab.
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

  /// The index in ``AppDefinition/screens`` of the entry's screen, or nil for a tab bar.
  public var screen: Int? { if case .screen(let index, _) = content { index } else { nil } }

  /// The tab bar that is the entry's content; nil for a screen.
  var tabBar: TabBar? { if case .tabs(let bar) = content { bar } else { nil } }
}

/// The content of an entry with several stacks, one of which is visible.
public struct TabBar: Sendable, Equatable {
  public var tabs: [Tab]
  /// The index in `tabs` of the visible tab.
  public var selected: Int

  public struct Tab: Sendable, Equatable {
    /// The declared name of the tab's root coordinator; unique within its bar.
    public let name: String
    public internal(set) var title: Text
    public let icon: String?
    /// A count shown beside the title, or nil for none.
    public var badge: Int?
    public let stack: StackID
  }

  func index(of name: String) -> Int? { tabs.firstIndex { $0.name == name } }

  func index(of stack: StackID) -> Int? { tabs.firstIndex { $0.stack == stack } }
}
