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
