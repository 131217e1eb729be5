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

/// What the user wanted when a guard stood in the way; it is fulfilled once the guard lets it pass, or dropped.
public struct PendingIntent: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    /// An action of the screen at `origin`.
    case action(name: String, input: Value, origin: EntryID)
    /// A button of a prompt, which has been closed by it.
    case button(name: String, input: Value, of: AskedPrompt)
    /// A deep link.
    case link(String)
  }

  /// What the guard did to make itself pass. When it goes and the guard still fails, the pending is dropped.
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

/// An alert or confirmation that is open: while it is, only its buttons are available.
public enum OpenPrompt: Sendable, Equatable {
  case asked(AskedPrompt)
  /// The question of an entry with ``LeavePolicy/confirm``. `intent` goes on if the answer is to leave; `consents` are
  /// the entries that the user agreed to leave before this one. `behind` is the prompt whose button the intent is.
  case leaving(entry: EntryID, intent: Intent, consents: [EntryID], behind: AskedPrompt?)
}

extension OpenPrompt {
  /// The prompt that a coordinator asked, here or behind the question.
  var asked: AskedPrompt? {
    switch self {
    case .asked(let asked): asked
    case .leaving(_, _, _, let behind): behind
    }
  }

  /// What is open once this has gone: a question gives way to the prompt behind it.
  var under: OpenPrompt? {
    guard case .leaving(_, _, _, let behind?) = self else { return nil }
    return .asked(behind)
  }
}

/// A prompt that a coordinator asked.
public struct AskedPrompt: Sendable, Equatable {
  /// The index in ``AppDefinition/prompts``.
  public let prompt: Int
  /// The encoded prompt.
  public let value: Value
  /// The coordinator that asked.
  public let owner: NodeID
  /// The stack that the owner acted on when it asked; what it wants on the answer acts there too.
  public let stack: StackID
}

/// The buttons of the question that an entry with ``LeavePolicy/confirm`` asks.
public enum LeaveAnswer: String, CaseIterable, Sendable {
  case leave, stay

  public var role: ActionRole { self == .leave ? .destructive : .cancel }
}
