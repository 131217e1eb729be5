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

  /// The same for somebody who may look on and do nothing, with why.
  public func disabled(_ reason: Text) -> VisibleScreen {
    VisibleScreen(
      entry: entry, screen: screen, title: title, owner: owner, data: data, content: content,
      actions: actions.map { $0.disabled(reason) }, path: path, stack: stack, madeTitles: madeTitles, back: nil,
      canDismiss: false, tabBar: tabBar, canSelect: canSelect.map { _ in false }, modals: modals,
      prompt: prompt?.disabled(reason))
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
  public let disabled: Unavailability?

  fileprivate func disabled(_ reason: Text) -> OfferedAction { OfferedAction(definition: definition, disabled: .stated(reason)) }
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

  /// The question without its answers, but for those that are actions.
  fileprivate func disabled(_ reason: Text) -> VisiblePrompt {
    let buttons: [Button] = buttons.compactMap { button in
      guard case .action(let action) = button else { return nil }
      return .action(action.disabled(reason))
    }
    return VisiblePrompt(name: name, title: title, message: message, buttons: buttons)
  }
}
