internal import HTTPAPI
internal import Navigation
internal import Values

/// The whole navigation of a session as JSON, including the parts that no client sees.
extension JSONWriter {
  mutating func state(_ state: SessionState, of app: AppDefinition) {
    beginObject()
    key(literal: "revision")
    integer(Int64(clamping: state.revision))
    key(literal: "nextId")
    integer(Int(state.nextID))
    key(literal: "coordinators")
    beginArray()
    for node in state.nodes {
      beginObject()
      id(node.id)
      member("name", app.coordinators[node.coordinator].definition.name)
      key(literal: "parent")
      if let parent = node.parent { integer(Int(parent.rawValue)) } else { null() }
      key(literal: "stack")
      integer(Int(node.hostStack.rawValue))
      key(literal: "state")
      value(node.state.encoding)
      endObject()
    }
    endArray()
    key(literal: "stack")
    write(state.root, of: state, app)
    key(literal: "prompt")
    if let prompt = state.prompt { write(prompt, of: app) } else { null() }
    key(literal: "pending")
    if let intent = state.pending { write(intent, of: app) } else { null() }
    key(literal: "result")
    value(state.result ?? .null)
    endObject()
  }

  private mutating func id<Kind>(_ id: ID<Kind>) {
    key(literal: "id")
    integer(Int(id.rawValue))
  }

  private mutating func write(_ stack: Stack, of state: SessionState, _ app: AppDefinition) {
    beginObject()
    id(stack.id)
    key(literal: "entries")
    beginArray()
    for entry in stack.entries {
      beginObject()
      id(entry.id)
      key(literal: "owner")
      integer(Int(entry.owner.rawValue))
      member("leaving", "\(entry.leavePolicy)")
      switch entry.content {
      case .screen(let index, let values):
        member("screen", app.screens[index].name)
        key(literal: "values")
        value(values.encoding)
      case .tabs(let bar):
        write(bar, of: state, app)
      }
      endObject()
    }
    endArray()
    key(literal: "modal")
    if let modal = state.modal(over: stack.id) { write(modal, of: state, app) } else { null() }
    endObject()
  }

  private mutating func write(_ bar: TabBar, of state: SessionState, _ app: AppDefinition) {
    member("selected", bar.tabs[bar.selected].name)
    key(literal: "tabs")
    beginArray()
    for tab in bar.tabs {
      beginObject()
      member("name", tab.name)
      key(literal: "badge")
      if let badge = tab.badge { integer(badge) } else { null() }
      key(literal: "stack")
      if let stack = state.stack(tab.stack) { write(stack, of: state, app) } else { null() }
      endObject()
    }
    endArray()
  }

  private mutating func write(_ prompt: OpenPrompt, of app: AppDefinition) {
    beginObject()
    switch prompt {
    case .asked(let asked):
      write(asked, of: app)
    case .leaving(let entry, let intent, _, let behind):
      member("name", "leave")
      key(literal: "entry")
      integer(Int(entry.rawValue))
      member("intent", intent.summary(app))
      key(literal: "behind")
      if let behind {
        beginObject()
        write(behind, of: app)
        endObject()
      } else {
        null()
      }
    }
    endObject()
  }

  private mutating func write(_ asked: AskedPrompt, of app: AppDefinition) {
    member("name", app.prompts[asked.prompt].name)
    key(literal: "owner")
    integer(Int(asked.owner.rawValue))
    key(literal: "stack")
    integer(Int(asked.stack.rawValue))
    key(literal: "values")
    value(asked.value)
  }

  private mutating func write(_ intent: PendingIntent, of app: AppDefinition) {
    beginObject()
    member("wish", intent.summary(app))
    key(literal: "guardedBy")
    integer(Int(intent.guardian.rawValue))
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
    case .open(let link): "open \(link)"
    }
  }
}

extension PendingIntent {
  func summary(_ app: AppDefinition) -> String {
    switch content {
    case .action(let name, let input, let origin): "\(name.adding(input, app)) of entry \(origin)"
    case .button(let name, let input, _): "\(name.adding(input, app)) of a prompt"
    case .link(let link): "open \(link)"
    }
  }
}

extension PendingIntent.Awaited {
  var summary: String {
    switch self {
    case .coordinator(let id): "the end of coordinator \(id)"
    case .entry(let id): "the end of entry \(id)"
    case .prompt: "the answer to the prompt"
    case .nothing: "nothing"
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
