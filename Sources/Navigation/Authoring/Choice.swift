/// A text that a ``Field`` can have, with what people read in its place.
///
///     @Field("Size", choices: ["s", "m", Choice("l", title: "Large")]) var size: String
public struct Choice: Sendable, Equatable, ExpressibleByStringLiteral {
  public let value: String
  public let title: Text

  public init(_ value: String, title: Text) {
    self.value = value
    self.title = title
  }

  public init(stringLiteral value: String) { self.init(value, title: Text(value)) }
}
