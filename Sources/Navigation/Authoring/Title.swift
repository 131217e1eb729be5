/// The title of a screen: fixed for all of its kind, or made from the screen's values.
///
///     static let title: Title<Self> = "Home"
///     static let title = Title<Self> { "\($0.name)" }
public struct Title<Of: Screen>: Sendable, ExpressibleByStringInterpolation {
  enum Source: Sendable {
    case fixed(Text)
    case made(@Sendable (Of) -> Text)
  }
  let source: Source

  public init(stringLiteral value: String) { source = .fixed(Text(value)) }
  public init(_ make: @escaping @Sendable (Of) -> Text) { source = .made(make) }
}
