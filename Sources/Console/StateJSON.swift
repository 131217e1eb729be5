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
    objects("coordinators", state.nodes) { json, node in
      json.member("id", Int(node.id.rawValue))
      json.member("name", app.name(of: node))
      json.member("parent", node.parent.map { Int($0.rawValue) })
      json.member("stack", Int(node.hostStack.rawValue))
      json.member("state", hidden.hiding(node.state.encoding))
    }
    object("stack", state.root) { $0.members(of: $1, in: state, app, hidden) }
    object("prompt", state.prompt) { $0.members(of: $1, in: app, hidden) }
    objects("queuedPrompts", state.queuedPrompts) { $0.members(of: $1, in: app, hidden) }
    object("pending", state.pending) { json, intent in
      json.member("wish", intent.summary(app))
      json.member("guardedBy", Int(intent.guardian.rawValue))
      json.member("waitsFor", intent.awaited.summary)
    }
    objects("lockedStarts", state.lockedStarts) { json, locked in
      json.member("coordinator", Int(locked.coordinator.rawValue))
      json.member("guardedBy", Int(locked.guardian.rawValue))
      json.member("waitsFor", locked.awaited.summary)
    }
    member("result", state.result.map { hidden.hiding($0) })
    objects("work", state.work) { $0.members(of: $1, in: app, hidden) }
    object("refusal", state.refusal) { json, refusal in
      json.members(of: refusal.form, in: app)
      json.objects("reasons", refusal.reasons) { json, reason in
        json.member("field", reason.field)
        json.member("text", hidden.hiding(reason.text.string))
      }
    }
    endObject()
  }

  private mutating func members(of work: PendingWork, in app: AppDefinition, _ hidden: HiddenValues) {
    member("id", Int(work.id.rawValue))
    member("coordinator", Int(work.owner.rawValue))
    member("since", work.since.text)
    switch work.content {
    case .effect(let effect):
      member("effect", app.name(of: work))
      member("input", hidden.hiding(effect.input))
      member("key", effect.key?.description)
      if case .submitted(let form) = effect.form { object("form", form) { $0.members(of: $1, in: app) } }
    case .timer(let timer):
      member("timer", app.name(of: work))
      member("value", hidden.hiding(timer.value))
      member("key", timer.key)
      member("dueAt", timer.dueAt.text)
    case .signal(let signal):
      member("signal", app.name(of: work))
      member("deliveries", signal.deliveries.count)
    }
  }

  private mutating func members(of form: SubmittedForm, in app: AppDefinition) {
    member("entry", Int(form.entry.rawValue))
    member("action", form.action)
    member("input", app.input(of: form.action).hidingSecrets(of: form.input))
  }

  private mutating func members(
    of stack: Stack, in state: SessionState, _ app: AppDefinition, _ hidden: HiddenValues
  ) {
    member("id", Int(stack.id.rawValue))
    objects("entries", stack.entries) { json, entry in
      json.member("id", Int(entry.id.rawValue))
      json.member("owner", Int(entry.owner.rawValue))
      json.member("leaving", "\(entry.leavePolicy)")
      switch entry.content {
      case .screen(let index, let values):
        json.member("screen", app.screens[index].name)
        json.member("values", hidden.hiding(values.encoding))
      case .tabs(let bar):
        json.member("selected", bar.tabs[bar.selected].name)
        json.objects("tabs", bar.tabs) { json, tab in
          json.member("name", tab.name)
          json.member("badge", tab.badge)
          json.object("stack", state.stack(tab.stack)) { $0.members(of: $1, in: state, app, hidden) }
        }
      }
    }
    object("modal", state.modal(over: stack.id)) { $0.members(of: $1, in: state, app, hidden) }
  }

  private mutating func members(of prompt: OpenPrompt, in app: AppDefinition, _ hidden: HiddenValues) {
    switch prompt {
    case .asked(let asked): members(of: asked, in: app, hidden)
    case .leaving(let question):
      member("id", Int(question.id.rawValue))
      member("name", "leave")
      member("entry", Int(question.entry.rawValue))
      member("intent", question.intent?.summary(app) ?? "the pending intent")
      object("behind", question.behind) { $0.members(of: $1, in: app, hidden) }
    case .notice(let notice):
      member("id", Int(notice.id.rawValue))
      member("name", "notice")
      member("reason", hidden.hiding(notice.reason))
    }
  }

  private mutating func members(of asked: AskedPrompt, in app: AppDefinition, _ hidden: HiddenValues) {
    member("id", Int(asked.id.rawValue))
    member("name", app.prompts[asked.prompt].name)
    member("owner", Int(asked.owner.rawValue))
    member("stack", Int(asked.stack.rawValue))
    member("values", hidden.hiding(asked.value))
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
    case .action(let action, let input, let origin, _): "\(action.name.adding(input, app)) of entry \(origin)"
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
    var (isInText, isEscaped) = (false, false)
    func breakLine() {
      out.append(UInt8(ascii: "\n"))
      out += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }
    for (index, byte) in json.enumerated() {
      let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      if isQuote { isInText.toggle() }
      let isSyntax = !isInText && !isQuote
      if isSyntax, "}]".utf8.contains(byte) {
        depth -= 1
        // The code of a closing bracket is that of the opening one plus 2.
        if json[index - 1] != byte - 2 { breakLine() }
      }
      out.append(byte)
      guard isSyntax else { continue }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if json[index + 1] != byte + 2 { breakLine() }
      case UInt8(ascii: ","): breakLine()
      case UInt8(ascii: ":"): out.append(UInt8(ascii: " "))
      default: break
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
