extension View {
  /// Where the screen is, and the ways out of it that are not the app's own.
  public struct Navigation: Decodable, Sendable {
    /// The coordinators from the root to the one that owns the screen.
    public let path: [String]
    /// The visible stack, bottom first.
    public let stack: [Entry]
    public let back: Step?
    public let dismiss: Step?
    /// The tab bar in sight.
    public let tabs: Tabs?
    /// How many modals are open over each other.
    public let modals: Int
  }

  public struct Entry: Decodable, Sendable {
    public let id: Int64
    public let name: String
    public let title: String
  }

  /// A way out; posted to its `href`, which is of this revision.
  public struct Step: Decodable, Sendable {
    /// Of the screen that it leads to, where that is known.
    public let title: String?
    public let href: String
  }

  public struct Tabs: Decodable, Sendable {
    public let selected: String
    public let items: [Tab]
  }

  public struct Tab: Decodable, Sendable {
    public let name: String
    public let title: String
    public let icon: String?
    public let badge: Int?
    /// Nil where the tab cannot be selected now.
    public let href: String?
  }
}
