internal import HTTPAPI
internal import Navigation
internal import Values

/// The whole navigation of a session as JSON, including the parts that no client sees.
extension JSONWriter {
  /// - Parameter hidden: the values that are shown as bullets.
  mutating func state(_ state: SessionState, of app: AppDefinition, _ hidden: HiddenValues) {
    beginObject()
    member("revision", Int(clamping: state.revision))
    member("nextId", Int(state.nextID))
    beginArray("coordinators")
    for node in state.nodes {
      beginObject()
      member("id", Int(node.id.rawValue))
      member("name", app.name(of: node))
      member("parent", node.parent.map { Int($0.rawValue) })
      member("stack", Int(node.hostStack.rawValue))
      member("state", hidden.hiding(node.state.encoding))
      endObject()
    }
    endArray()
    key(literal: "stack")
    write(state.root, of: state, app, hidden)
    key(literal: "prompt")
    if let prompt = state.prompt { write(prompt, of: app, hidden) } else { null() }
    beginArray("queuedPrompts")
    for asked in state.queuedPrompts { write(.asked(asked), of: app, hidden) }
    endArray()
    key(literal: "pending")
    if let intent = state.pending { write(intent, of: app) } else { null() }
    beginArray("lockedStarts")
    for locked in state.lockedStarts {
      beginObject()
      member("coordinator", Int(locked.coordinator.rawValue))
      member("guardedBy", Int(locked.guardian.rawValue))
      member("waitsFor", locked.awaited.summary)
      endObject()
    }
    endArray()
    member("result", state.result.map { hidden.hiding($0) })
    beginArray("work")
    for work in state.work { write(work, of: app, hidden) }
    endArray()
    endObject()
  }

  private mutating func write(_ work: PendingWork, of app: AppDefinition, _ hidden: HiddenValues) {
    beginObject()
    member("id", Int(work.id.rawValue))
    member("coordinator", Int(work.owner.rawValue))
    member("since", work.since.text)
    switch work.content {
    case .effect(let effect):
      member("effect", app.name(of: work))
      member("input", hidden.hiding(effect.input))
      member("key", effect.key)
    case .timer(let timer):
      member("timer", app.name(of: work))
      member("value", hidden.hiding(timer.value))
      member("key", timer.key)
      member("dueAt", timer.dueAt.text)
    case .signal(let signal):
      member("signal", app.name(of: work))
      member("deliveries", signal.deliveries.count)
    }
    endObject()
  }

  private mutating func write(
    _ stack: Stack, of state: SessionState, _ app: AppDefinition, _ hidden: HiddenValues
  ) {
    beginObject()
    member("id", Int(stack.id.rawValue))
    beginArray("entries")
    for entry in stack.entries {
      beginObject()
      member("id", Int(entry.id.rawValue))
      member("owner", Int(entry.owner.rawValue))
      member("leaving", "\(entry.leavePolicy)")
      switch entry.content {
      case .screen(let index, let values):
        member("screen", app.screens[index].name)
        member("values", hidden.hiding(values.encoding))
      case .tabs(let bar):
        write(bar, of: state, app, hidden)
      }
      endObject()
    }
    endArray()
    key(literal: "modal")
    if let modal = state.modal(over: stack.id) { write(modal, of: state, app, hidden) } else { null() }
    endObject()
  }

  private mutating func write(
    _ bar: TabBar, of state: SessionState, _ app: AppDefinition, _ hidden: HiddenValues
  ) {
    member("selected", bar.tabs[bar.selected].name)
    beginArray("tabs")
    for tab in bar.tabs {
      beginObject()
      member("name", tab.name)
      member("badge", tab.badge)
      key(literal: "stack")
      if let stack = state.stack(tab.stack) { write(stack, of: state, app, hidden) } else { null() }
      endObject()
    }
    endArray()
  }

  private mutating func write(_ prompt: OpenPrompt, of app: AppDefinition, _ hidden: HiddenValues) {
    beginObject()
    switch prompt {
    case .asked(let asked):
      write(asked, of: app, hidden)
    case .leaving(let question):
      member("id", Int(question.id.rawValue))
      member("name", "leave")
      member("entry", Int(question.entry.rawValue))
      member("intent", question.intent?.summary(app) ?? "the pending intent")
      key(literal: "behind")
      if let behind = question.behind { write(.asked(behind), of: app, hidden) } else { null() }
    case .notice(let notice):
      member("id", Int(notice.id.rawValue))
      member("name", "notice")
      member("reason", hidden.hiding(notice.reason))
    }
    endObject()
  }

  private mutating func write(_ asked: AskedPrompt, of app: AppDefinition, _ hidden: HiddenValues) {
    member("id", Int(asked.id.rawValue))
    member("name", app.prompts[asked.prompt].name)
    member("owner", Int(asked.owner.rawValue))
    member("stack", Int(asked.stack.rawValue))
    member("values", hidden.hiding(asked.value))
  }

  private mutating func write(_ intent: PendingIntent, of app: AppDefinition) {
    beginObject()
    member("wish", intent.summary(app))
    member("guardedBy", Int(intent.guardian.rawValue))
    member("waitsFor", intent.awaited.summary)
    endObject()
  }
}

/// Descriptions of intents in a few words, without secrets.
extension Intent {
  func summary(_ app: AppDefinition) -> String {
    switch self {
    case .action(let name, let input): name.adding(input, app)
    case .back: "back"
    case .dismiss: "dismiss"
    case .tab(let name): "tab \(name)"
    case .open(let link): "open \(app.hidingSecrets(ofLink: link))"
    case .reload(let property): "reload \(property)"
    case .locale(let locale): "locale \(locale)"
    }
  }
}

extension PendingIntent {
  func summary(_ app: AppDefinition) -> String {
    switch content {
    case .action(let name, let input, let origin, _): "\(name.adding(input, app)) of entry \(origin)"
    case .button(let name, let input, _): "\(name.adding(input, app)) of a prompt"
    case .steps(let steps, _): steps.map { $0.summary(app) }.joined(separator: ", ")
    case .move(let intent, let origin): "\(intent.summary(app)) from entry \(origin)"
    case .link(let link, from: 0): "open \(app.hidingSecrets(ofLink: link))"
    case .link(let link, let step): "open \(app.hidingSecrets(ofLink: link)) from step \(step + 1)"
    }
  }
}

extension PendingIntent.Awaited {
  var summary: String {
    switch self {
    case .coordinator(let id): "the end of coordinator \(id)"
    case .entry(let id): "the end of entry \(id)"
    case .prompt: "the answer to the prompt"
    case .answer: "the answer to the question"
    case .nothing: "nothing"
    case .intent: "the next intent"
    }
  }
}

extension String {
  fileprivate func adding(_ input: Value, _ app: AppDefinition) -> String {
    input.count == 0 ? self : "\(self) \(app.input(of: self).hidingSecrets(of: input))"
  }
}

/// Indented JSON, with every member and element on a line of its own.
enum IndentedJSON {
  /// - Parameter json: one JSON value without whitespace outside of strings.
  static func text(of json: [UInt8]) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(2 * json.count)
    var depth = 0
    var isInText = false
    func breakLine() {
      out.append(UInt8(ascii: "\n"))
      out += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }
    for (index, byte) in json.enumerated() {
      if isInText {
        out.append(byte)
        isInText = byte != UInt8(ascii: "\"") || isEscaped(index, in: json)
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        out.append(byte)
        depth += 1
        if !isClosing(json[index + 1]) { breakLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if !isOpening(json[index - 1]) { breakLine() }
        out.append(byte)
      case UInt8(ascii: ","):
        out.append(byte)
        breakLine()
      case UInt8(ascii: ":"):
        out += [byte, UInt8(ascii: " ")]
      default:
        isInText = byte == UInt8(ascii: "\"")
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

  private static func isClosing(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }

  /// Whether an odd number of backslashes stands before the quote.
  private static func isEscaped(_ quote: Int, in json: [UInt8]) -> Bool {
    !json[..<quote].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
  }
}
