public import Values

/// What the user wanted when a guard stood in the way; it is fulfilled once the guard lets it pass, or dropped.
public struct Wish: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    /// An action of the screen at `origin`.
    case action(name: String, input: Value, origin: EntryID)
    /// A button of a prompt, which has been closed by it.
    case button(name: String, input: Value, of: AskedPrompt)
    /// A deep link.
    case link(String)
  }

  /// What the guard did to make itself pass. When it goes and the guard still fails, the wish is dropped.
  public enum Awaited: Sendable, Equatable {
    /// It started a coordinator (a sign-in, say).
    case coordinator(NodeID)
    /// It only showed a screen.
    case entry(EntryID)
    /// It only asked a prompt. What a button of that starts is waited for next.
    case prompt
    /// It did nothing that could go, such as selecting a tab.
    case nothing
  }
  public let content: Content
  /// The coordinator whose guard is waited for, and the guard's index among its guards.
  public let guardian: NodeID
  public let guardIndex: Int
  public internal(set) var awaited: Awaited
}
