import Values

@testable import Navigation

/// A failed property, by its number in `Properties/README.md`.
struct PropertyFailure: Error, CustomStringConvertible {
  let property: Int
  let sentence: String

  init(_ property: Int, _ sentence: String) {
    self.property = property
    self.sentence = sentence
  }

  var description: String { "property \(property): \(sentence)" }
}

/// Throws unless a property holds.
func hold(_ property: Int, _ holds: Bool, _ sentence: @autoclosure () -> String) throws {
  if !holds { throw PropertyFailure(property, sentence()) }
}

/// Carries out one intent, and checks every property of a single step.
struct StepChecks {
  let app: AppDefinition
  /// A second registration of the app, as another process has it.
  let elsewhere: AppDefinition

  init(_ app: App) throws {
    self.app = try AppDefinition(app)
    elsewhere = try AppDefinition(app)
  }

  /// - Parameter isOffered: whether the view offered the intent; nil if that is unknown, as in a replay.
  /// - Returns: the next state, or nil for a rejection.
  func perform(_ intent: Intent, on packed: [UInt8], isOffered: Bool?) throws -> PackedState? {
    let before = try app.unpack(packed)
    let step: PackedState
    do throws(Rejection) {
      step = try app.perform(intent, on: packed)
    } catch {
      try hold(13, isOffered != true, "\(intent) is offered and was rejected: \(error)")
      guard case .fault(let fault) = error else { return nil }
      switch fault.cause {
      // The apps of the walks give these commands wherever they are.
      case .cannotPop, .noScreenToPopTo, .nothingToDismiss, .rootOfTabFinishes: return nil
      default: throw PropertyFailure(29, "a rejection is the app's fault: \(fault)")
      }
    }
    try hold(13, isOffered != false, "\(intent) is not offered and was accepted")
    let after = step.state
    try audit(after, of: app)
    try LeaveChecks(app: app).check(intent, from: before, to: after)
    try checkPendingIntent(of: after)
    try hold(9, after.revision == before.revision + 1, "the revision went from \(before.revision) to \(after.revision)")
    let read = try elsewhere.unpack(step.packed)
    try hold(10, read == after, "reading the packed form gives another state")
    try hold(10, app.pack(read) == step.packed, "the packed form is not canonical")
    let there = try elsewhere.perform(intent, on: packed)
    try hold(11, there.packed == step.packed, "another process reaches another state")
    var again = Transaction(app: app, state: after, stamp: StepStamp())
    try again.settle()
    try hold(21, again.state == after, "settling a settled state changes it")
    let shown = after.shownScreens(of: after.root, isShown: true)
    try hold(27, shown.count == 1 && shown.first == after.visibleEntry?.id, "\(shown.count) screens show")
    return step
  }

  /// 11 and 12: a session that stays in memory, with its coordinators and screens decoded, reaches the same state as
  /// one that is packed after each step, and a rejected intent leaves it as it is.
  func checkLive(_ live: inout SessionState, _ intent: Intent, _ packed: [UInt8]) throws {
    if let next = try? app.perform(intent, on: live) { live = next }
    _ = try app.view(of: live)
    try hold(11, app.pack(live) == packed, "a session in memory reaches another state")
  }

  private func checkPendingIntent(of state: SessionState) throws {
    guard let pending = state.pending else { return }
    try hold(25, !state.isFinished, "an intent is pending in a finished session")
    let guardian = state.node(pending.guardian).map { app.coordinators[$0.coordinator].definition.guards }
    try hold(
      25, guardian?.indices.contains(pending.blocker.index) ?? false,
      "an intent is pending behind a guard that does not exist")
    let isReachable =
      switch pending.awaited {
      case .coordinator(let id): state.node(id) != nil
      case .entry(let id): state.position(of: id) != nil
      case .prompt: state.prompt != nil
      case .answer: state.prompt?.decidesPendingIntent ?? false
      case .nothing: true
      case .intent: false
      }
    try hold(25, isReachable, "the awaited part of the pending intent is gone")
  }
}

extension SessionState {
  /// The visible screens of a stack and those in and over it, found by a visit of every entry.
  fileprivate func shownScreens(of stack: Stack, isShown: Bool) -> [EntryID] {
    var shown: [EntryID] = []
    let modal = modal(over: stack.id)
    for (place, entry) in stack.entries.enumerated() {
      let isEntryShown = isShown && modal == nil && place == stack.entries.count - 1
      switch entry.content {
      case .screen: if isEntryShown { shown.append(entry.id) }
      case .tabs(let bar):
        for (index, tab) in bar.tabs.enumerated() {
          let isTabShown = isEntryShown && index == bar.selected
          shown += self.stack(tab.stack).map { shownScreens(of: $0, isShown: isTabShown) } ?? []
        }
      }
    }
    return shown + (modal.map { shownScreens(of: $0, isShown: isShown) } ?? [])
  }
}

/// Checks of short sequences of intents, tried from the states of a walk.
struct JourneyChecks {
  let app: AppDefinition

  func check(_ intent: Intent, from before: [UInt8], to after: PackedState) throws {
    try checkPushAndBack(intent, from: try app.unpack(before), to: after)
    try checkTabs(of: after)
  }

  /// 14: back undoes a push. 15 and 16: back over everything that a child has pushed ends the child.
  ///
  /// A step that carries out pending intents as well is more than a push: one of them may change a hidden stack.
  private func checkPushAndBack(_ intent: Intent, from before: SessionState, to after: PackedState) throws {
    guard case .action = intent, before.prompt == nil, after.state.prompt == nil,
      before.pendingIntents == after.state.pendingIntents,
      let (was, now) = VisiblePath.both(before, after.state), was.stack.id == now.stack.id,
      now.stack.entries.count == was.stack.entries.count + 1, was.entry.id != now.entry.id,
      now.stack.entries.dropLast().map(\.id) == was.stack.entries.map(\.id), now.entry.leavePolicy == .free
    else { return }
    let back = try app.perform(.back, on: after.packed).state
    try hold(14, back.shape == before.shape, "back does not undo the push of \(intent)")
    let property = after.state.nodes.count > before.nodes.count ? 15 : 14
    try hold(property, back.nodes.map(\.id) == before.nodes.map(\.id), "back leaves other coordinators than before")
    try hold(14, back.revision == after.state.revision + 1, "back is not one revision")
  }

  /// 17: a reselection is idempotent and changes no other tab. 18: a tab keeps its state while another one is selected.
  private func checkTabs(of here: PackedState) throws {
    let view = try app.view(of: here.state)
    guard let bar = view.tabBar, view.tabBars[0].canSelect.allSatisfy({ $0 }) else { return }
    let selected = bar.tabs[bar.selected]
    // A tab may show another bar instead, a modal over it, or a prompt.
    let stacks = { (state: SessionState) in state.visiblePath?.tabBar?.tabs.map(\.stack) }
    for other in bar.tabs where other.name != selected.name {
      let there = try app.perform(.tab(other.name), on: here.packed)
      guard there.state.prompt == nil, stacks(there.state) == stacks(here.state) else { continue }
      let back = try app.perform(.tab(selected.name), on: there.packed)
      try hold(18, back.state.stacks == here.state.stacks, "tab \(selected.name) is not as it was")
      try hold(18, back.state.nodes == here.state.nodes, "the coordinators are not as they were")
    }
    let once = try app.perform(.tab(selected.name), on: here.packed)
    guard once.state.prompt == nil, stacks(once.state) == stacks(here.state) else { return }
    let twice = try app.perform(.tab(selected.name), on: once.packed)
    try hold(17, once.state.stacks == twice.state.stacks, "reselecting twice is not reselecting once")
    let others = { (state: SessionState) in
      state.visiblePath?.tabBar?.tabs.filter { $0.name != selected.name }.map { tab in
        "\(tab) \(state.stacks.inAndOver(tab.stack))"
      }
    }
    try hold(17, others(once.state) == others(here.state), "reselecting changed another tab")
  }

  /// 24: a link leads to the same stack from every state, and back leads from there to a root.
  func checkLink(_ link: String, from packed: [UInt8]) throws {
    var reached = try? app.perform(.open(link: link), on: packed)
    while let asked = reached, asked.state.prompt != nil {
      reached = try app.perform(.action(name: ServiceAnswer.leave.rawValue, input: .emptyObject), on: asked.packed)
    }
    // A sealed screen refuses the link, and a guard makes it wait.
    guard var here = reached, here.state.pending == nil else { return }
    let fresh = try app.begin()
    let direct = try app.perform(.open(link: link), on: fresh.packed)
    if direct.state.pending == nil {
      let (one, other) = (here.state.visiblePath?.stack, direct.state.visiblePath?.stack)
      try hold(24, one?.entries.map(\.content) == other?.entries.map(\.content), "\(link) leads to another stack")
    }
    var steps = 0
    while here.state.backTarget != nil {
      here = try app.perform(.back, on: here.packed)
      steps += 1
      try hold(24, steps < 100, "back never reaches a root")
    }
  }
}

extension VisiblePath {
  static func both(_ one: SessionState, _ other: SessionState) -> (VisiblePath, VisiblePath)? {
    guard let first = one.visiblePath, let second = other.visiblePath else { return nil }
    return (first, second)
  }
}

extension SessionState {
  /// The ids and contents, without badges: reading a message lowers its badge, and back does not raise it again.
  var shape: [String] {
    var shape = stacks.map { "stack \($0.id) over \($0.covered, default: "none"): \($0.entries.map(\.id))" }
    for entry in stacks.flatMap(\.entries) {
      switch entry.content {
      case .screen(let screen, let value): shape.append("\(entry.id) \(entry.owner) \(screen) \(value.encoding)")
      case .tabs(let bar): shape += ["\(entry.id) tabs \(bar.selected) \(bar.tabs.map(\.stack))"]
      }
    }
    return shape
  }
}

/// Property 26 along a walk: every removal of an entry is subject to its leave policy.
///
/// Only its own coordinator or a guard removes a sealed entry, or a confirm entry without the consent of the user.
struct LeaveChecks {
  let app: AppDefinition

  func check(_ intent: Intent, from before: SessionState, to after: SessionState) throws {
    var remaining: Set<EntryID> = []
    for entry in after.entries { remaining.insert(entry.id) }
    let gone = before.entries.filter { !remaining.contains($0.id) }
    guard gone.contains(where: { $0.leavePolicy != .free }), before.pending == after.pending,
      !gone.contains(where: isGuarded), !hasLostGuardedCoordinator(before, after)
    else { return }
    let (origin, consents) = origin(of: intent, in: before)
    let actors = actors(of: origin, in: before) + parentsOfEnded(before, after)
    for entry in gone where !actors.contains(entry.owner) {
      try hold(26, entry.leavePolicy != .sealed, "the sealed entry \(entry.id) was removed by \(intent)")
      let isAgreed = entry.leavePolicy == .free || consents.contains(entry.id)
      try hold(26, isAgreed, "entry \(entry.id) was removed by \(intent) without consent")
    }
  }

  /// Returns the intent behind an answer, and the entries that the user has agreed to leave.
  private func origin(of intent: Intent, in state: SessionState) -> (Intent, [EntryID]) {
    guard case .leaving(let question) = state.prompt, case .action(let name, _) = intent,
      name == ServiceAnswer.leave.rawValue
    else { return (intent, []) }
    return (question.intent ?? intent, question.consents + [question.entry])
  }

  /// Returns the coordinator that handles an action; none for back, dismiss and tabs.
  private func actors(of intent: Intent, in state: SessionState) -> [NodeID] {
    guard case .action(let name, _) = intent, let action = app.actions.firstIndex(where: { $0.name == name }) else {
      return []
    }
    var next = state.prompt?.asked?.owner ?? state.visibleEntry?.owner
    while let id = next, let node = state.node(id) {
      if app.coordinators[node.coordinator].handlers[action] != nil { return [id] }
      next = node.parent
    }
    return []
  }

  /// Returns the coordinators that received the result or cancellation of a child, and may have acted on it.
  private func parentsOfEnded(_ before: SessionState, _ after: SessionState) -> [NodeID] {
    before.nodes.filter { after.node($0.id) == nil }.compactMap(\.parent)
  }

  private func isGuarded(_ entry: Entry) -> Bool {
    guard let screen = entry.screen else { return false }
    return guards.contains { if case .screen(app.screens[screen].name) = $0.protected { true } else { false } }
  }

  private func hasLostGuardedCoordinator(_ before: SessionState, _ after: SessionState) -> Bool {
    before.nodes.contains { node in
      let name = app.coordinators[node.coordinator].definition.name
      return after.node(node.id) == nil
        && guards.contains { if case .coordinator(name) = $0.protected { true } else { false } }
    }
  }

  private var guards: [GuardDefinition] { app.coordinators.flatMap(\.definition.guards) }
}
