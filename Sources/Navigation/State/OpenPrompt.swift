public import Values

/// An alert or confirmation that is open: while it is, only its buttons are available.
public enum OpenPrompt: Sendable, Equatable {
  /// A prompt that the coordinator `owner` asked for; `prompt` is its index in ``AppDefinition/prompts``.
  case asked(prompt: Int, value: Value, owner: NodeID)
  /// The question of an entry with ``LeavePolicy/confirm``. `intent` goes on if the answer is to leave; `consents` are
  /// the entries that the user agreed to leave before this one.
  case leaving(entry: EntryID, intent: Intent, consents: [EntryID])
}
