internal import Values

/// One command of a coordinator to its ``Navigator``, by declared names and encoded values only.
enum Command: Sendable {
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
  case badge(Int?, tab: String?)
  case refuse(Text, field: String?)
  case perform(Draft, key: String?, compensation: Draft?)
  case performDetached(Draft, key: String?)
  case schedule(Draft, after: Duration, key: String?)
  case await(String, key: String?)
  case cancel(PendingWork.Kind, String, key: String?)
}

/// A value for storage, with its declared name.
struct Draft: Sendable {
  let name: String
  /// Nil if the value cannot be encoded, for the reason in `failure`.
  private let value: AppValue?
  private let failure: String?

  init(_ item: some Encodable & Sendable, named name: String) {
    self.name = name
    do {
      value = try .encoding(item)
      failure = nil
    } catch {
      value = nil
      failure = "\(error)"
    }
  }

  init(_ values: Value, named name: String) {
    self.name = name
    value = AppValue(encoding: values)
    failure = nil
  }

  func encoded() throws(Interruption) -> AppValue {
    guard let value else { throw .fault(.cannotBeStored(name: name, error: failure ?? "")) }
    return value
  }
}

/// A screen for a new entry.
struct EntryDraft: Sendable {
  let screen: Draft
  let leavePolicy: LeavePolicy

  static func make<S: Screen>(_ screen: S, _ leavePolicy: LeavePolicy = S.leavePolicy) -> EntryDraft {
    EntryDraft(screen: Draft(screen, named: S.name), leavePolicy: leavePolicy)
  }
}

// The commands of a coordinator, in order.
extension Transaction {
  mutating func apply(_ commands: [Command], by actor: NodeID, in stack: StackID) throws(Interruption) {
    try refuse(commands, by: actor)
    // By index, because a loop over the elements copies each command.
    for place in commands.indices {
      try countCommand()
      guard let index = state.nodeIndex(actor), !state.isFinished else {
        throw .fault(.commandAfterFinish)
      }
      let declared = app.coordinators[state.nodes[index].coordinator]
      switch commands[place] {
      case .push(let draft): try push(try entry(draft, of: actor, declared), on: stack, by: actor)
      case .pushSingleTop(let draft): try pushSingleTop(try entry(draft, of: actor, declared), on: stack, by: actor)
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
      case .dismiss: try dismiss(at: stack)
      case .dismissAll: try dismissAll()
      case .ask(let draft): try ask(draft, by: actor, declared, on: stack)
      case .start(let draft, let modal):
        try start(draft, under: actor, in: modal ? try presentStack(over: stack) : stack)
      case .finish(let draft): try finish(actor, with: try draft.encoded().encoding)
      case .setTabs(let tabs): try setTabs(tabs, on: stack, by: actor)
      case .select(let name, let reselect): try selectTab(named: name, reselect: reselect, by: actor)
      case .badge(let count, let tab): try setBadge(count, tab: tab, by: actor)
      case .refuse: break
      case .perform(let draft, let key, let compensation):
        try perform(draft, key: key, compensation, by: actor, declared)
      case .performDetached(let draft, let key): try performDetached(draft, key: key, declared)
      case .schedule(let draft, let delay, let key):
        try schedule(draft, after: delay, key: key, by: actor, declared)
      case .await(let name, let key): try wait(for: name, key: key, by: actor, declared)
      case .cancel(let kind, let name, let key): cancel(kind, name, key: key, of: actor)
      }
    }
  }

  /// Rejects the step with every refusal among the commands, before any command changes the state.
  private func refuse(_ commands: [Command], by actor: NodeID) throws(Interruption) {
    var failures: [InvalidInput.Failure] = []
    for place in commands.indices {
      guard case .refuse(let reason, let field) = commands[place] else { continue }
      let title = if let field { try refusedField(field, by: actor).title } else { Text?.none }
      failures.append(.init(pointer: field.map { "/\($0)" } ?? "", title: title, .refused(app.writer.written(reason))))
    }
    if !failures.isEmpty { throw .rejected(.refused(failures)) }
  }

  /// Returns the refused field of the input. A refusal of a field that the input does not have would point the user at
  /// nothing, so it is a fault.
  private func refusedField(_ name: String, by actor: NodeID) throws(Interruption) -> FieldSchema {
    let input = isCreation ? app.input : action?.input ?? InputSchema(fields: [])
    if let field = input.fields.first(where: { $0.name == name }) { return field }
    let coordinator = state.node(actor).map { app.coordinators[$0.coordinator].definition.name }
    let place = [app.name, coordinator, isCreation ? "input" : action?.name, name].compactMap { $0 }
    throw .fault(.unknownRefusedField(place: place.joined(separator: " › "), known: input.fields.map(\.name)))
  }

  /// Returns a new entry for a screen that the coordinator has declared.
  private mutating func entry(
    _ draft: EntryDraft, of owner: NodeID, _ coordinator: RegisteredCoordinator
  ) throws(Interruption) -> Entry {
    guard let index = app.screenIndex[draft.screen.name], coordinator.shows[index] else {
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
    guard let index = app.promptIndex[draft.name], coordinator.asks[index] else {
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
