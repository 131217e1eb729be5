/// One piece of a screen's content, for clients that draw any app (design: api, "The view").
public enum Block: Sendable, Equatable {
  case text(Text)
  case heading(Text)
  /// Labels with values, such as an order's lines.
  case facts([Fact])
  case list([Item])
  /// `source` is a URL; `alternative` says what the image shows.
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

  public struct Item: Sendable, Equatable {
    public let title: Text
    public let detail: Text?

    public init(_ title: Text, detail: Text? = nil) {
      self.title = title
      self.detail = detail
    }
  }

  public enum Tone: String, Sendable { case info, success, warning, error }
}
