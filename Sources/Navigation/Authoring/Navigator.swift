public import Values

/// The commands that a coordinator gives, which are recorded in order, and executed after the handler has returned: all
/// of them, or none if one of them rejects the step.
///
/// The stack commands act on the stack of the screen whose action is being handled, if this coordinator owns that
/// screen; otherwise on the stack that the coordinator was started in. On the answer to a prompt they act on the stack
/// on which the coordinator asked it.
public struct Navigator<Owner: Coordinator>: Sendable {
  private(set) var commands: [Command] = []
  private let context: ErasedContext

  init(_ context: ErasedContext) { self.context = context }

  /// The services that the app was given.
  public var services: Owner.Services { context.services(of: Owner.self) }
  /// The locale of the session, a language tag such as `de-CH` (BCP 47); nil if it has none.
  public var locale: String? { context.environment.locale }
  /// The owner of the session; nil if it has none.
  public var principal: SessionPrincipal? { context.environment.principal }
  /// The time of this step. The history records it, so that a repetition of the step sees the same time.
  public var now: Timestamp { context.environment.stamp.time }
  /// The date of this step in the time zone of the session: the one that the client has named, or else that of the app.
  public var today: CalendarDate { context.environment.today }

  // MARK: Stack

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

  /// Removes `count` (at least 1) entries from the top. To empty the stack is a fault of the app.
  public mutating func pop(_ count: Int = 1) { commands.append(.pop(count)) }

  /// Removes the entries over the uppermost screen of this name. To pop to a screen that the stack does not have is a
  /// fault of the app.
  public mutating func popTo<S: Screen>(_ screen: S.Type) { commands.append(.popTo(S.name)) }

  /// Removes all but the lowest entry, if there are others.
  public mutating func popToRoot() { commands.append(.popToRoot) }

  /// Replaces the top entry; pushes the screen on a stack without entries.
  public mutating func replaceTop<S: Screen>(_ screen: S, leaving: LeavePolicy = S.leavePolicy) {
    commands.append(.replaceTop(.make(screen, leaving)))
  }

  /// Replaces the whole stack by new screens, bottom first. An empty list is a fault of the app.
  public mutating func setStack(_ screens: [any Screen]) {
    commands.append(.setStack(screens.map { EntryDraft.make($0) }))
  }

  // MARK: Modals and prompts

  /// Presents a screen of this coordinator over the stack, and over the modals that are open there.
  public mutating func present<S: Screen>(_ screen: S, leaving: LeavePolicy = S.leavePolicy) {
    commands.append(.present(.make(screen, leaving)))
  }

  /// Dismisses the top modal over the stack, or the modal that the stack itself is. Without a modal, a dismissal is a
  /// fault of the app.
  public mutating func dismiss() { commands.append(.dismiss) }

  /// Dismisses every modal of the session, if there are any.
  public mutating func dismissAll() { commands.append(.dismissAll) }

  /// Opens a prompt. To ask while another prompt is open is a fault of the app; a prompt of an event in the background
  /// opens after those that are open already.
  public mutating func ask<P: Prompt>(_ prompt: P) {
    commands.append(.ask(Draft(prompt, named: P.name)))
  }

  /// Returns the prompt whose button this step handles, as it was asked; nil in any other step. Read the price that the
  /// user agreed to from this prompt and not from the coordinator, which an event in the background may have changed
  /// since.
  public func answered<P: Prompt>(_ prompt: P.Type) -> P? {
    guard let origin = context.environment.origin, origin.kind == .prompt, origin.name == P.name else { return nil }
    return try? origin.value.decode(P.self)
  }

  // MARK: Children

  /// Starts a child in the same stack.
  public mutating func start<Child: Coordinator>(_ child: Child) {
    commands.append(.start(Draft(child, named: Child.name), modal: false))
  }

  /// Starts a child in a modal with a stack of its own, over the modals that are open over this stack.
  public mutating func present<Child: Coordinator>(_ child: Child) {
    commands.append(.start(Draft(child, named: Child.name), modal: true))
  }

  /// Ends this coordinator with all of its descendants and screens, and gives the result to the parent. The finish of
  /// the root coordinator ends the session. To finish the root coordinator of a tab is a fault of the app. `finish` is
  /// the last command of a handler.
  public mutating func finish(_ result: Owner.Result) {
    commands.append(.finish(Draft(result, named: Owner.name)))
  }

  /// Rejects the action as a whole. Clients see the reasons of all refusals.
  ///
  /// In an outcome that ``Wiring/performs(_:mayRefuse:done:failed:)`` declares with `mayRefuse`, the refusal is that of
  /// the form whose action has requested the effect. The screens of this coordinator and its descendants over the form
  /// are removed, the form begins with the values that were sent, and no other command and no change of this coordinator
  /// takes place. The user reads the reasons in a notice if the form is gone or hidden. Elsewhere in the background, a
  /// refusal is an event that fails.
  public mutating func refuse(_ reason: Text) { commands.append(.refuse(reason, field: nil)) }

  /// Rejects the action as a whole because of one field of its input, given by its name; see ``refuse(_:)``. A name that
  /// the input does not have is a fault of the app in the handler of an action, and makes a notice of the refusal in an
  /// outcome.
  public mutating func refuse(_ reason: Text, field: String) { commands.append(.refuse(reason, field: field)) }

  // MARK: Effects, timers and signals

  /// Requests an effect, which begins once this step is stored. Its outcome arrives as an event of this coordinator. If
  /// the coordinator ends before, the effect is cancelled. To request an effect and to end in one step is a fault of
  /// the app.
  ///
  /// - Parameter key: effects of this name with the same key have the same ``EffectContext/idempotencyKey``, so that a
  ///   second request for the same purpose, such as the payment of one order, does not repeat the work. The key counts
  ///   in this session, for as long as it lasts. Without a key, each request has an idempotency key of its own.
  public mutating func perform<E: Effect>(_ effect: E, key: String? = nil) {
    commands.append(.perform(Draft(effect, named: E.name), key: key.map(WorkKey.given), compensation: nil))
  }

  /// Requests an effect with all answers of the journey of this coordinator; see ``Wiring/journey(_:done:)``.
  ///
  ///     nav.perform { answers in SendReport(answers: answers) }
  ///
  /// Each request has the same ``EffectContext/idempotencyKey`` until an answer changes.
  ///
  /// - Parameter effect: makes the effect from the answers that count when the handler ends. They are an object with a
  ///   member for each question, in the order of the pages: null if the question is not asked, or is optional and left
  ///   empty.
  public mutating func perform<E: Effect>(_ effect: @escaping @Sendable (Value) -> E) {
    commands.append(.performWithAnswers { Draft(effect($0), named: E.name) })
  }

  /// Requests an effect and the one that takes it back, such as a reservation and its cancellation.
  ///
  /// - Parameter compensation: requested once, as a detached effect, if this coordinator or the session ends before the
  ///   outcome: by a result, by leaving its screens, by deletion or by expiry. The compensation can run while the
  ///   effect is in progress, or although the effect has changed nothing, so the other side must accept both orders.
  public mutating func perform<E: Effect, C: Effect>(_ effect: E, key: String? = nil, compensate compensation: C) {
    commands.append(
      .perform(
        Draft(effect, named: E.name), key: key.map(WorkKey.given), compensation: Draft(compensation, named: C.name)))
  }

  /// Requests an effect without an outcome, such as a record for an audit. The effect begins once this step is stored,
  /// and does not end with this coordinator or the session.
  public mutating func perform<E: Effect>(detached effect: E, key: String? = nil) {
    commands.append(.performDetached(Draft(effect, named: E.name), key: key))
  }

  /// Cancels the effects of this type and key that this coordinator has requested, if there are any: their outcomes
  /// arrive no longer, and no further attempt begins. An attempt in progress goes on, so the work may be done
  /// nevertheless; a compensation is requested.
  ///
  /// - Parameter key: nil for the effects without a key. In a coordinator with a journey, that is also the effect with the
  ///   answers as they were before the handler.
  public mutating func cancel<E: Effect>(_ effect: E.Type, key: String? = nil) {
    commands.append(.cancel(.effect, E.name, key: key.map(WorkKey.given)))
  }

  /// Revokes the resume addresses that effects of this session have made so far; see
  /// ``EffectContext/resumeAddress(for:repeatable:)``. A use of one is refused from now on.
  public mutating func revokeResumeAddresses() { commands.append(.revokeResumeAddresses) }

  /// Schedules an event of this coordinator. A scheduled event of the same type and key is replaced.
  ///
  /// - Parameter delay: the time from this step; a negative one counts as 0.
  public mutating func schedule<E: TimedEvent>(_ event: E, after delay: Duration, key: String? = nil) {
    commands.append(.schedule(Draft(event, named: E.name), .after(delay), key: key))
  }

  /// Schedules an event of this coordinator for a time before the end of the session, such as to remind the user by mail.
  /// The time moves with the end, as changes by clients extend the session. A scheduled event of the same type and key
  /// is replaced.
  ///
  /// Schedule the event again in its handler, so that it occurs again before the new end of a session that is extended.
  /// An event that is scheduled too late for its time waits until the end moves.
  ///
  /// - Parameter time: the time before the end; a negative one counts as 0.
  public mutating func schedule<E: TimedEvent>(_ event: E, beforeEnd time: Duration, key: String? = nil) {
    commands.append(.schedule(Draft(event, named: E.name), .beforeEnd(time), key: key))
  }

  /// Cancels the scheduled event of this type and key, if there is one.
  public mutating func cancel<E: TimedEvent>(_ event: E.Type, key: String? = nil) {
    commands.append(.cancel(.timer, E.name, key: key.map(WorkKey.given)))
  }

  /// Waits for a signal, until this coordinator ends. If it waits already, nothing changes.
  ///
  /// An effect that this coordinator requests in the same step or later learns the address of the signal from
  /// `EffectContext.callback(for:)`.
  ///
  /// - Parameter key: 1 to 255 bytes that a backend knows as well, such as the number of an order. A sender with the
  ///   permission `signal` reaches every session that waits for the signal of this app under the key, without its
  ///   address. Take the key from the session or from an effect: a key that the user has entered would make the session
  ///   receive the signals for somebody else's order.
  public mutating func await<S: Signal>(_ signal: S.Type, key: String? = nil) {
    commands.append(.await(S.name, key: key))
  }

  /// Waits for the signal under this key no longer. Its address is invalid from now on.
  public mutating func cancel<S: Signal>(_ signal: S.Type, key: String? = nil) {
    commands.append(.cancel(.signal, S.name, key: key.map(WorkKey.given)))
  }

  // MARK: Tabs

  /// Replaces the stack by a tab bar; the coordinators of a previous bar end. An empty bar, or a repeated name, is a
  /// fault of the app.
  public mutating func setTabs(_ tabs: TabDraft...) { commands.append(.setTabs(tabs)) }

  /// Shows another tab in the bar of this coordinator, or of the nearest ancestor that has one: removes what covers the
  /// bar, subject to leave policies, and selects the tab.
  public mutating func select<C: Coordinator>(_ tab: C.Type) { commands.append(.select(C.name, reselect: false)) }

  /// Selects a tab as ``select(_:)`` does, and pops it to its root.
  public mutating func reselect<C: Coordinator>(_ tab: C.Type) { commands.append(.select(C.name, reselect: true)) }

  /// Follows steps as a deep link does, but from here: selects tabs, pops them to their roots, and performs actions of
  /// the screens that these show. A tab's own coordinator therefore puts its screen on the stack of the tab.
  ///
  ///     nav.follow(.tab(Orders.self), .action(OpenOrder(id: order)))
  ///
  /// An action that the screen does not offer, or that does not take its input, is a fault of the app. A disabled action
  /// rejects the step with its reason.
  public mutating func follow(_ steps: Step...) { follow(steps) }

  /// Follows steps as a deep link does; see ``follow(_:)-(Step...)``.
  public mutating func follow(_ steps: [Step]) { commands.append(.follow(steps)) }

  /// Sets the badge of the tab that this coordinator lives in; nil removes it.
  public mutating func badge(_ count: Int?) { commands.append(.badge(count, tab: nil)) }

  /// Sets the badge of a tab in the bar of this coordinator, or of the nearest ancestor that has one.
  public mutating func badge<C: Coordinator>(_ count: Int?, on tab: C.Type) {
    commands.append(.badge(count, tab: C.name))
  }
}

extension Navigator where Owner.Result == Nothing {
  /// Ends this coordinator; see ``finish(_:)``.
  public mutating func finish() { finish(Nothing()) }
}

/// One tab of a new bar: its root coordinator, its title and its icon.
public struct TabDraft: Sendable {
  let child: Draft
  let title: Text
  let icon: String?

  package init(_ child: Draft, title: Text, icon: String?) {
    (self.child, self.title, self.icon) = (child, title, icon)
  }

  public static func tab<C: Coordinator>(_ root: C, title: Text, icon: String? = nil) -> TabDraft {
    TabDraft(Draft(root, named: C.name), title: title, icon: icon)
  }
}
