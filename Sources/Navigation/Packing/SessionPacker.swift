internal import Values

/// Writes the packed form of one state.
struct SessionPacker: ~Copyable {
  private let app: AppDefinition
  private var out = ByteWriter(capacity: 512)
  private var names = NameNumbers()

  init(app: AppDefinition) { self.app = app }

  mutating func write(_ state: SessionState) {
    for byte in PackedFormat.magic { out.append(byte) }
    out.append(PackedFormat.version)
    write(app.name)
    out.append(varint: UInt64(app.version))
    out.append(varint: state.revision)
    write(state.nextID)
    var flags: PackedFormat.Flags = []
    if state.prompt != nil { flags.insert(.prompt) }
    if state.pending != nil { flags.insert(.pending) }
    if state.result != nil { flags.insert(.result) }
    out.append(flags.rawValue)
    out.append(varint: UInt64(state.nodes.count))
    for node in state.nodes { write(node) }
    write(state.root)
    if let prompt = state.prompt { write(prompt) }
    if let pending = state.pending { write(pending) }
    if let result = state.result { out.append(encoded: result) }
  }

  consuming func finish() -> [UInt8] {
    let sum = out.withUnsafeBytes { checksum($0) }
    out.append(littleEndian: sum)
    return out.finish()
  }

  private mutating func write(_ number: UInt32) { out.append(varint: UInt64(number)) }

  private mutating func write(_ text: String) {
    out.append(varint: UInt64(text.utf8.count))
    out.append(text)
  }

  /// Writes a declared name: in full after a 0 the first time, its number afterwards.
  private mutating func write(name: String, _ kind: NameNumbers.Kind, _ index: Int) {
    if let number = names.number(of: kind, index) {
      out.append(varint: UInt64(number))
    } else {
      out.append(0)
      write(name)
    }
  }

  private mutating func write(_ node: Node) {
    write(node.id.rawValue)
    write(node.parent?.rawValue ?? 0)
    write(node.hostStack.rawValue)
    write(name: app.coordinators[node.coordinator].definition.name, .coordinator, node.coordinator)
    out.append(encoded: node.state)
  }

  private mutating func write(_ stack: Stack) {
    write(stack.id.rawValue)
    out.append(varint: UInt64(stack.entries.count))
    for entry in stack.entries { write(entry) }
    out.append(UInt8(stack.modals.count))
    for modal in stack.modals { write(modal) }
  }

  private mutating func write(_ entry: Entry) {
    write(entry.id.rawValue)
    write(entry.owner.rawValue)
    switch entry.content {
    case .screen(let index, let value):
      out.append(entry.leavePolicy.rawValue)
      write(name: app.screens[index].name, .screen, index)
      out.append(encoded: value)
    case .tabs(let bar):
      out.append(entry.leavePolicy.rawValue | PackedFormat.tabsBit)
      out.append(varint: UInt64(bar.tabs.count))
      out.append(varint: UInt64(bar.selected))
      for tab in bar.tabs { write(tab) }
    }
  }

  private mutating func write(_ tab: TabBar.Tab) {
    write(tab.name)
    write(tab.title.string)
    out.append(tab.icon == nil ? 0 : 1)
    if let icon = tab.icon { write(icon) }
    out.append(encoded: tab.badge.map { Value($0) } ?? .null)
    write(tab.stack)
  }

  private mutating func write(_ prompt: OpenPrompt) {
    switch prompt {
    case .asked(let index, let value, let owner):
      out.append(0)
      write(name: app.prompts[index].name, .prompt, index)
      out.append(encoded: value)
      write(owner.rawValue)
    case .leaving(let entry, let intent, let consents):
      out.append(1)
      write(entry.rawValue)
      write(intent)
      out.append(varint: UInt64(consents.count))
      for consent in consents { write(consent.rawValue) }
    }
  }

  private mutating func write(_ intent: Intent) {
    switch intent {
    case .action(let name, let input):
      out.append(0)
      write(name)
      out.append(encoded: input)
    case .back: out.append(1)
    case .dismiss: out.append(2)
    case .tab(let name):
      out.append(3)
      write(name)
    case .open(let link):
      out.append(4)
      write(link)
    }
  }

  private mutating func write(_ wish: Wish) {
    write(wish.guardian.rawValue)
    out.append(varint: UInt64(wish.guardIndex))
    write(wish.waitingFor?.rawValue ?? 0)
    switch wish.content {
    case .action(let name, let input, let origin):
      out.append(0)
      write(name)
      out.append(encoded: input)
      write(origin.rawValue)
    case .link(let link):
      out.append(1)
      write(link)
    }
  }
}

/// The numbers of names that have been written in full, counted from 1 in the order of their first use.
private struct NameNumbers {
  enum Kind { case coordinator, screen, prompt }
  private var used: [(kind: Kind, index: Int)] = []

  init() { used.reserveCapacity(8) }

  /// The number of a name that was written before; nil for a new one, which gets the next.
  mutating func number(of kind: Kind, _ index: Int) -> Int? {
    if let found = used.firstIndex(where: { $0.kind == kind && $0.index == index }) { return found + 1 }
    used.append((kind, index))
    return nil
  }
}
