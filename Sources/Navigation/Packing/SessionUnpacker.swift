internal import Languages
internal import Values

/// Reads the packed form of one state. Every read is checked, and throws a ``PackingError``, a
/// ``MigrationObstacle``, or a `ValueError` that stands for corrupt bytes.
struct SessionUnpacker {
  private let app: AppDefinition
  private var input: ByteReader
  private var names: NameReader
  private var stacks: [Stack] = []
  private var refusal: FormRefusal?
  private var depth = 0

  init(app: AppDefinition, bytes: [UInt8]) {
    self.app = app
    input = ByteReader(bytes)
    names = NameReader(app: app)
  }

  /// Whether the state was migrated, and has to be validated against the current declarations.
  var isMigrating: Bool { names.isMigrating }

  mutating func readState() throws -> SessionState {
    for byte in PackedFormat.magic where try input.byte() != byte { throw PackingError.corrupt }
    let format = try input.byte()
    guard format == PackedFormat.version else { throw PackingError.unknownFormat(Int(format)) }
    let start = input
    guard try input.withBytes(try input.int(), { $0.hasSameBytes(as: app.name.utf8Span.span) }) else {
      input = start
      throw PackingError.otherApp(try readText())
    }
    let version = try input.int()
    guard version > 0 else { throw PackingError.corrupt }
    names.isOtherVersion = version != app.version
    let revision = try input.varint()
    let nextID = try readID()
    let flags = PackedFormat.Flags(rawValue: try input.byte())
    let nodes = try readList(atLeast: 5) { reader in try reader.readNode() }
    _ = try readStack(covering: nil)
    // The order of creation.
    stacks.sort { $0.id < $1.id }
    var state = SessionState(revision: revision, nextID: nextID, nodes: nodes, stacks: stacks)
    if flags.contains(.prompt) { state.prompt = try readPrompt() }
    if flags.contains(.queuedPrompts) { state.queuedPrompts = try readList(atLeast: 5) { try $0.readAsked() } }
    if flags.contains(.pending) { state.pendingIntents = try readPendingIntents(among: nodes) }
    if flags.contains(.result) { state.result = try input.value() }
    if flags.contains(.work) { state.work = try readList(atLeast: 7) { try $0.readWork() } }
    if flags.contains(.principal) { state.environment = SessionEnvironment(principal: try input.principal()) }
    if flags.contains(.loaded) { state.loaded = try readList(atLeast: 4) { try $0.readLoaded() } }
    if flags.contains(.lockedStarts) {
      state.lockedStarts = try readList(atLeast: 6) { try $0.readLockedStart(among: nodes) }
    }
    guard input.remaining == PackedFormat.checksumSize else { throw PackingError.corrupt }
    if let refusal, !names.isOtherVersion || canShow(refusal, in: state) { state.refusal = refusal }
    if names.isOtherVersion { state.forgetMissingData() }
    try checkReferences(of: state)
    return state
  }

  /// Requires that the references of a prompt exist. All other references are invariants.
  private func checkReferences(of state: SessionState) throws {
    guard state.revision < .max else { throw PackingError.inconsistent(.revisionsUsedUp) }
    for asked in state.askedPrompts where state.node(asked.owner) == nil {
      throw PackingError.inconsistent(.promptOfDeadCoordinator)
    }
    if case .leaving(let question) = state.prompt, state.position(of: question.entry)?.entry.screen == nil {
      throw PackingError.inconsistent(.questionWithoutScreen)
    }
  }

  private mutating func readID() throws -> UInt32 {
    guard let id = UInt32(exactly: try input.varint()) else { throw PackingError.corrupt }
    return id
  }

  private mutating func readFlag() throws -> Bool {
    let flag = try input.byte()
    guard flag <= 1 else { throw PackingError.corrupt }
    return flag == 1
  }

  private mutating func readText() throws -> String { try input.sizedText() }

  /// Reads a count and as many items, each of at least `size` bytes.
  private mutating func readList<T>(atLeast size: Int, _ read: (inout Self) throws -> T) throws -> [T] {
    try readItems(try input.int(), atLeast: size, read)
  }

  private mutating func readItems<T>(_ count: Int, atLeast size: Int, _ read: (inout Self) throws -> T) throws -> [T] {
    guard count <= input.remaining / size else { throw PackingError.corrupt }
    var items: [T] = []
    items.reserveCapacity(count + 1)
    for _ in 0..<count { items.append(try read(&self)) }
    return items
  }

  private mutating func readNode() throws -> Node {
    let id = try readID()
    let parent = try readID()
    let host: StackID = ID(try readID())
    let (coordinator, value) = try names.readValue(.coordinator, from: &input)
    return Node(
      id: ID(id), parent: parent == 0 ? nil : ID(parent), hostStack: host, coordinator: coordinator,
      state: AppValue(encoding: value))
  }

  /// Reads a stack with those in and over it, and returns its id.
  private mutating func readStack(covering covered: StackID?) throws -> StackID {
    // Bounds the recursion over nested stacks.
    depth += 1
    defer { depth -= 1 }
    guard depth <= app.limits.nesting else { throw MigrationObstacle.tooDeep(limit: app.limits.nesting) }
    let id: StackID = ID(try readID())
    let entries = try readList(atLeast: 5) { reader in try reader.readEntry() }
    stacks.append(Stack(id: id, covered: covered, entries: entries))
    if try readFlag() { _ = try readStack(covering: id) }
    return id
  }

  private mutating func readEntry() throws -> Entry {
    let id: EntryID = ID(try readID())
    let owner: NodeID = ID(try readID())
    let bits = try input.byte()
    let isRefused = bits & PackedFormat.refusalBit != 0
    let kind = bits & ~PackedFormat.refusalBit
    let policy = LeavePolicy(rawValue: kind & ~PackedFormat.tabsBit)
    if kind & PackedFormat.tabsBit == 0 {
      guard policy != nil || kind == PackedFormat.policyOfScreen else { throw PackingError.corrupt }
      let (screen, value) = try names.readValue(.screen, from: &input)
      if isRefused { try readRefusal(of: id) }
      return Entry(
        id: id, owner: owner, content: .screen(screen, AppValue(encoding: value)),
        leavePolicy: policy ?? app.screens[screen].leavePolicy)
    }
    guard let policy, !isRefused else { throw PackingError.corrupt }
    return Entry(id: id, owner: owner, content: .tabs(try readTabBar()), leavePolicy: policy)
  }

  private mutating func readRefusal(of entry: EntryID) throws {
    guard refusal == nil else { throw PackingError.corrupt }
    let form = SubmittedForm(entry: entry, action: try readText(), input: try input.value())
    let reasons = try readList(atLeast: 3) { reader in
      let field = try reader.readKey()
      let storage = try reader.readText()
      let text = Text(storage: storage, try reader.readFlag() ? .key : .words)
      guard text.content == .words || text.key != nil else { throw PackingError.corrupt }
      return FormRefusal.Reason(field: field, text)
    }
    guard !reasons.isEmpty else { throw PackingError.corrupt }
    refusal = FormRefusal(form: form, reasons: reasons)
  }

  /// Returns whether this version of the app has the action, the fields and the words of a refusal.
  private func canShow(_ refusal: FormRefusal, in state: SessionState) -> Bool {
    guard let entry = state.entry(refusal.form.entry), let action = refusal.form.definition(in: app, at: entry) else {
      return false
    }
    return refusal.reasons.areAbout(action) && refusal.reasons.allSatisfy { hasWords($0.text) }
  }

  private mutating func readTabBar() throws -> TabBar {
    let count = try input.int()
    let selected = try input.int()
    return TabBar(tabs: try readItems(count, atLeast: 1) { reader in try reader.readTab() }, selected: selected)
  }

  private mutating func readTab() throws -> TabBar.Tab {
    let name = try readTabName()
    let text = try readText()
    let flags = try input.byte()
    guard flags <= 3 else { throw PackingError.corrupt }
    var title = Text(storage: text, flags & PackedFormat.keyBit == 0 ? .words : .key)
    if title.content == .key, title.key == nil { throw PackingError.corrupt }
    if names.isOtherVersion { title = app.tabTitles[name] ?? (hasWords(title) ? title : Text(name.asTitle)) }
    let icon = flags & 1 == 1 ? try readText() : nil
    let badge = try input.value().int.map { Int($0) }
    return TabBar.Tab(name: name, title: title, icon: icon, badge: badge, stack: try readStack(covering: nil))
  }

  /// Returns whether the app has the words of a text, whose key and arguments may be those of another version.
  private func hasWords(_ text: Text) -> Bool {
    guard let key = text.key else { return true }
    let needed = app.localized(for: nil).writer.language?.argumentNames(of: key.name)
    return needed?.isSubset(of: key.arguments.map(\.name)) ?? false
  }

  private mutating func readTabName() throws -> String {
    app.coordinators[try names.read(.coordinator, from: &input).declared.index].definition.name
  }

  private mutating func readPrompt() throws -> OpenPrompt {
    switch try input.byte() {
    case 0:
      return .asked(try readAsked())
    case 1:
      return .leaving(
        OpenLeaveQuestion(
          id: ID(try readID()), entry: ID(try readID()), intent: try readQuestionedIntent(),
          consents: try readList(atLeast: 1) { ID(try $0.readID()) }, behind: try readFlag() ? try readAsked() : nil))
    case 2:
      return .notice(OpenNotice(id: ID(try readID()), reason: try readText()))
    default:
      throw PackingError.corrupt
    }
  }

  private mutating func readAsked() throws -> AskedPrompt {
    let id: PromptID = ID(try readID())
    let (prompt, value) = try names.readValue(.prompt, from: &input)
    return AskedPrompt(id: id, prompt: prompt, value: value, owner: ID(try readID()), stack: ID(try readID()))
  }

  private mutating func readWork() throws -> PendingWork {
    let (id, owner, since) = (try readID(), try readID(), try input.timestamp())
    let content: PendingWork.Content
    switch try input.byte() {
    case 0:
      let parts = PackedFormat.EffectParts(rawValue: try input.byte())
      guard PackedFormat.EffectParts.all.isSuperset(of: parts) else { throw PackingError.corrupt }
      let (effect, value) = try names.readValue(.effect, from: &input)
      let seed = try input.varint()
      let key = try readKey(parts)
      var compensation: DetachedEffect?
      if parts.contains(.compensation) {
        let id = try readID()
        let (effect, value) = try names.readValue(.effect, from: &input)
        compensation = DetachedEffect(id: ID(id), effect: effect, input: value, key: nil, seed: seed)
      }
      let property = parts.contains(.property) ? try readProperty() : nil
      let form = try readForm(parts)
      content = .effect(
        PendingEffect(
          effect: effect, input: value, key: key, seed: seed, compensation: compensation, property: property, form: form
        ))
    case let kind where kind == 1 || kind == 3:
      let (event, value) = try names.readValue(.timer, from: &input)
      let (key, dueAt) = (try readKey(), try input.timestamp())
      let lead = kind == 3 ? Int64(exactly: try input.varint()) : nil
      guard kind == 1 || lead != nil else { throw PackingError.corrupt }
      content = .timer(ScheduledEvent(event: event, value: value, key: key, dueAt: dueAt, lead: lead))
    case 2:
      let signal = try names.read(.signal, from: &input).declared.index
      let key = try readKey()
      content = .signal(
        AwaitedSignal(
          signal: signal, address: try readID(), seed: try input.varint(), key: key,
          deliveries: try readList(atLeast: 1) { SignalDelivery(try $0.input.varint()) }))
    default:
      throw PackingError.corrupt
    }
    return PendingWork(id: ID(id), owner: ID(owner), since: since, content: content)
  }

  private mutating func readKey(_ parts: PackedFormat.EffectParts) throws -> WorkKey? {
    switch parts.intersection(.keys) {
    case []: nil
    case .key: .given(try readText())
    case .keyOfAnswers: .answers(try input.varint())
    case .keyOfVerification: .verification(try input.varint())
    default: throw PackingError.corrupt
    }
  }

  private mutating func readForm(_ parts: PackedFormat.EffectParts) throws -> EffectForm? {
    guard !parts.isSuperset(of: [.form, .supersededForm]) else { throw PackingError.corrupt }
    if parts.contains(.supersededForm) { return .superseded }
    guard parts.contains(.form) else { return nil }
    return .submitted(SubmittedForm(entry: ID(try readID()), action: try readText(), input: try input.value()))
  }

  private mutating func readProperty() throws -> ScreenProperty {
    ScreenProperty(entry: ID(try readID()), name: try readText())
  }

  private mutating func readLoaded() throws -> LoadedProperty {
    let (property, effect, flags) = (try readProperty(), try input.value(), try input.byte())
    guard flags <= 3 else { throw PackingError.corrupt }
    return LoadedProperty(
      property: property, input: effect, arrivedAt: flags & 2 == 0 ? nil : try input.timestamp(),
      hasFailed: flags & 1 == 1)
  }

  private mutating func readKey() throws -> String? { try readFlag() ? try readText() : nil }

  private mutating func readIntent() throws -> Intent {
    guard let intent = try readQuestionedIntent() else { throw PackingError.corrupt }
    return intent
  }

  /// Reads the intent behind a question; nil for the pending intent of the session.
  private mutating func readQuestionedIntent() throws -> Intent? {
    switch try input.byte() {
    case 7: nil
    case 0: .action(name: try readText(), input: try input.value())
    case 1: .back
    case 2: .dismiss
    case 3: .tab(try readTabName())
    case 4: .open(link: try readText())
    case 5: .reload(try readText())
    case 6: .locale(try readText())
    default: throw PackingError.corrupt
    }
  }

  private mutating func readPendingIntents(among nodes: [Node]) throws -> [PendingIntent] {
    var intents: [PendingIntent] = []
    while true {
      let (intent, isLast) = try readPendingIntent(among: nodes)
      intents.append(intent)
      if isLast {
        guard intent.awaited != .intent else { throw PackingError.corrupt }
        return intents
      }
      guard intents.count < PendingIntent.limit else { throw PackingError.corrupt }
    }
  }

  private mutating func readPendingIntent(among nodes: [Node]) throws -> (PendingIntent, isLast: Bool) {
    let blocker = try readGuard(among: nodes)
    let kind = try input.byte()
    let bits = PackedFormat.consentsBit | PackedFormat.nextIntentBit | PackedFormat.originBit
    let awaited = try readAwaited(kind & ~bits)
    let consents: [EntryID] =
      kind & PackedFormat.consentsBit == 0 ? [] : try readList(atLeast: 1) { ID(try $0.readID()) }
    guard !consents.isEmpty || kind & PackedFormat.consentsBit == 0 else { throw PackingError.corrupt }
    let origin: EntryID? = kind & PackedFormat.originBit == 0 ? nil : ID(try readID())
    let content: PendingIntent.Content
    switch try input.byte() {
    case 0:
      let screen = try names.read(.screen, from: &input).declared.index
      content = .action(
        PendingIntent.ScreenAction(screen: screen, name: try readText()), input: try input.value(),
        origin: ID(try readID()), handler: ID(try readID()))
    case 1: content = .link(try readText(), from: try input.int())
    case 2: content = .button(name: try readText(), input: try input.value(), of: try readAsked())
    case 3:
      content = .steps(try readList(atLeast: 1) { reader in try reader.readIntent() }, by: ID(try readID()))
    case 4: content = .move(try readIntent(), origin: ID(try readID()))
    default: throw PackingError.corrupt
    }
    let intent = PendingIntent(
      content: content, blocker: blocker, awaited: awaited, consents: consents, origin: origin)
    return (intent, kind & PackedFormat.nextIntentBit == 0)
  }

  private mutating func readLockedStart(among nodes: [Node]) throws -> LockedStart {
    LockedStart(
      coordinator: ID(try readID()), blocker: try readGuard(among: nodes),
      awaited: try readAwaited(try input.byte()))
  }

  private mutating func readAwaited(_ kind: UInt8) throws -> PendingIntent.Awaited {
    switch kind {
    case 0: .nothing
    case 1: .coordinator(ID(try readID()))
    case 2: .entry(ID(try readID()))
    case 3: .prompt
    case 4: .answer
    case 5: .intent
    default: throw PackingError.corrupt
    }
  }

  /// Reads a coordinator, and the protected name and the ordinal of a guard of it. Returns the index of the guard among
  /// those of its coordinator.
  private mutating func readGuard(among nodes: [Node]) throws -> GuardID {
    let id: NodeID = ID(try readID())
    let guardian = nodes.first { $0.id == id }
    let kind: PackedName.Kind
    switch try input.byte() {
    case 0: throw PackingError.inconsistent(.intentBehindMissingGuard)
    case 1: kind = .coordinator
    case 2: kind = .screen
    default: throw PackingError.corrupt
    }
    let protected = try names.read(kind, from: &input).declared
    let ordinal = try input.int()
    guard let guardian else { throw PackingError.inconsistent(.intentBehindMissingGuard) }
    let registered = app.coordinators[guardian.coordinator]
    let indices = registered.guards.indices.filter { registered.guards[$0].protectedName == protected }
    guard ordinal < indices.count else {
      let guarded = "\(kind.rawValue) \(app.schema(of: protected).name)"
      throw MigrationObstacle.undeclared(
        "\(registered.definition.name) no longer has the guard of the \(guarded) that a pending intent waits for.")
    }
    return GuardID(guardian: id, index: indices[ordinal])
  }
}

extension SessionState {
  /// Forgets the outcomes of loads whose data this version of the app has not taken over, so that it is loaded again.
  fileprivate mutating func forgetMissingData() {
    loaded = loaded.filter { known in
      guard known.arrivedAt != nil, case .screen(_, let value) = entry(known.property.entry)?.content else {
        return true
      }
      return value.encoding[known.property.name] ?? .null != .null
    }
  }
}
