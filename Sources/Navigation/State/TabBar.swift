/// The content of an entry that shows one of several stacks at a time.
public struct TabBar: Sendable, Equatable {
  public var tabs: [Tab]
  /// The index in `tabs` of the tab that shows.
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
