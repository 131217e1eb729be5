public import Values

/// What shows of a session, and what can be done from there: all that a client is told, before any representation is chosen.
public struct VisibleScreen: Sendable {
  /// The entry that shows.
  public let entry: Entry
  public let screen: ScreenDefinition
  public let title: Text
  /// The coordinator that owns the entry.
  public let owner: Node
  /// The screen's values, filled in by its coordinators.
  public let data: Value
  public let content: [Block]
  /// The actions of the screen, in the author's order.
  public let actions: [OfferedAction]
  /// The coordinators from the root to the owner, by their indices in ``AppDefinition/coordinators``.
  public let path: [Int]
  /// The visible stack, bottom first.
  public let stack: [Entry]
  /// The titles of those entries of `stack` whose screen has none that is fixed.
  public let madeTitles: [EntryID: Text]
  /// Where `back` leads; nil where it is not available.
  public let back: Back?
  public let canDismiss: Bool
  /// The tab bar in sight.
  public let tabBar: TabBar?
  /// By the place of the tab in the bar: whether it can be selected.
  public let canSelect: [Bool]
  /// How many modals are open over each other.
  public let modals: Int
  public let prompt: VisiblePrompt?

  public struct Back: Sendable {
    /// The title of the screen that shows afterwards.
    public let title: Text
  }
}

extension VisibleScreen {
  /// The input of an action that is offered, on the screen or in its prompt.
  public func input(of action: String) -> InputSchema? {
    var offered = actions
    for case .action(let button) in prompt?.buttons ?? [] { offered.insert(button, at: 0) }
    return offered.first { $0.definition.name == action }?.definition.input
  }
}

/// A screen behind a modal, which can be seen and not used.
public struct CoveredScreen: Sendable {
  public let title: Text
  public let content: [Block]
}

/// An action with whether it can be done now.
public struct OfferedAction: Sendable {
  public let definition: ActionDefinition
  /// Why it cannot be done now; nil when it can.
  public let disabled: Text?
}

/// An open prompt.
public struct VisiblePrompt: Sendable {
  public let name: String
  public let title: Text
  public let message: Text
  public let buttons: [Button]

  public enum Button: Sendable {
    case action(OfferedAction)
    case answer(LeaveAnswer, title: Text)
  }
}
