internal import Values

/// Writes the packed form of one state.
struct SessionPacker: ~Copyable {
  private let app: AppDefinition
  private let state: SessionState
  private let refusal: FormRefusal?
  private var out = ByteWriter(capacity: 512)
  private var blobs: [LocatedBlob] = []
  private var names = NameNumbers()

  init(app: AppDefinition, state: SessionState) {
    self.app = app
    self.state = state
    refusal = state.refusal
  }

  /// Returns the packed form, and the blobs in it.
  consuming func pack() -> (bytes: [UInt8], blobs: [LocatedBlob]) {
    for byte in PackedFormat.magic { out.append(byte) }
    out.append(PackedFormat.version)
    out.append(sized: app.name)
    out.append(varint: UInt64(app.version))
    out.append(varint: state.revision)
    write(state.nextID)
    var flags: PackedFormat.Flags = []
    if state.prompt != nil { flags.insert(.prompt) }
    if !state.queuedPrompts.isEmpty { flags.insert(.queuedPrompts) }
    if state.pending != nil { flags.insert(.pending) }
    if state.result != nil { flags.insert(.result) }
    if state.hasWork { flags.insert(.work) }
    if state.environment.principal != nil { flags.insert(.principal) }
    if !state.loaded.isEmpty { flags.insert(.loaded) }
    if !state.lockedStarts.isEmpty { flags.insert(.lockedStarts) }
    out.append(flags.rawValue)
    write(state.nodes) { $0.write($1) }
    write(state.stacks[0])
    if let prompt = state.prompt { write(prompt) }
    if !state.queuedPrompts.isEmpty { write(state.queuedPrompts) { $0.write($1) } }
    for intent in state.pendingIntents.dropLast() { write(intent, isLast: false) }
    if let last = state.pending { write(last, isLast: true) }
    if let result = state.result { write(result) }
    if state.hasWork { write(state.work) { $0.write($1) } }
    if let principal = state.environment.principal { out.append(principal) }
    if !state.loaded.isEmpty { write(state.loaded) { $0.write($1) } }
    if !state.lockedStarts.isEmpty {
      write(state.lockedStarts) { packer, locked in
        packer.write(locked.coordinator.rawValue)
        packer.write(locked.blocker)
        packer.write(locked.awaited)
      }
    }
    let sum = out.withUnsafeBytes { checksum($0) }
    out.append(littleEndian: sum)
    let blobs = blobs
    return (out.finish(), blobs)
  }

  @inline(__always)
  private mutating func write(_ number: UInt32) { out.append(varint: UInt64(number)) }

  private mutating func write(_ text: String) { out.append(sized: text) }

  /// Writes the number of the items, and the items.
  @inline(__always)
  private mutating func write<T>(_ items: [T], _ write: (inout SessionPacker, T) -> Void) {
    out.append(varint: UInt64(items.count))
    for item in items { write(&self, item) }
  }

  private mutating func write(_ value: Value) {
    if value.size > Blob.limit { note(value.blobs) }
    out.append(encoded: value)
  }

  private mutating func write(_ value: AppValue) {
    if value.encoding.size > Blob.limit { note(value.blobs) }
    out.append(encoded: value.encoding)
  }

  /// Notes the blobs of the value that is written next.
  private mutating func note(_ blobs: [LocatedBlob]) { self.blobs += blobs.map { $0.moved(by: out.count) } }

  /// Writes a declared name: in full with its version after a 0 the first time, its number afterwards.
  private mutating func write(_ kind: PackedName.Kind, _ index: Int) {
    let name = DeclaredName(kind: kind, index: index)
    if let number = names.number(of: name) {
      out.append(varint: UInt64(number))
    } else {
      let schema = app.schema(of: name)
      writeInFull(schema.name, version: schema.version)
    }
  }

  private mutating func writeInFull(_ name: String, version: Int) {
    out.append(0)
    write(name)
    out.append(varint: UInt64(version))
  }

  /// Writes the name of a tab as that of its root coordinator, so that both are migrated together.
  private mutating func write(tab name: String) {
    if let index = app.coordinatorIndex[name] {
      write(.coordinator, index)
    } else {
      // No step leads here. The reader of the bytes throws an error for the unknown name.
      writeInFull(name, version: 1)
    }
  }

  private mutating func write(_ node: Node) {
    write(node.id.rawValue)
    write(node.parent?.rawValue ?? 0)
    write(node.hostStack.rawValue)
    write(.coordinator, node.coordinator)
    write(node.state)
  }

  private mutating func write(_ stack: Stack) {
    write(stack.id.rawValue)
    out.append(varint: UInt64(stack.entries.count))
    let entries = stack.entries.span
    for index in entries.indices { writeEntry(at: index, of: entries) }
    let modal = state.modal(over: stack.id)
    out.append(modal == nil ? 0 : 1)
    if let modal { write(modal) }
  }

  /// Writes an entry of the array without a copy, which would cost more than its bytes.
  private mutating func writeEntry(at index: Int, of entries: Span<Entry>) {
    write(entries[index].id.rawValue)
    write(entries[index].owner.rawValue)
    let policy = entries[index].leavePolicy.rawValue
    switch entries[index].content {
    case .screen(let screen, let value):
      let isRefused = refusal?.form.entry == entries[index].id
      let storedPolicy = policy == app.screens[screen].leavePolicy.rawValue ? PackedFormat.policyOfScreen : policy
      out.append(storedPolicy | (isRefused ? PackedFormat.refusalBit : 0))
      write(.screen, screen)
      write(value)
      if isRefused, let refusal { write(refusal) }
    case .tabs(let bar):
      out.append(policy | PackedFormat.tabsBit)
      out.append(varint: UInt64(bar.tabs.count))
      out.append(varint: UInt64(bar.selected))
      for tab in bar.tabs { write(tab) }
    }
  }

  /// Writes a refusal without its entry, which is the one before.
  private mutating func write(_ refusal: FormRefusal) {
    write(refusal.form.action)
    write(refusal.form.input)
    write(refusal.reasons) { packer, reason in
      packer.write(key: reason.field)
      packer.write(reason.text.storage)
      packer.out.append(reason.text.content == .key ? 1 : 0)
    }
  }

  private mutating func write(_ tab: TabBar.Tab) {
    write(tab: tab.name)
    write(tab.title.storage)
    out.append((tab.icon == nil ? 0 : 1) | (tab.title.content == .key ? PackedFormat.keyBit : 0))
    if let icon = tab.icon { write(icon) }
    out.append(encoded: tab.badge.map { Value($0) } ?? .null)
    // Every tab of a committed state has a stack.
    if let stack = state.stack(tab.stack) { write(stack) }
  }

  private mutating func write(_ prompt: OpenPrompt) {
    switch prompt {
    case .asked(let asked):
      out.append(0)
      write(asked)
    case .leaving(let question):
      out.append(1)
      write(question.id.rawValue)
      write(question.entry.rawValue)
      if let intent = question.intent { write(intent) } else { out.append(7) }
      write(question.consents)
      out.append(question.behind == nil ? 0 : 1)
      if let behind = question.behind { write(behind) }
    case .notice(let notice):
      out.append(2)
      write(notice.id.rawValue)
      write(notice.reason)
    }
  }

  private mutating func write(_ work: PendingWork) {
    write(work.id.rawValue)
    write(work.owner.rawValue)
    out.append(work.since)
    switch work.content {
    case .effect(let effect):
      out.append(0)
      var parts: PackedFormat.EffectParts = []
      switch effect.key {
      case .given: parts.insert(.key)
      case .answers: parts.insert(.keyOfAnswers)
      case .verification: parts.insert(.keyOfVerification)
      case nil: break
      }
      if effect.compensation != nil { parts.insert(.compensation) }
      if effect.property != nil { parts.insert(.property) }
      switch effect.form {
      case .submitted: parts.insert(.form)
      case .superseded: parts.insert(.supersededForm)
      case nil: break
      }
      out.append(parts.rawValue)
      write(.effect, effect.effect)
      write(effect.input)
      out.append(varint: effect.seed)
      switch effect.key {
      case .given(let key): write(key)
      case .answers(let revision), .verification(let revision): out.append(varint: revision)
      case nil: break
      }
      if let compensation = effect.compensation {
        write(compensation.id.rawValue)
        write(.effect, compensation.effect)
        write(compensation.input)
      }
      if let property = effect.property { write(property) }
      if case .submitted(let form) = effect.form {
        write(form.entry.rawValue)
        write(form.action)
        write(form.input)
      }
    case .timer(let timer):
      out.append(timer.lead == nil ? 1 : 3)
      write(.timer, timer.event)
      write(timer.value)
      write(key: timer.key)
      out.append(timer.dueAt)
      if let lead = timer.lead { out.append(varint: UInt64(lead)) }
    case .signal(let signal):
      out.append(2)
      write(.signal, signal.signal)
      write(key: signal.key)
      write(signal.address)
      out.append(varint: signal.seed)
      write(signal.deliveries) { $0.out.append(varint: $1.rawValue) }
    }
  }

  private mutating func write(_ property: ScreenProperty) {
    write(property.entry.rawValue)
    write(property.name)
  }

  private mutating func write(_ loaded: LoadedProperty) {
    write(loaded.property)
    write(loaded.input)
    out.append((loaded.hasFailed ? 1 : 0) | (loaded.arrivedAt == nil ? 0 : 2))
    if let time = loaded.arrivedAt { out.append(time) }
  }

  private mutating func write(key: String?) {
    out.append(key == nil ? 0 : 1)
    if let key { write(key) }
  }

  private mutating func write(_ asked: AskedPrompt) {
    write(asked.id.rawValue)
    write(.prompt, asked.prompt)
    write(asked.value)
    write(asked.owner.rawValue)
    write(asked.stack.rawValue)
  }

  private mutating func write(_ intent: Intent) {
    switch intent {
    case .action(let name, let input):
      out.append(0)
      write(name)
      write(input)
    case .back: out.append(1)
    case .dismiss: out.append(2)
    case .tab(let name):
      out.append(3)
      write(tab: name)
    case .open(let text), .reload(let text), .locale(let text):
      let kind: UInt8 = if case .open = intent { 4 } else if case .reload = intent { 5 } else { 6 }
      out.append(kind)
      write(text)
    }
  }

  private mutating func write(_ pending: PendingIntent, isLast: Bool) {
    write(pending.blocker)
    var bits = (pending.consents.isEmpty ? 0 : PackedFormat.consentsBit) | (isLast ? 0 : PackedFormat.nextIntentBit)
    if pending.origin != nil { bits |= PackedFormat.originBit }
    write(pending.awaited, bits)
    if !pending.consents.isEmpty { write(pending.consents) }
    if let origin = pending.origin { write(origin.rawValue) }
    switch pending.content {
    case .action(let action, let input, let origin, let handler):
      out.append(0)
      write(.screen, action.screen)
      write(action.name)
      write(input)
      write(origin.rawValue)
      write(handler.rawValue)
    case .link(let link, let step):
      out.append(1)
      write(link)
      out.append(varint: UInt64(step))
    case .button(let name, let input, let asked):
      out.append(2)
      write(name)
      write(input)
      write(asked)
    case .steps(let steps, let actor):
      out.append(3)
      write(steps) { $0.write($1) }
      write(actor.rawValue)
    case .move(let intent, let origin):
      out.append(4)
      write(intent)
      write(origin.rawValue)
    }
  }

  private mutating func write(_ awaited: PendingIntent.Awaited, _ bits: UInt8 = 0) {
    switch awaited {
    case .nothing: out.append(0 | bits)
    case .coordinator(let id):
      out.append(1 | bits)
      write(id.rawValue)
    case .entry(let id):
      out.append(2 | bits)
      write(id.rawValue)
    case .prompt: out.append(3 | bits)
    case .answer: out.append(4 | bits)
    case .intent: out.append(5 | bits)
    }
  }

  private mutating func write(_ consents: [EntryID]) { write(consents) { $0.write($1.rawValue) } }

  /// Writes the coordinator of a guard, and the guard by the name that it protects and its ordinal among the guards of
  /// that name: an index among all guards would mean another one in another version of the app. A 0 stands for no guard,
  /// to which no step leads.
  private mutating func write(_ blocker: GuardID) {
    write(blocker.guardian.rawValue)
    let guards = state.node(blocker.guardian).map { app.coordinators[$0.coordinator].guards } ?? []
    guard guards.indices.contains(blocker.index) else { return out.append(0) }
    let protected = guards[blocker.index].protectedName
    out.append(protected.kind == .coordinator ? 1 : 2)
    write(protected.kind, protected.index)
    out.append(varint: UInt64(guards[..<blocker.index].count { $0.protectedName == protected }))
  }
}
