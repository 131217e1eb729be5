public import Values

/// What a user, or a client for them, asks of a session.
public indirect enum Intent: Sendable, Equatable {
  /// An action of the visible screen, or a button of the open prompt.
  case action(name: String, input: Value)
  case back
  /// Dismisses the top modal.
  case dismiss
  /// Shows a tab, by its name; the one that shows is popped to its root.
  case tab(String)
  /// Opens a deep link.
  case open(link: String)
}
