internal import Values

/// What a coordinator asks for. The wishes are noted in order and carried out after the handler has returned, all of them
/// or, when one is refused, none.
///
/// The stack verbs act on the stack of the screen whose action is being handled, where this coordinator owns that screen;
/// otherwise on the stack that the coordinator was started in. On the answer to a prompt they act where they did when the
/// coordinator asked it.
public struct Navigator<Owner: Coordinator>: Sendable {
  private(set) var commands: [Command] = []
  private let surroundings: Surroundings

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// The services that the app was given.
  public var services: Owner.Services { surroundings.services(of: Owner.self) }
  /// The locale that the session was created with, a language tag such as `de-CH` (BCP 47); nil if it has none.
  public var locale: String? { surroundings.environment.locale }
}

// MARK: Stack
extension Navigator {
  /// Puts a screen on top.
  public mutating func push<S: Screen>(_ screen: S, leaving: LeavePolicy = S.leavePolicy) {
    commands.append(.push(.make(screen, leaving)))
  }

  /// Puts a screen on top unless the top is already a screen of that name with the same values.
  public mutating func pushSingleTop<S: Screen>(_ screen: S, leaving: LeavePolicy = S.leavePolicy) {
    commands.append(.pushSingleTop(.make(screen, leaving)))
  }

  /// Moves the uppermost screen of this name to the top, with its id and the new values; pushes it if there is none.
  public mutating func bringToFront<S: Screen>(_ screen: S, leaving: LeavePolicy = S.leavePolicy) {
    commands.append(.bringToFront(.make(screen, leaving)))
  }

  /// Takes `count` (at least 1) entries off the top. Refused where that would empty the stack.
  public mutating func pop(_ count: Int = 1) { commands.append(.pop(count)) }

  /// Takes off what lies over the uppermost screen of this name. Refused where there is none.
  public mutating func popTo<S: Screen>(_ screen: S.Type) { commands.append(.popTo(S.name)) }

  /// Takes off all but the lowest entry; nothing to do is no error.
  public mutating func popToRoot() { commands.append(.popToRoot) }

  /// Replaces the top entry by a new one; pushes it on a stack without entries.
  public mutating func replaceTop<S: Screen>(_ screen: S, leaving: LeavePolicy = S.leavePolicy) {
    commands.append(.replaceTop(.make(screen, leaving)))
  }

  /// Replaces the whole stack by new screens, bottom first; refused if empty.
  public mutating func setStack(_ screens: [any Screen]) {
    commands.append(.setStack(screens.map { EntryDraft.make($0) }))
  }
}

// MARK: Modals and prompts
extension Navigator {
  /// Presents a screen of this coordinator over the stack. Refused where that stack has a modal already.
  public mutating func present<S: Screen>(_ screen: S, leaving: LeavePolicy = S.leavePolicy) {
    commands.append(.present(.make(screen, leaving)))
  }

  /// Dismisses the modal over the stack, or the modal that the stack itself is. Refused where there is neither.
  public mutating func dismiss() { commands.append(.dismiss) }

  /// Dismisses every modal of the session; nothing to do is no error.
  public mutating func dismissAll() { commands.append(.dismissAll) }

  /// Opens a prompt. Refused while another is open.
  public mutating func ask<P: Prompt>(_ prompt: P) {
    commands.append(.ask(.encoding(prompt, named: P.name)))
  }
}

// MARK: Children
extension Navigator {
  /// Starts a child in the same stack.
  public mutating func start<Child: Coordinator>(_ child: Child) {
    commands.append(.start(.encoding(child, named: Child.name), modal: false))
  }

  /// Starts a child in a modal with a stack of its own. Refused where this stack has a modal already.
  public mutating func present<Child: Coordinator>(_ child: Child) {
    commands.append(.start(.encoding(child, named: Child.name), modal: true))
  }

  /// Ends this coordinator with all of its descendants and screens, and hands the result to the parent. Ends the session
  /// if this is the root. Refused for the root coordinator of a tab. Nothing may be asked for after it.
  public mutating func finish(_ result: Owner.Result) {
    commands.append(.finish(.encoding(result, named: Owner.name)))
  }

  /// Rejects the action as a whole, with the reason. Several refusals of one handler are all reported.
  public mutating func refuse(_ reason: Text) { commands.append(.refuse(reason, field: nil)) }

  /// Rejects the action as a whole because of one field of its input, given by its name. A name that the input does not have is
  /// the app's fault.
  public mutating func refuse(_ reason: Text, field: String) { commands.append(.refuse(reason, field: field)) }
}

extension Navigator where Owner.Result == Nothing {
  /// Ends this coordinator; see ``finish(_:)``.
  public mutating func finish() { finish(Nothing()) }
}

// MARK: Tabs
extension Navigator {
  /// Replaces the stack by a tab bar; coordinators of a bar that was there end. Refused if empty or a name stands twice.
  public mutating func setTabs(_ tabs: TabDraft...) { commands.append(.setTabs(tabs)) }

  /// Shows another tab of the bar of this coordinator or of its nearest ancestor that has one.
  public mutating func select<C: Coordinator>(_ tab: C.Type) { commands.append(.select(C.name, reselect: false)) }

  /// Shows a tab as ``select(_:)`` does, and pops it to its root.
  public mutating func reselect<C: Coordinator>(_ tab: C.Type) { commands.append(.select(C.name, reselect: true)) }

  /// Sets the badge of the tab that this coordinator lives in; nil takes it away.
  public mutating func badge(_ count: Int?) { commands.append(.badge(count, tab: nil)) }

  /// Sets the badge of a tab of this coordinator's bar or of its nearest ancestor's that has one.
  public mutating func badge<C: Coordinator>(_ count: Int?, on tab: C.Type) {
    commands.append(.badge(count, tab: C.name))
  }
}

/// One tab of a new bar: its root coordinator, and how it is labelled.
public struct TabDraft: Sendable {
  let child: Draft
  let title: Text
  let icon: String?

  public static func tab<C: Coordinator>(_ root: C, title: Text, icon: String? = nil) -> TabDraft {
    TabDraft(child: .encoding(root, named: C.name), title: title, icon: icon)
  }
}
