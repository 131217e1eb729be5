/// One of the things that can be done from a view, with the key that a person types for it.
public struct TextChoice: Sendable {
  public let key: String
  public let label: String
  public let kind: Kind

  public enum Kind: Sendable {
    case action(Action)
    case back
    case dismiss
    case tab(String)
  }
}

extension View {
  /// What can be done, each with a key: numbers for actions, letters for the ways out.
  public var choices: [TextChoice] {
    let actions = (prompt?.actions ?? actions).filter(\.enabled)
    var choices = actions.enumerated().map { number, action in
      TextChoice(key: "\(number + 1)", label: action.title.plain, kind: .action(action))
    }
    if let back = navigation.back {
      choices.append(TextChoice(key: "b", label: "Back to \((back.title ?? "").plain)", kind: .back))
    }
    if navigation.dismiss != nil { choices.append(TextChoice(key: "x", label: "Close", kind: .dismiss)) }
    for (number, tab) in (navigation.tabs?.items ?? []).enumerated() where tab.href != nil {
      choices.append(TextChoice(key: "t\(number + 1)", label: tab.label, kind: .tab(tab.name)))
    }
    return choices
  }

  /// The screen as text, with the keys of what can be done.
  public var text: String { lines.map { $0.text + "\n" }.joined() }

  /// The lines of ``text``.
  public var lines: [TextLine] {
    var lines: [TextLine] = []
    if let tabs = navigation.tabs {
      let labels = tabs.items.map { $0.name == tabs.selected ? "[\($0.label)]" : " \($0.label) " }
      lines += [TextLine(labels.joined(separator: " ")), TextLine("")]
    }
    lines += underlined(screen.title, with: "=")
    for block in screen.content { lines += block.lines.map { TextLine($0) } }
    if session.status == .finished { lines += [TextLine(""), TextLine("This session has finished.")] }
    if let prompt { lines += [TextLine("")] + underlined(prompt.title, with: "-") + [TextLine(prompt.message.plain)] }
    let lists = [choices.filter(\.isAction).map(\.line), unavailable, choices.filter { !$0.isAction }.map(\.line)]
    let listed = lists.flatMap(\.self)
    return listed.isEmpty ? lines : lines + [TextLine("")] + listed
  }

  /// The actions that cannot be done now.
  private var unavailable: [TextLine] {
    guard prompt == nil else { return [] }
    return actions.filter { !$0.enabled }.map { action in
      TextLine("  –   \(action.title.plain): \((action.reason ?? "not now").plain)", .unavailable)
    }
  }

  private func underlined(_ title: String, with character: String) -> [TextLine] {
    let title = title.plain
    return [TextLine(title, .title), TextLine(String(repeating: character, count: title.count))]
  }
}

extension TextChoice {
  fileprivate var isAction: Bool { if case .action = kind { true } else { false } }

  fileprivate var line: TextLine { TextLine("  " + key.padded(to: 4) + label + hint) }

  /// What an action asks for.
  private var hint: String {
    guard case .action(let action) = kind, !action.input.fields.isEmpty else { return "" }
    return " (" + action.input.fields.map { $0.title.plain + ($0.isRequired ? "" : "?") }.joined(separator: ", ") + ")"
  }
}

extension View.Tab {
  fileprivate var label: String { title.plain + (badge.map { " (\($0))" } ?? "") }
}

extension Block {
  fileprivate var lines: [String] {
    switch self {
    case .text(let text): return [text.plain]
    case .heading(let text): return ["", text.plain]
    case .facts(let facts):
      let width = facts.map(\.label.plain.count).max() ?? 0
      return facts.map { "  " + $0.label.plain.padded(to: width + 2) + $0.value.plain }
    case .list(let items):
      return items.map { "  • " + $0.title.plain + ($0.detail.map { " – \($0.plain)" } ?? "") }
    case .image(_, let alternative): return ["[Image: \(alternative.plain)]"]
    case .notice(let text, let tone):
      let mark =
        switch tone {
        case .info: "i"
        case .success: "+"
        case .warning: "!"
        case .error: "X"
        }
      return ["(\(mark)) \(text.plain)"]
    case .link(let text, let href): return ["\(text.plain): \(href.plain)"]
    case .other: return []
    }
  }
}

extension String {
  /// The text without what a terminal would take as a command.
  public var plain: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isCommand ? " " : $0 }))
  }

  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}

extension Unicode.Scalar {
  /// A control character, or one that turns the direction of what follows.
  fileprivate var isCommand: Bool {
    properties.generalCategory == .control || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }
}
