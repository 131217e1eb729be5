internal import Values

// Background events: the outcomes of effects, scheduled events, and signals.
extension AppDefinition {
  /// Applies a background event to a session.
  ///
  /// A leave policy that asks the user counts as agreed. A prompt opens after those that are open already. An event
  /// that meets a guard, or asks a prompt while the queue of prompts is full, changes nothing.
  ///
  /// - Throws: a rejection if the handler faults or refuses the event.
  public func apply(
    _ event: BackgroundEvent, to state: SessionState, stamp: StepStamp = StepStamp()
  ) throws(Rejection) -> BackgroundResult {
    if !localizations.isEmpty { return try localized(for: state).apply(event, to: state, stamp: stamp) }
    guard !state.isFinished, let index = state.work.firstIndex(where: { $0.id == event.work }) else { return .obsolete }
    var step = Transaction(app: self, state: state, stamp: stamp)
    let work = step.state.work[index]
    switch (work.signal, event) {
    case (var signal?, .signal(_, _, let delivery, _)), (var signal?, .dropped(_, let delivery?)):
      guard !signal.deliveries.contains(delivery) else { return .repeated }
      signal.deliveries = signal.deliveries.suffix(AwaitedSignal.deliveryLimit - 1) + [delivery]
      // The work has a new id, so that each delivery is a piece of work of its own for the store.
      step.state.work[index] = PendingWork(
        id: step.state.makeID(), owner: work.owner, since: work.since, content: .signal(signal))
    default: step.state.work.remove(at: index)
    }
    do throws(Interruption) {
      try step.runInBackground { step throws(Interruption) in try step.deliver(event, of: work) }
    } catch {
      switch error {
      case .guarded: return .blocked(.guarded)
      case .promptQueueFull: return .blocked(.promptQueueFull)
      case .promptIsOpen: return .blocked(.promptIsOpen)
      default: throw error.asRejection
      }
    }
    return .applied(step.takeState(at: state.revision + 1))
  }

  // MARK: The move of a session from an earlier version of its app

  /// Runs what the coordinators declare for the move of a session, the ancestors first. Guards and leave policies hold as
  /// for a background event.
  ///
  /// - Parameters:
  ///   - version: the version of the app that the session comes from.
  ///   - state: the session, read by this version.
  /// - Returns: the session at its next revision.
  /// - Throws: a rejection if a handler faults, or if the session cannot take its commands now.
  public func carry(
    _ state: SessionState, from version: Int, stamp: StepStamp = StepStamp()
  ) throws(Rejection) -> SessionState {
    if !localizations.isEmpty { return try localized(for: state).carry(state, from: version, stamp: stamp) }
    let hasCommands = coordinators.contains { $0.definition.carried != nil }
    // A guard may be gone, or pass now, a screen may ask no more, and data may have to be loaded again.
    guard hasCommands || state.pending != nil || !state.lockedStarts.isEmpty || state.prompt != nil || hasLoads else {
      return state.atNextRevision(stamp.time)
    }
    var step = Transaction(app: self, state: state, stamp: stamp)
    do throws(Interruption) {
      try step.runInBackground { step throws(Interruption) in try step.carry(from: version) }
    } catch .guarded(let blocker) {
      throw step.fault(of: blocker, .guardedMove).asRejection
    } catch {
      throw error.asRejection
    }
    return step.takeState(at: state.revision + 1)
  }
}

extension Transaction {
  /// Runs a whole step that no user has caused.
  fileprivate mutating func runInBackground(
    _ part: (inout Transaction) throws(Interruption) -> Void
  ) throws(Interruption) {
    (agreesToLeave, isBackground) = (true, true)
    try attempt(part)
    try closeOutdatedQuestion()
    try complete()
  }

  fileprivate mutating func carry(from version: Int) throws(Interruption) {
    for id in state.nodes.map(\.id) {
      // The handler of an ancestor may have ended the coordinator.
      guard let node = state.node(id), !state.isLocked(id) || state.livesInStack(node), !state.isFinished else {
        continue
      }
      let coordinator = app.coordinators[node.coordinator]
      guard let carried = coordinator.definition.carried else { continue }
      try react(id, in: node.hostStack, "move to a version", coordinator.definition.schema.crashName.text) {
        try carried(&$0, Value(version), $1)
      }
      // The coordinators that have lost their screens to this one end.
      try settle()
    }
  }

  fileprivate mutating func deliver(_ event: BackgroundEvent, of work: PendingWork) throws(Interruption) {
    guard let node = state.node(work.owner) else { return }
    let coordinator = app.coordinators[node.coordinator]
    let name = app.crashName(of: work.declared)
    switch (work.content, event) {
    case (.effect(let pending), _) where pending.property != nil: try receive(event, of: pending)
    case (.effect(let pending), .done(_, let output)):
      guard let outcome = coordinator.outcomes[pending.effect] else { return }
      if let failure = outcome.failure(output) { return try deliver(.failed(work.id, failure), of: work) }
      form = pending.form
      let screens = outcome.readsRequest ? screens(of: node.id) : []
      try react(node.id, in: node.hostStack, "outcome of effect", name, mayRefuse: outcome.mayRefuse) {
        try outcome.done(&$0, output, outcome.environment($1, of: pending, showing: screens))
      }
    case (.effect(let pending), .failed(_, let failure)):
      guard let outcome = coordinator.outcomes[pending.effect] else { return }
      form = pending.form
      let screens = outcome.readsRequest ? screens(of: node.id) : []
      try react(node.id, in: node.hostStack, "failure of effect", name, mayRefuse: outcome.mayRefuse) {
        try outcome.failed(&$0, failure, outcome.environment($1, of: pending, showing: screens))
      }
    case (.timer(let timer), .due):
      guard let handler = coordinator.timedEvents[timer.event] else { return }
      try react(node.id, in: node.hostStack, "timer", name) { try handler.handle(&$0, timer.value, $1) }
    case (.signal(let signal), .signal(_, let input, _, _)):
      guard let handler = coordinator.signals[signal.signal] else { return }
      try react(node.id, in: node.hostStack, "signal", name) { try handler.handle(&$0, input, $1) }
    case (.effect(let pending), .dropped):
      // No outcome has reached the coordinator.
      if let compensation = pending.compensation { state.environment.detach(compensation) }
    case (_, .dropped): break
    default: throw .fault(.mismatchedEvent)
    }
  }

  private func screens(of node: NodeID) -> [String] {
    var names: [String] = []
    for stack in state.stacks {
      for entry in stack.entries where entry.owner == node {
        if let screen = entry.screen { names.append(app.screens[screen].name) }
      }
    }
    return names
  }

  /// Closes a question to leave a screen, and drops its intent, if the screen is gone or asks no more, what the user
  /// agrees to with the intent has changed, or another screen is visible now and the intent is not a link. A pending
  /// intent goes on instead, and may ask again.
  fileprivate mutating func closeOutdatedQuestion() throws(Interruption) {
    guard case .leaving(let question) = state.prompt else { return }
    let isLink = if case .open = question.intent { true } else { false }
    var isCurrent =
      state.position(of: question.entry)?.entry.leavePolicy == .confirm
      && (isLink || state.visibleEntry?.id == presentationBefore.visibleEntry?.id)
    if isCurrent, question.behind == nil, case .action(let name, _) = question.intent, let entry = state.visibleEntry {
      isCurrent = try !changesAgreement(to: name, at: entry.id)
    }
    guard !isCurrent else { return }
    state.prompt = state.prompt?.promptBehind
    if question.intent == nil { state.pending?.awaited = .nothing }
  }

  // MARK: Commands for effects, timers and signals

  mutating func perform(
    _ draft: Draft, key: WorkKey?, _ compensation: Draft?, of form: EffectForm?, by actor: NodeID,
    _ coordinator: RegisteredCoordinator
  ) throws(Interruption) {
    guard let index = app.effectIndex[draft.name], let outcome = coordinator.outcomes[index] else {
      throw .fault(.undeclaredEffect(draft.name, coordinator: coordinator.definition.name))
    }
    let input = try draft.encoded().encoding
    let hasOther = state.work.contains { work in
      work.effect.map { $0.effect == index && key != nil && $0.key == key && $0.input != input } ?? false
    }
    if hasOther { throw .fault(.effectKeyReused(draft.name)) }
    var detached: DetachedEffect?
    if let compensation { detached = try self.detached(compensation, key: nil, coordinator) }
    let effect = PendingEffect(
      effect: index, input: input, key: key, seed: state.environment.stamp.seed, compensation: detached,
      property: nil, form: outcome.mayRefuse ? form : nil)
    try add(.effect(effect), of: actor)
  }

  mutating func performDetached(
    _ draft: Draft, key: String?, _ coordinator: RegisteredCoordinator
  ) throws(Interruption) {
    guard state.environment.detached.count < PendingWork.limit else {
      throw .rejected(.tooMuchWork(limit: PendingWork.limit))
    }
    state.environment.detach(try detached(draft, key: key, coordinator))
  }

  private mutating func detached(
    _ draft: Draft, key: String?, _ coordinator: RegisteredCoordinator
  ) throws(Interruption) -> DetachedEffect {
    guard let index = app.effectIndex[draft.name], coordinator.detached.contains(index) else {
      throw .fault(.undeclaredDetachedEffect(draft.name, coordinator: coordinator.definition.name))
    }
    return DetachedEffect(
      id: state.makeID(), effect: index, input: try draft.encoded().encoding, key: key,
      seed: state.environment.stamp.seed)
  }

  mutating func schedule(
    _ draft: Draft, _ time: ScheduledTime, key: String?, by actor: NodeID, _ coordinator: RegisteredCoordinator
  ) throws(Interruption) {
    guard let index = app.timedEventIndex[draft.name], coordinator.timedEvents[index] != nil else {
      throw .fault(.undeclaredTimedEvent(draft.name, coordinator: coordinator.definition.name))
    }
    cancel(.timer, draft.name, key: key.map(WorkKey.given), of: actor)
    let (now, value) = (state.environment.stamp.time, try draft.encoded().encoding)
    let event: ScheduledEvent
    switch time {
    case .after(let delay): event = ScheduledEvent(event: index, value: value, key: key, dueAt: now + delay)
    case .beforeEnd(let time):
      let lead = (now + max(time, .zero)).milliseconds - now.milliseconds
      let end = app.life?.expiry(ofCreationAt: now, at: now) ?? now
      let dueAt = Timestamp(milliseconds: max(now.milliseconds, end.milliseconds - lead))
      event = ScheduledEvent(event: index, value: value, key: key, dueAt: dueAt, lead: lead)
    }
    try add(.timer(event), of: actor)
  }

  mutating func wait(
    for name: String, key: String?, by actor: NodeID, _ coordinator: RegisteredCoordinator
  ) throws(Interruption) {
    guard let index = app.signalIndex[name], coordinator.signals[index] != nil else {
      throw .fault(.undeclaredSignal(name, coordinator: coordinator.definition.name))
    }
    if let key, !AwaitedSignal.keySizes.contains(key.utf8.count) { throw .fault(.invalidSignalKey(name)) }
    let isAwaited = state.work.contains { work in
      work.owner == actor && work.signal.map { $0.signal == index && $0.key == key } ?? false
    }
    guard !isAwaited else { return }
    let signal = AwaitedSignal(
      signal: index, address: state.nextID, seed: state.environment.stamp.seed, key: key, deliveries: [])
    try add(.signal(signal), of: actor)
  }

  mutating func add(_ content: PendingWork.Content, of owner: NodeID) throws(Interruption) {
    let work = PendingWork(id: state.makeID(), owner: owner, since: state.environment.stamp.time, content: content)
    if work.effect != nil { makeRoomForEffect() }
    guard state.work.count(where: { $0.declared.kind == work.declared.kind }) < PendingWork.limit else {
      throw .rejected(.tooMuchWork(limit: PendingWork.limit))
    }
    state.work.append(work)
  }

  mutating func cancel(_ kind: PackedName.Kind, _ name: String, key: WorkKey?, of actor: NodeID) {
    guard let declared = app.declaration(of: name, kind) else { return }
    cancel { $0.owner == actor && $0.declared == declared && $0.key == key && $0.effect?.property == nil }
  }

  /// Cancels work, and performs the compensations of the effects among it. An effect of this step has not begun.
  mutating func cancel(where isCancelled: (PendingWork) -> Bool) {
    for work in state.work where work.id.rawValue < firstNewID && isCancelled(work) {
      if let compensation = work.effect?.compensation { state.environment.detach(compensation) }
    }
    state.work.removeAll(where: isCancelled)
  }

  /// Cancels the work of ended coordinators, and performs the compensations of their effects.
  ///
  /// - Throws: a fault if this step has requested an effect of theirs, whose outcome nothing would receive.
  mutating func cancelWork(of nodes: [NodeID]) throws(Interruption) {
    guard state.hasWork else { return }
    for work in state.work where nodes.contains(work.owner) && work.id.rawValue >= firstNewID {
      if work.effect != nil { throw .fault(.effectOfEndedCoordinator(app.name(of: work))) }
    }
    cancel { nodes.contains($0.owner) }
  }
}
