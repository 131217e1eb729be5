// The same declarations for code that reads the app's services or the session's locale.
extension Wiring {
  /// Declares a screen, and fills in its data with the help of the ``Context``.
  public func shows<S: Screen>(
    _ screen: S.Type, fill: @escaping @Sendable (Owner, inout S, Context<Owner>) -> Void
  ) -> Self {
    shows(S.self).fills(S.self, with: fill)
  }

  /// Fills in data of a descendant's screen with the help of the ``Context``.
  ///
  /// A screen is drawn again only when the session changes, and clients keep it until then. So a fill reads from a service only data that
  /// stays the same as long as the process runs; data that changes belongs into a coordinator.
  public func fills<S: Screen>(
    _ screen: S.Type, with fill: @escaping @Sendable (Owner, inout S, Context<Owner>) -> Void
  ) -> Self {
    with { $0.fills.append { FillDefinition($0, fill) } }
  }

  /// Handles an action that the ``Context`` may disable.
  public func on<A: Action>(
    _ action: A.Type, disabled: @escaping @Sendable (Owner, Context<Owner>) -> Text?,
    do handle: @escaping @Sendable (inout Owner, A, inout Navigator<Owner>) -> Void
  ) -> Self {
    with { $0.handlers.append { HandlerDefinition($0, disabled: disabled, handle: handle) } }
  }

  /// Protects a descendant coordinator until the condition on the ``Context`` holds.
  public func guards<Child: Coordinator>(
    _ child: Child.Type, until passes: @escaping @Sendable (Owner, Context<Owner>) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    with { $0.guards.append { GuardDefinition($0, .coordinator(Child.name), passes: passes, otherwise: otherwise) } }
  }

  /// Protects a screen until the condition on the ``Context`` holds.
  public func guards<S: Screen>(
    screen: S.Type, until passes: @escaping @Sendable (Owner, Context<Owner>) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    with { $0.guards.append { GuardDefinition($0, .screen(S.name), passes: passes, otherwise: otherwise) } }
  }
}
