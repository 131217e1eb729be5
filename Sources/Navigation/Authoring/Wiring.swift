/// The declarations of a coordinator: the screens, actions, children and guards of its type. The registration of an app
/// checks them, and finds every wiring fault before a user meets it.
///
/// The closures decide, and have no effects:
/// - A closure does not block. Each closure runs on a thread that serves connections, and would block all of them.
/// - A closure writes nothing: no file, no database, no message. If two replicas act on one session at the same moment,
///   one of them runs its handler again on the newer session. The console runs the handlers of the history again to
///   show an earlier revision.
/// - A closure reads its parameters, and no global variable. Other data comes from a service of the app that answers
///   from memory, given to ``App`` and read as ``Navigator/services``.
/// - A fill reads nothing that changes within a revision of the session. A client keeps a screen until the next
///   revision.
public struct Wiring<Owner: Coordinator>: Sendable {
  /// Closures, because the services of the app are known only at its registration.
  private(set) var declarations: [@Sendable (inout CoordinatorDefinition, BoundServices) -> Void] = []
  /// Added after all declarations, because a journey follows each handler of its coordinator.
  private(set) var journeys: [(journey: Journey<Owner>, done: Done)] = []

  typealias Done = @Sendable (inout Owner, inout Navigator<Owner>) -> Void

  public init() {}

  /// Declares a screen that this coordinator puts on a stack.
  public func shows<S: Screen>(_ screen: S.Type) -> Self {
    declaring { definition, _ in definition.screens.append(ScreenDefinition(S.self)) }
  }

  /// Declares a screen, and fills in the data that this coordinator knows whenever the screen is shown.
  ///
  /// - Parameter fill: reads the coordinator and nothing else; see ``fills(_:with:)``.
  public func shows<S: Screen>(_ screen: S.Type, fill: @escaping @Sendable (Owner, inout S) -> Void) -> Self {
    shows(S.self).fills(S.self, with: fill)
  }

  /// Fills in data of a screen that a descendant shows: data flows down as actions bubble up. Ancestors fill first.
  ///
  /// - Parameter fill: reads the coordinator and nothing else: no clock, no global, no file. One revision of a session
  ///   has one view and one `ETag`, so a client that holds the view would not see a change of such a source. Let an
  ///   action change the coordinator instead. A debug build logs a warning when a screen changes within one revision.
  public func fills<S: Screen>(_ screen: S.Type, with fill: @escaping @Sendable (Owner, inout S) -> Void) -> Self {
    fills(S.self) { me, screen, _ in fill(me, &screen) }
  }

  /// Declares the journey of this coordinator, whose first page is shown when the coordinator starts. A coordinator has
  /// one at most.
  ///
  /// - Parameter done: runs when people send the answers of the check page. It reads them from the coordinator, or
  ///   sends all of them with ``Navigator/perform(_:)``.
  public func journey(
    _ journey: Journey<Owner>, done: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    copy(of: self) { $0.journeys.append((journey, done)) }
  }

  /// Declares a prompt that this coordinator asks.
  public func asks<P: Prompt>(_ prompt: P.Type) -> Self {
    declaring { definition, _ in definition.prompts.append(PromptDefinition(P.self)) }
  }

  /// Handles an action of the screens of this coordinator, or an action that its descendants do not handle themselves.
  ///
  /// - Parameters:
  ///   - hidden: returns whether clients do not see the action now.
  ///   - disabled: returns the reason why the action is not available now, or nil if it is. Clients see the action with
  ///     the reason.
  ///
  /// Both are evaluated whenever the screen is shown, and before the action is performed.
  public func on<A: Action>(
    _ action: A.Type, hidden: (@Sendable (Owner) -> Bool)? = nil, disabled: (@Sendable (Owner) -> Text?)? = nil,
    do handle: @escaping @Sendable (inout Owner, A, inout Navigator<Owner>) -> Void
  ) -> Self {
    if hidden == nil, disabled == nil {
      return declaring { $0.handlers.append(HandlerDefinition($1, obstacle: nil, handle: handle)) }
    }
    return on(
      A.self, hidden: { me, _ in hidden?(me) ?? false }, disabled: { me, _ in disabled?(me) }, do: handle)
  }

  /// Declares a child, in the same stack, in a modal or in a tab.
  ///
  /// - Parameters:
  ///   - finished: receives the result of the child, exactly once, unless the child was cancelled.
  ///   - cancelled: runs when the last screen of the child is removed without a result.
  public func starts<Child: Coordinator>(
    _ child: Child.Type,
    finished: (@Sendable (inout Owner, Child.Result, inout Navigator<Owner>) -> Void)? = nil,
    cancelled: (@Sendable (inout Owner, inout Navigator<Owner>) -> Void)? = nil
  ) -> Self {
    declaring { definition, services in
      definition.children.append(
        ChildDefinition(
          Child.name, define: { CoordinatorDefinition(Child.self, services: $0) },
          finished: finished.map { Navigator.reaction(services, $0) },
          cancelled: cancelled.map { Navigator.reaction(services, $0) }))
    }
  }

  /// Declares an effect that this coordinator requests with ``Navigator/perform(_:key:)``.
  ///
  /// - Parameters:
  ///   - mayRefuse: whether a handler refuses the form whose action has requested the effect, with
  ///     ``Navigator/refuse(_:field:)``, or requests another effect whose outcome may. The session keeps the input of the
  ///     action until the outcome then, without its secrets. The handlers of an effect that verifies a page may always
  ///     refuse; see ``Page/verified(by:title:_:)``.
  ///   - done: receives the value that the effect returned.
  ///   - failed: receives the failure, after the last attempt.
  ///
  /// One of the two runs, exactly once, unless the coordinator ends before: that cancels the effect.
  public func performs<E: Effect>(
    _ effect: E.Type, mayRefuse: Bool = false,
    done: @escaping @Sendable (inout Owner, E.Output, inout Navigator<Owner>) -> Void,
    failed: @escaping @Sendable (inout Owner, EffectFailure, inout Navigator<Owner>) -> Void
  ) -> Self {
    declaring {
      $0.outcomes.append(OutcomeDefinition($1, E.self, mayRefuse: mayRefuse, done: done, failed: failed))
    }
  }

  /// Declares an effect that this coordinator requests with ``Navigator/perform(detached:key:)``, or as a compensation.
  public func performs<E: Effect>(detached effect: E.Type) -> Self {
    declaring { definition, _ in definition.detached.append(EffectReference(E.self)) }
  }

  /// Handles an event that this coordinator schedules with ``Navigator/schedule(_:after:key:)``.
  public func on<E: TimedEvent>(
    timer event: E.Type, do handle: @escaping @Sendable (inout Owner, E, inout Navigator<Owner>) -> Void
  ) -> Self {
    declaring { $0.timedEvents.append(EventHandler(SchemaDefinition(E.self), handle: Navigator.reaction($1, handle))) }
  }

  /// Handles a signal that this coordinator waits for; see ``Navigator/await(_:)``.
  public func on<S: Signal>(
    signal: S.Type, do handle: @escaping @Sendable (inout Owner, S, inout Navigator<Owner>) -> Void
  ) -> Self {
    declaring { $0.signals.append(EventHandler(SignalDefinition(S.self), handle: Navigator.reaction($1, handle))) }
  }

  /// Protects a descendant coordinator until `passes` is true: before that, it has no screen on any stack. An action or
  /// a link that would show it runs `otherwise` instead, and waits as the pending intent of the session. The intent is
  /// carried out once, as soon as `passes` is true, or dropped if the coordinator, screen or prompt that `otherwise`
  /// opened is removed before.
  ///
  /// When `passes` becomes false again, the coordinator is removed with all of its screens and the entries over them.
  /// The root coordinator of a tab can be protected too. Its tab then shows the screens that `otherwise` pushes, starts
  /// or presents. Once `passes` is true, the coordinator starts, with its state at that moment. A root stack that would
  /// be empty behaves alike.
  public func guards<Child: Coordinator>(
    _ child: Child.Type, until passes: @escaping @Sendable (Owner) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    guards(Child.self, until: { me, _ in passes(me) }, otherwise: otherwise)
  }

  /// Protects a screen of this coordinator or of a descendant in the same way. When `passes` becomes false again, the
  /// screen is removed with the entries over it on its stack, such as a list with its details.
  public func guards<S: Screen>(
    screen: S.Type, until passes: @escaping @Sendable (Owner) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    guards(screen: S.self, until: { me, _ in passes(me) }, otherwise: otherwise)
  }

  private func declaring(
    _ declaration: @escaping @Sendable (inout CoordinatorDefinition, BoundServices) -> Void
  ) -> Self {
    copy(of: self) { $0.declarations.append(declaration) }
  }
}

// The same declarations for code that reads the services of the app or the locale of the session.
extension Wiring {
  /// Declares a screen, and fills in its data with the help of the ``Context``.
  public func shows<S: Screen>(
    _ screen: S.Type, fill: @escaping @Sendable (Owner, inout S, Context<Owner>) -> Void
  ) -> Self {
    shows(S.self).fills(S.self, with: fill)
  }

  /// Fills in data of a descendant's screen with the help of the ``Context``.
  ///
  /// A screen is drawn again only when the session changes, and clients keep it until then. From a service, a fill
  /// therefore reads only data that stays the same as long as the process runs. Data that changes belongs in a
  /// coordinator.
  public func fills<S: Screen>(
    _ screen: S.Type, with fill: @escaping @Sendable (Owner, inout S, Context<Owner>) -> Void
  ) -> Self {
    declaring { $0.bindings.append(BindingDefinition($1, fill)) }
  }

  /// Handles an action that the ``Context`` may hide or disable.
  public func on<A: Action>(
    _ action: A.Type, hidden: @escaping @Sendable (Owner, Context<Owner>) -> Bool = { _, _ in false },
    disabled: @escaping @Sendable (Owner, Context<Owner>) -> Text?,
    do handle: @escaping @Sendable (inout Owner, A, inout Navigator<Owner>) -> Void
  ) -> Self {
    declaring {
      let obstacle = { @Sendable (me: Owner, context: Context<Owner>) -> Unavailability? in
        hidden(me, context) ? .hidden : disabled(me, context).map { .stated($0) }
      }
      $0.handlers.append(HandlerDefinition($1, obstacle: obstacle, handle: handle))
    }
  }

  /// Handles an action that the ``Context`` may hide.
  public func on<A: Action>(
    _ action: A.Type, hidden: @escaping @Sendable (Owner, Context<Owner>) -> Bool,
    do handle: @escaping @Sendable (inout Owner, A, inout Navigator<Owner>) -> Void
  ) -> Self {
    on(A.self, hidden: hidden, disabled: { _, _ in nil }, do: handle)
  }

  /// Protects a descendant coordinator until the condition on the ``Context`` holds.
  public func guards<Child: Coordinator>(
    _ child: Child.Type, until passes: @escaping @Sendable (Owner, Context<Owner>) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    guards(.coordinator(Child.name), until: passes, otherwise)
  }

  /// Protects a screen until the condition on the ``Context`` holds.
  public func guards<S: Screen>(
    screen: S.Type, until passes: @escaping @Sendable (Owner, Context<Owner>) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    guards(.screen(S.name), until: passes, otherwise)
  }

  private func guards(
    _ protected: GuardDefinition.Protected, until passes: @escaping @Sendable (Owner, Context<Owner>) -> Bool,
    _ otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Self {
    declaring { definition, services in
      definition.guards.append(
        GuardDefinition(
          protected, passes: { passes(try $0.decode(Owner.self), services.context($1)) },
          otherwise: Navigator.reaction(services, otherwise)))
    }
  }
}
