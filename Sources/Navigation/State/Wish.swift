public import Values

/// What the user wanted when a guard stood in the way; it is fulfilled once the guard lets it pass, or dropped.
public struct Wish: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    /// An action of the screen at `origin`.
    case action(name: String, input: Value, origin: EntryID)
    /// A deep link.
    case link(String)
  }
  public let content: Content
  /// The coordinator whose guard is waited for, and the guard's index among its guards.
  public let guardian: NodeID
  public let guardIndex: Int
  /// The coordinator that the guard started to make itself pass (a sign-in, say). The wish is dropped when it ends
  /// without having done so. Nil where the guard only pushed a screen.
  public let waitingFor: NodeID?
}
