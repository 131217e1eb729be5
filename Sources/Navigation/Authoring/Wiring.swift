internal import Values

/// The static part of a coordinator: what it shows, handles and starts. Everything is declared, so that what is wired
/// wrongly is found when the app is registered and not when a user gets there.
public struct Wiring<Owner: Coordinator>: Sendable {
  var screens: [ScreenDeclaration] = []
  var prompts: [PromptDeclaration] = []
  var fills: [FillDefinition] = []
  var handlers: [HandlerDefinition] = []
  var children: [ChildDefinition] = []
  var guards: [GuardDefinition] = []

  public init() {}

  /// Declares a screen that this coordinator puts on a stack.
  public func shows<S: Screen>(_ screen: S.Type) -> Self {
    with { $0.screens.append(ScreenDeclaration(S.self)) }
  }

  /// Declares a screen, and fills in what this coordinator knows of its data whenever it is shown.
  public func shows<S: Screen>(_ screen: S.Type, fill: @escaping @Sendable (Owner, inout S) -> Void) -> Self {
    shows(S.self).fills(S.self, with: fill)
  }

  /// Fills in data of a screen that a descendant shows: data flows down as actions bubble up. Ancestors fill first.
  public func fills<S: Screen>(_ screen: S.Type, with fill: @escaping @Sendable (Owner, inout S) -> Void) -> Self {
    with { $0.fills.append(FillDefinition(fill)) }
  }

  /// Declares a prompt that this coordinator asks.
  public func asks<P: Prompt>(_ prompt: P.Type) -> Self {
    with { $0.prompts.append(PromptDeclaration(P.self)) }
  }

  /// Handles an action of this coordinator's screens or of its descendants' that they do not handle themselves.
  ///
  /// - Parameter disabled: why the action cannot be done now, or nil when it can. Asked whenever the screen is shown.
  public func on<A: Action>(
    _ action: A.Type, disabled: (@Sendable (Owner) -> Text?)? = nil,
    do handle: @escaping @Sendable (inout Owner, A, inout Navigator<Owner>) -> Void
  ) -> Self {
    with { $0.handlers.append(HandlerDefinition(disabled: disabled, handle: handle)) }
  }

  /// Declares a child, in the same stack, in a modal or in a tab.
  ///
  /// - Parameters:
  ///   - finished: gets the child's result, exactly once, unless it was cancelled.
  ///   - cancelled: told when the last screen of the child has gone without a result.
  public func starts<Child: Coordinator>(
    _ child: Child.Type,
    finished: (@Sendable (inout Owner, Child.Result, inout Navigator<Owner>) -> Void)? = nil,
    cancelled: (@Sendable (inout Owner, inout Navigator<Owner>) -> Void)? = nil
  ) -> Self {
    with { $0.children.append(ChildDefinition(Child.self, finished: finished, cancelled: cancelled)) }
  }

  /// Protects a descendant coordinator until `passes` is true: before that, it has no screen on any stack. An action or a link
  /// that would show it runs `otherwise` instead and waits as the session's pending intent. The intent is carried out once, when
  /// `passes` has become true; it is dropped if the coordinator, screen or prompt that `otherwise` opened has gone before.
  public func guards<Child: Coordinator>(
    _ child: Child.Type, until passes: @escaping @Sendable (Owner) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    with { $0.guards.append(GuardDefinition(.coordinator(Child.name), passes: passes, otherwise: otherwise)) }
  }

  /// Protects a screen of this coordinator or of a descendant in the same way.
  public func guards<S: Screen>(
    screen: S.Type, until passes: @escaping @Sendable (Owner) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    with { $0.guards.append(GuardDefinition(.screen(S.name), passes: passes, otherwise: otherwise)) }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}
