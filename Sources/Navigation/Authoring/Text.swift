/// A text shown to people: a title, a label, a reason.
///
/// Written as a string literal. Everything that people read has this type, so that what is a plain string today can be
/// chosen for a language when a view is made, without a change to the apps.
public struct Text: Sendable, Hashable, ExpressibleByStringInterpolation {
  public let string: String

  public init(_ string: String) { self.string = string }
  public init(stringLiteral value: String) { string = value }
}
