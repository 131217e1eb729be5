/// A line of a screen as text.
public struct TextLine: Sendable, Equatable {
  public enum Role: Sendable {
    case plain, title
    /// Something that cannot be done now, with the reason.
    case unavailable
  }

  public let text: String
  public let role: Role

  init(_ text: String, _ role: Role = .plain) {
    self.text = text
    self.role = role
  }
}
