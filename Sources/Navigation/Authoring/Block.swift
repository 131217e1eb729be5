/// One piece of the content of a screen, for clients that draw any app.
public enum Block: Sendable, Equatable {
  case text(Text)
  case heading(Text)
  /// Labels with values, such as the lines of an order.
  case facts([Fact])
  /// See ``list(_:pageSize:)``.
  case list(ItemList)
  /// `source` is a URL; `alternative` describes the image.
  case image(source: String, alternative: Text)
  case notice(Text, tone: Tone = .info)
  /// A link out of the app; `href` is a URL.
  case link(Text, href: String)

  public struct Fact: Sendable, Equatable {
    public let label: Text
    public let value: Text

    public init(_ label: Text, _ value: Text) {
      self.label = label
      self.value = value
    }
  }

  public enum Tone: String, Sendable { case info, success, warning, error }
}
