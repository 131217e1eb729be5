public import Values

/// The visible screen of a session with its actions and ways out: the content of every representation of the session.
public struct VisibleScreen: Sendable {
  public let screen: ScreenDefinition
  public let title: Text
  /// The coordinator that owns the entry.
  public let owner: Node
  /// The values of the screen, filled in by its coordinators.
  public let data: Value
  public let content: [Block]
  /// The properties of the screen that are pending, or could not be loaded.
  public let loads: [VisibleLoad]
  /// The actions of the screen, in the order of the author.
  public let actions: [OfferedAction]
  /// The values that the user agrees to with an action, by the index of the action.
  public let agreements: [Int: Value]
  /// The visible stack, bottom first.
  public let stack: [Entry]
  /// The titles of those entries of `stack` whose screen has no fixed title.
  public let madeTitles: [EntryID: Text]
  /// The target of `back`; nil if it is not available.
  public let back: Back?
  public let canDismiss: Bool
  /// The visible tab bars, each in a tab of the next.
  public let tabBars: [VisibleTabBar]
  /// The number of modals that are open over each other.
  public let modals: Int
  public let prompt: VisiblePrompt?

  public struct Back: Sendable {
    /// The title of the screen that is visible afterwards.
    public let title: Text
  }

  /// The visible entry: the top of `stack`.
  @inlinable public var entry: Entry { stack[stack.count - 1] }

  /// The innermost visible tab bar.
  public var tabBar: TabBar? { tabBars.first?.bar }

  /// Returns the input of an action of the screen or of its prompt.
  public func input(of action: String) -> InputSchema? {
    var offered = actions
    for case .action(let button) in prompt?.buttons ?? [] { offered.insert(button, at: 0) }
    return offered.first { $0.definition.name == action }?.input
  }

  /// Returns the action that an item of the content performs; nil if it is not available.
  public func offer(of action: ItemAction) -> OfferedAction? {
    guard prompt == nil else { return nil }
    return actions.first { action.performs($0.definition) && $0.disabled == nil }
  }

  /// Returns whether the items of a list perform the action, so that it needs no form of its own.
  public func hasItems(performing action: OfferedAction) -> Bool {
    content.lists.contains { _, list in
      list.page(from: 0).items.contains { $0.action?.performs(action.definition) ?? false }
    } || content.answerActions.contains { $0.performs(action.definition) }
  }

  /// Returns the same screen for a client that may only read, with the reason.
  public func disabled(_ reason: Text) -> VisibleScreen {
    VisibleScreen(
      screen: screen, title: title, owner: owner, data: data, content: content, loads: loads.map(\.disabled),
      actions: actions.map { $0.disabled(reason) }, agreements: agreements, stack: stack, madeTitles: madeTitles,
      back: nil, canDismiss: false,
      tabBars: tabBars.map { VisibleTabBar(bar: $0.bar, canSelect: $0.canSelect.map { _ in false }) }, modals: modals,
      prompt: prompt?.disabled(reason))
  }
}

/// A tab bar that the user sees.
public struct VisibleTabBar: Sendable {
  public let bar: TabBar
  /// By the index of the tab in the bar: whether it can be selected. In a bar around another one, a tab cannot whose
  /// name is that of an inner one.
  public let canSelect: [Bool]

  /// The tabs that can be selected.
  public var selectable: [TabBar.Tab] { zip(bar.tabs, canSelect).filter(\.1).map(\.0) }
}

/// A property of the visible screen that is pending, or could not be loaded.
public struct VisibleLoad: Sendable, Equatable {
  /// The name of the property.
  public let field: String
  /// The sentence about the failure; nil while the property is pending.
  public let problem: Text?
  /// Whether the client may try again.
  public let canReload: Bool

  fileprivate var disabled: VisibleLoad { VisibleLoad(field: field, problem: problem, canReload: false) }
}

/// A screen behind a modal, which is visible but not available.
public struct CoveredScreen: Sendable {
  public let title: Text
  public let content: [Block]
}

/// An action of the view, enabled or disabled.
public struct OfferedAction: Sendable {
  public let definition: ActionDefinition
  /// The reason why the action is disabled; nil if it is enabled.
  public private(set) var disabled: Unavailability?
  /// The input that depends on the screen; nil for that of the definition.
  private let screenInput: ScreenInput?

  /// - Parameter form: the input that depends on the screen as a whole.
  init(
    _ definition: ActionDefinition, disabled: Unavailability?, form: InputSchema, initialValues: Value?,
    failures: [InvalidInput.Failure]
  ) {
    (self.definition, self.disabled) = (definition, disabled)
    screenInput = ScreenInput(form, initialValues, failures)
  }

  init(
    _ definition: ActionDefinition, disabled: Unavailability?, _ limits: [ScreenLimit] = [],
    initialValues: Value? = nil, failures: [InvalidInput.Failure] = []
  ) {
    self.definition = definition
    screenInput =
      limits.isEmpty && initialValues == nil ? nil : ScreenInput(definition.input, limits, initialValues, failures)
    self.disabled = disabled ?? (limits.leaveNone(for: definition.input) ? .nothingToChoose : nil)
  }

  /// The limits of fields that depend on the screen.
  public var limits: [ScreenLimit] { screenInput?.limits ?? [] }

  /// The reasons for which an outcome has refused the action. Its fields begin with the refused values then.
  public var failures: [InvalidInput.Failure] { screenInput?.failures ?? [] }

  /// The input with the limits and initial values that depend on the screen; nil for that of the definition.
  public var dependentInput: InputSchema? { screenInput?.input }

  /// Whether the items of a list stand for a form of the action.
  public var belongsToItems: Bool { limits.contains { !$0.isListed } }

  /// The input as clients see it.
  public var input: InputSchema { dependentInput ?? definition.input }

  fileprivate func disabled(_ reason: Text) -> OfferedAction { copy(of: self) { $0.disabled = .stated(reason) } }
}

/// The input of an action, as far as it depends on the screen.
private final class ScreenInput: Sendable {
  let limits: [ScreenLimit]
  /// Nil if the schema has no limits of the screen, and no field begins with a value of the screen.
  let input: InputSchema?
  let failures: [InvalidInput.Failure]

  init(_ form: InputSchema, _ typed: Value?, _ failures: [InvalidInput.Failure]) {
    (limits, self.failures) = ([], failures)
    input = typed.map { form.beginning(with: $0, isTyped: !failures.isEmpty) } ?? form
  }

  init(
    _ input: InputSchema, _ limits: [ScreenLimit], _ initialValues: Value?, _ failures: [InvalidInput.Failure]
  ) {
    (self.limits, self.failures) = (limits, failures)
    let listed = limits.filter(\.isListed)
    let limited = listed.isEmpty ? nil : input.limited(by: listed)
    let isTyped = !failures.isEmpty
    self.input = initialValues.map { (limited ?? input).beginning(with: $0, isTyped: isTyped) } ?? limited
  }
}

/// A limit of an action's field that depends on the screen.
public struct ScreenLimit: Sendable {
  public enum Kind: Sendable, Equatable {
    /// `isListed` is whether the schema of the field lists the choices.
    case choices([Choice], isListed: Bool)
    /// A bound is nil where the field has its own alone.
    case bounds(minimum: Value?, maximum: Value?)
  }
  /// The name of the field.
  public let field: String
  public let kind: Kind

  init(field: String, _ kind: Kind) { (self.field, self.kind) = (field, kind) }

  /// Whether the schema of the field has the limit.
  var isListed: Bool { if case .choices(_, let isListed) = kind { isListed } else { true } }

  /// Whether the field has no choices.
  fileprivate var hasNoChoices: Bool { if case .choices(let choices, _) = kind { choices.isEmpty } else { false } }
}

extension [ScreenLimit] {
  /// Returns whether a field that needs a value has no choices, so that the action cannot be performed.
  func leaveNone(for input: InputSchema) -> Bool {
    contains { limit in
      limit.hasNoChoices && input.fields.contains { $0.name == limit.field && !$0.isNullable }
    }
  }
}

/// An open prompt.
public struct VisiblePrompt: Sendable {
  public let id: PromptID
  public let name: String
  public let title: Text
  public let message: Text
  public let buttons: [Button]

  public enum Button: Sendable {
    case action(OfferedAction)
    case answer(ServiceAnswer, title: Text)
  }

  /// Returns the question with disabled actions, and without the answers to leave.
  fileprivate func disabled(_ reason: Text) -> VisiblePrompt {
    let buttons: [Button] = buttons.compactMap { button in
      guard case .action(let action) = button else { return nil }
      return .action(action.disabled(reason))
    }
    return VisiblePrompt(id: id, name: name, title: title, message: message, buttons: buttons)
  }
}
