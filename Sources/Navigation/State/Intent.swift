public import Values

/// A request of a user to a session.
public indirect enum Intent: Sendable, Equatable {
  /// An action of the visible screen, or a button of the open prompt.
  case action(name: String, input: Value)
  case back
  /// Dismisses the top modal.
  case dismiss
  /// Selects a tab by its name. The visible tab is popped to its root.
  case tab(String)
  /// Opens a deep link.
  case open(link: String)
  /// Loads a property of the visible screen again that could not be loaded, by its name.
  case reload(String)
  /// Changes the locale of the session to a language tag (BCP 47).
  case locale(String)
}

/// A guard of a live coordinator.
public struct GuardID: Sendable, Equatable {
  /// The coordinator whose guard it is.
  public let guardian: NodeID
  /// The index of the guard among those of its coordinator.
  public let index: Int
}

/// An intent that a guard has stopped. The intent is carried out once, when the guard passes, or dropped.
public struct PendingIntent: Sendable, Equatable {
  public indirect enum Content: Sendable, Equatable {
    /// An action of the screen at `origin`, which the coordinator `handler` handles.
    case action(ScreenAction, input: Value, origin: EntryID, handler: NodeID)
    /// A button of a prompt, which the button has closed.
    case button(name: String, input: Value, of: AskedPrompt)
    /// A deep link, whose steps before `step` have been carried out.
    case link(String, from: Int)
    /// The last steps that a handler of the coordinator follows: tabs and actions.
    case steps([Intent], by: NodeID)
    /// Back, a dismissal or the selection of a tab, with `origin` as the visible screen.
    case move(Intent, origin: EntryID)
  }

  /// An action by the screen that offers it: another screen may have an action of this name with another input.
  public struct ScreenAction: Sendable, Equatable {
    /// The index in ``AppDefinition/screens``.
    public let screen: Int
    public let name: String

    /// Returns the declaration of the action; nil if the screen has no such action.
    func definition(in app: AppDefinition) -> ActionDefinition? {
      app.screens[screen].actions.first { $0.name == name }
    }
  }

  /// The maximum number of pending intents, each of which but the first comes from the part that the guard of the one
  /// before has opened.
  static let limit = 8

  /// The part of the session that the guard opened in order to pass, or the part that has replaced it since. The intent
  /// is dropped if that part is removed while the guard still fails.
  public enum Awaited: Sendable, Equatable {
    /// The guard started a coordinator, such as a sign-in.
    case coordinator(NodeID)
    /// The guard showed a screen, or led to the stack above this one.
    case entry(EntryID)
    /// The guard only asked a prompt. The part that a button of the prompt opens is awaited next.
    case prompt
    /// The guard has passed. The open question of an entry decides whether the intent is carried out.
    case answer
    /// The guard opened nothing, or has passed while prompts are open.
    case nothing
    /// The intent is the rest of a link, and waits for the next pending intent: the part of the link before it.
    case intent
  }
  public internal(set) var content: Content
  /// The guard that has to pass.
  public internal(set) var blocker: GuardID
  public internal(set) var awaited: Awaited
  /// The coordinator whose guard has to pass.
  public var guardian: NodeID { blocker.guardian }
  /// The entries that the user has agreed to leave with this intent.
  var consents: [EntryID]
  /// The visible entry from which the rest of a link or of followed steps goes on; nil for another intent, or where the
  /// start of a coordinator decides that.
  var origin: EntryID?
}

/// A coordinator that has not started yet, because its start would show a part that a guard protects. The coordinator
/// starts once, when the guard passes, or ends with the part that the guard opened.
public struct LockedStart: Sendable, Equatable {
  public let coordinator: NodeID
  /// The guard that has to pass, of the locked coordinator or of one of its ancestors.
  public let blocker: GuardID
  public internal(set) var awaited: PendingIntent.Awaited
  /// The coordinator whose guard has to pass.
  public var guardian: NodeID { blocker.guardian }
}

/// An open alert or confirmation. Only its buttons are available.
public indirect enum OpenPrompt: Sendable, Equatable {
  case asked(AskedPrompt)
  case leaving(OpenLeaveQuestion)
  case notice(OpenNotice)

  public var id: PromptID {
    switch self {
    case .asked(let asked): asked.id
    case .leaving(let question): question.id
    case .notice(let notice): notice.id
    }
  }

  /// The prompt that a coordinator asked, here or behind the question.
  var asked: AskedPrompt? {
    switch self {
    case .asked(let asked): asked
    case .leaving(let question): question.behind
    case .notice: nil
    }
  }

  /// Whether the answer decides whether the pending intent is carried out.
  var decidesPendingIntent: Bool { if case .leaving(let question) = self { question.intent == nil } else { false } }

  /// The prompt that is open again once this question is answered; nil for a prompt that a coordinator asked.
  var promptBehind: OpenPrompt? {
    guard case .leaving(let question) = self else { return nil }
    return question.behind.map { .asked($0) }
  }
}

/// Tells that a pending intent could not be carried out, or that an outcome has refused a form that is gone.
public struct OpenNotice: Sendable, Equatable {
  public let id: PromptID
  /// The reason in the words of the app; empty if the app is at fault.
  public let reason: String
}

/// The question of an entry with ``LeavePolicy/confirm``.
public struct OpenLeaveQuestion: Sendable, Equatable {
  public let id: PromptID
  public let entry: EntryID
  /// The intent that is carried out if the answer is to leave; nil for the pending intent of the session.
  public let intent: Intent?
  /// The entries that the user agreed to leave before this one.
  let consents: [EntryID]
  /// The prompt whose button the intent is.
  public let behind: AskedPrompt?
}

extension SessionState {
  /// The prompts that coordinators asked: the open one or the one behind the open question, and those that wait.
  public var askedPrompts: [AskedPrompt] {
    guard let prompt else { return [] }
    return (prompt.asked.map { [$0] } ?? []) + queuedPrompts
  }

  /// The ids of all prompts.
  var promptIDs: [PromptID] {
    guard let prompt else { return [] }
    return askedPrompts.map(\.id) + (prompt.asked?.id == prompt.id ? [] : [prompt.id])
  }

  /// Closes the prompts of coordinators that have ended.
  mutating func closePrompts(of nodes: [NodeID]) {
    guard hasExtras else { return }
    if let asked = prompt?.asked, nodes.contains(asked.owner) { prompt = nil }
    queuedPrompts.removeAll { nodes.contains($0.owner) }
  }

  /// Opens the first prompt of the queue, if none is open.
  mutating func openNextPrompt() {
    if hasExtras, prompt == nil, !queuedPrompts.isEmpty { prompt = .asked(queuedPrompts.removeFirst()) }
  }
}

/// A prompt that a coordinator asked.
public struct AskedPrompt: Sendable, Equatable {
  /// The maximum number of prompts that wait behind the open one.
  public static let queueLimit = 8

  public let id: PromptID
  /// The index in ``AppDefinition/prompts``.
  public let prompt: Int
  /// The encoded prompt.
  public let value: Value
  /// The coordinator that asked.
  public let owner: NodeID
  /// The stack that the owner acted on when it asked. Its commands on the answer act there too.
  public let stack: StackID
}

/// The buttons of the service's own prompts.
public enum ServiceAnswer: String, CaseIterable, Sendable {
  /// The answers to the question of an entry with ``LeavePolicy/confirm``.
  case leave, stay
  /// Closes a notice.
  case close

  public var role: ActionRole { self == .leave ? .destructive : .cancel }
}
