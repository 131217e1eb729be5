package import Values

/// One command of a coordinator to its ``Navigator``, by declared names and encoded values only.
package enum Command: Sendable {
  case push(EntryDraft)
  case pushSingleTop(EntryDraft)
  case bringToFront(EntryDraft)
  case pop(Int)
  case popTo(String)
  case popToRoot
  case replaceTop(EntryDraft)
  case setStack([EntryDraft])
  case present(EntryDraft)
  case dismiss
  case dismissAll
  case ask(Draft)
  case start(Draft, modal: Bool)
  case finish(Draft)
  case setTabs([TabDraft])
  case select(String, reselect: Bool)
  case follow([Step])
  case badge(Int?, tab: String?)
  case refuse(Text, field: String?)
  case arrange(JourneyWay)
  /// Names the form that the outcomes of the next effects may refuse: the action of the topmost screen with a name.
  case submit(screen: String, action: ActionDefinition, Value)
  case perform(Draft, key: WorkKey?, compensation: Draft?)
  /// An effect with the answers of a journey, which fills them in when the handler ends.
  case performWithAnswers(@Sendable (Value) -> Draft)
  case performDetached(Draft, key: String?)
  case schedule(Draft, ScheduledTime, key: String?)
  case await(String, key: String?)
  case cancel(PackedName.Kind, String, key: WorkKey?)
  case revokeResumeAddresses

  /// The name of the verb, for messages to the author: that of the case, unless several cases have one verb.
  var verb: String {
    switch self {
    case .start(_, modal: true): "present"
    case .select(_, reselect: true): "reselect"
    case .performWithAnswers, .performDetached: "perform"
    default: Mirror(reflecting: self).children.first?.label ?? "\(self)"
    }
  }
}

/// The time of a scheduled event.
package enum ScheduledTime: Sendable {
  /// From the step.
  case after(Duration)
  /// Before the end of the session, which may move.
  case beforeEnd(Duration)
}

/// A value for storage, with its declared name.
package struct Draft: Sendable {
  let name: String
  private let value: Result<AppValue, any Error>

  init(_ item: some Encodable & Sendable, named name: String) {
    self.name = name
    value = Result { try .encoding(item) }
  }

  package init(_ values: Value, named name: String) {
    self.name = name
    value = .success(AppValue(encoding: values))
  }

  func encoded() throws(Interruption) -> AppValue {
    do { return try value.get() } catch { throw .fault(.cannotBeStored(name: name, error: "\(error)")) }
  }
}

/// A screen for a new entry.
package struct EntryDraft: Sendable {
  let screen: Draft
  let leavePolicy: LeavePolicy

  package init(_ screen: Draft, _ leavePolicy: LeavePolicy) { (self.screen, self.leavePolicy) = (screen, leavePolicy) }

  static func make<S: Screen>(_ screen: S, _ leavePolicy: LeavePolicy = S.leavePolicy) -> EntryDraft {
    EntryDraft(Draft(screen, named: S.name), leavePolicy)
  }
}

// The commands of a coordinator, in order.
extension Transaction {
  /// Carries out the commands of a coordinator, in their order.
  ///
  /// - Parameters:
  ///   - actor: the coordinator that gives the commands.
  ///   - start: the stack for them. A command that removes it leaves the next ones the stack below.
  ///   - handler: the code that gave the commands, for faults.
  mutating func apply(
    _ commands: [Command], by actor: NodeID, in start: StackID, of handler: HandlerName
  ) throws(Interruption) {
    // The parts that the commands start have forms of their own.
    var form = self.form.take()
    guard !commands.isEmpty else { return }
    try refuse(commands, by: actor)
    guard let coordinator = state.node(actor)?.coordinator else { return }
    handlerDepth += 1
    defer { handlerDepth -= 1 }
    var stack = start
    // By index, because a loop over the elements copies each command.
    for index in commands.indices {
      do throws(Interruption) {
        try countCommand()
        guard handlerDepth <= Self.handlerDepthLimit else {
          throw .fault(.handlersTooDeep(limit: Self.handlerDepthLimit))
        }
        guard state.nodeIndex(actor) != nil, !state.isFinished else { throw .fault(.commandAfterFinish) }
        try apply(commands[index], by: actor, app.coordinators[coordinator], in: &stack, of: &form)
      } catch .rejected(.fault(let fault)) where !fault.hasLocation {
        let location = "\(app.location(of: coordinator, handler)) › command \(index + 1), \(commands[index].verb)"
        throw .fault(.located(fault, at: location))
      }
    }
  }

  private mutating func apply(
    _ command: Command, by actor: NodeID, _ declared: RegisteredCoordinator, in stack: inout StackID,
    of form: inout EffectForm?
  ) throws(Interruption) {
    switch command {
    case .push(let draft): try push(try entry(draft, of: actor, declared), on: stack, by: actor)
    case .pushSingleTop(let draft):
      try push(try entry(draft, of: actor, declared), on: stack, by: actor, singleTop: true)
    case .bringToFront(let draft): try bringToFront(try entry(draft, of: actor, declared), on: stack, by: actor)
    case .pop(let count): try pop(count, from: stack, by: actor)
    case .popTo(let name): try popTo(app.screenIndex[name], on: stack, by: actor)
    case .popToRoot: try popToRoot(stack, by: actor)
    case .replaceTop(let draft): try replaceTop(try entry(draft, of: actor, declared), on: stack, by: actor)
    case .setStack(let drafts):
      var entries: [Entry] = []
      for draft in drafts { entries.append(try entry(draft, of: actor, declared)) }
      try setStack(entries, on: stack, by: actor)
    case .present(let draft):
      let modal = try presentStack(over: stack)
      try push(try entry(draft, of: actor, declared), on: modal, by: actor)
    case .dismiss, .dismissAll, .select, .follow: try move(command, by: actor, in: &stack)
    case .ask(let draft): try ask(draft, by: actor, declared, on: stack)
    case .start(let draft, let modal):
      try start(draft, under: actor, in: modal ? try presentStack(over: stack) : stack)
    case .finish(let draft): try finish(actor, with: try draft.encoded().encoding)
    case .setTabs(let tabs): try setTabs(tabs, on: stack, by: actor)
    case .badge(let count, let tab): try setBadge(count, tab: tab, by: actor)
    case .refuse: break
    case .revokeResumeAddresses: state.environment.revokeResumeAddresses()
    case .arrange(let way): try arrange(way, on: stack, by: actor, declared)
    case .submit(let screen, let action, let input):
      let index = app.screenIndex[screen]
      let entry = state.stack(stack)?.entries.last { $0.owner == actor && $0.screen == index }
      if let entry, declared.mayRefuse { submit(action, input, at: entry.id) }
      form = self.form.take()
    case .perform(let draft, let key, let compensation):
      try perform(draft, key: key, compensation, of: form, by: actor, declared)
    case .performWithAnswers: throw .fault(.noAnswers(coordinator: declared.definition.name))
    case .performDetached(let draft, let key): try performDetached(draft, key: key, declared)
    case .schedule(let draft, let time, let key): try schedule(draft, time, key: key, by: actor, declared)
    case .await(let name, let key): try wait(for: name, key: key, by: actor, declared)
    case .cancel(let kind, let name, let key): cancel(kind, name, key: key, of: actor)
    }
  }

  /// Runs a command that may remove the stack it acts on, such as a modal. The coordinator and its ancestors go on in the
  /// nearest stack below that is left.
  private mutating func move(_ command: Command, by actor: NodeID, in stack: inout StackID) throws(Interruption) {
    let before = state
    switch command {
    case .dismiss: try dismiss(at: stack, by: actor)
    case .select(let name, let reselect): try selectTab(named: name, reselect: reselect, by: actor)
    case .follow(let steps): try follow(try intents(of: steps), by: actor)
    case .dismissAll: try dismissAll()
    default: preconditionFailure("\(command.verb) removes no stack")
    }
    let path = state.path(to: actor)
    guard state.stack(stack) == nil || path.contains(where: { state.stack($0.hostStack) == nil }) else { return }
    let (living, hosts) = (state, path.map(\.id))
    let below: (StackID) -> StackID? = { id in before.stacks(from: id).first { living.stack($0) != nil } }
    for host in hosts {
      guard let index = state.nodeIndex(host), let left = below(state.nodes[index].hostStack) else { continue }
      if state.nodes[index].hostStack != left { state.nodes[index].hostStack = left }
    }
    if let left = below(stack) { stack = left }
  }

  /// Rejects the step with every refusal among the commands, before any command changes the state.
  private func refuse(_ commands: [Command], by actor: NodeID) throws(Interruption) {
    var failures: [InvalidInput.Failure] = []
    for index in commands.indices {
      guard case .refuse(let reason, let field) = commands[index] else { continue }
      let title = if let field { try refusedField(field, by: actor).title } else { Text?.none }
      let fault = FieldFault.refused(app.textWriter(for: state.environment.locale).written(reason))
      failures.append(.init(pointer: field.map { "/\($0)" } ?? "", title: title, fault: fault))
    }
    if !failures.isEmpty { throw .rejected(.refused(failures)) }
  }

  /// Returns the refused field of the input. A refusal of a field that the input does not have would point the user at
  /// nothing, so it is a fault.
  private func refusedField(_ name: String, by actor: NodeID) throws(Interruption) -> FieldSchema {
    let input = isCreation ? app.input : action?.input ?? InputSchema(fields: [])
    if let field = input.fields.first(where: { $0.name == name }) { return field }
    let coordinator = state.node(actor).map { app.name(of: $0) }
    let location = [app.name, coordinator, isCreation ? "input" : action?.name, name].compactMap { $0 }
    let fault = AppFault.unknownRefusedField(known: input.fields.map(\.name))
    throw .fault(.located(fault, at: location.joined(separator: " › ")))
  }

  /// Returns a new entry for a screen that the coordinator has declared.
  private mutating func entry(
    _ draft: EntryDraft, of owner: NodeID, _ coordinator: RegisteredCoordinator
  ) throws(Interruption) -> Entry {
    guard let index = app.screenIndex[draft.screen.name], coordinator.shows.contains(index) else {
      throw .fault(.undeclaredScreen(draft.screen.name, coordinator: coordinator.definition.name))
    }
    return Entry(
      id: state.makeID(), owner: owner, content: .screen(index, try draft.screen.encoded()),
      leavePolicy: draft.leavePolicy)
  }

  private mutating func ask(
    _ draft: Draft, by actor: NodeID, _ coordinator: RegisteredCoordinator, on stack: StackID
  ) throws(Interruption) {
    guard state.prompt == nil || isBackground else { throw .fault(.promptWhileOpen(draft.name)) }
    guard let index = app.promptIndex[draft.name], coordinator.asks.contains(index) else {
      throw .fault(.undeclaredPrompt(draft.name, coordinator: coordinator.definition.name))
    }
    let asked = AskedPrompt(
      id: state.makeID(), prompt: index, value: try draft.encoded().encoding, owner: actor, stack: stack)
    // The open prompt may have ended in this step, before those that wait behind it open.
    guard state.prompt != nil || isBackground && !state.queuedPrompts.isEmpty else {
      return state.prompt = .asked(asked)
    }
    guard state.queuedPrompts.count < AskedPrompt.queueLimit else { throw .promptQueueFull(prompt: draft.name) }
    state.queuedPrompts.append(asked)
  }
}
