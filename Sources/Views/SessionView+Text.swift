package import Languages

/// A line of a view as text.
public struct TextLine: Sendable, Equatable {
  public enum Role: Sendable {
    case plain, title
    /// An action that is disabled, with the reason.
    case unavailable
  }

  public let text: String
  public let role: Role

  init(_ text: String, _ role: Role = .plain) {
    self.text = text
    self.role = role
  }
}

/// Something that a person can do from a view, with the key to type for it.
public struct TextChoice: Sendable {
  public let key: String
  public let label: String
  public let kind: Kind

  public enum Kind: Sendable {
    case action(Action)
    case back
    case dismiss
    case tab(String)
    /// Loads a member of the screen's data again.
    case reload(String)
    /// Tries an event again that the app could not handle, by its id.
    case retry(Int64)
    /// Performs the action of an item.
    case item(Block.ItemAction)
    /// Shows another page of a list, by its path.
    case page(String)
    /// Changes the language of the session, by its tag.
    case language(String)
  }
}

extension SessionView {
  /// The language of the service's words in the text, which also decides how people read and type numbers.
  package var serviceLanguage: ServiceLanguage { .of(language?.current ?? session.locale) }

  /// Everything that a person can do: items and actions by numbers, and the ways out by letters.
  public var choices: [TextChoice] { choices(in: serviceLanguage) }

  private func choices(in words: ServiceLanguage) -> [TextChoice] {
    var choices: [TextChoice] = []
    for item in itemsWithAction {
      choices.append(TextChoice(key: "\(choices.count + 1)", label: item.title.terminalSafe, kind: .item(item.action)))
    }
    let ofItems = Set(itemsWithAction.map(\.action.name))
    for action in prompt?.actions ?? actions where action.isEnabled {
      // The items of a list stand for the form of their action.
      if prompt == nil, ofItems.contains(action.name) { continue }
      choices.append(
        TextChoice(key: "\(choices.count + 1)", label: action.title.terminalSafe, kind: .action(action)))
    }
    for case .list(let list) in blocks {
      if let next = list.next, !choices.contains(where: { $0.key == "n" }) {
        choices.append(TextChoice(key: "n", label: words(.terminalNextPage), kind: .page(next)))
      }
      if let previous = list.previous, !choices.contains(where: { $0.key == "p" }) {
        choices.append(TextChoice(key: "p", label: words(.terminalPreviousPage), kind: .page(previous)))
      }
    }
    for (index, problem) in screen.problems.enumerated() where problem.retry != nil {
      choices.append(TextChoice(key: "r\(index + 1)", label: words(.pageTryAgain), kind: .reload(problem.field)))
    }
    for (index, problem) in session.problems.enumerated() where problem.retry != nil {
      let key = "r\(screen.problems.count + index + 1)"
      choices.append(TextChoice(key: key, label: words(.pageTryAgain), kind: .retry(problem.id)))
    }
    if let back = navigation.back {
      let label = words(.pageBackTo, ["target": .text((back.title ?? "").terminalSafe)])
      choices.append(TextChoice(key: "b", label: label, kind: .back))
    }
    if navigation.dismiss != nil { choices.append(TextChoice(key: "x", label: words(.pageClose), kind: .dismiss)) }
    for (index, tab) in navigation.tabBars.reversed().flatMap(\.items).enumerated() where tab.href != nil {
      choices.append(TextChoice(key: "t\(index + 1)", label: tab.label, kind: .tab(tab.name)))
    }
    if let language, language.href != nil {
      for (index, choice) in language.languages.enumerated() where choice.tag != language.current {
        choices.append(
          TextChoice(key: "l\(index + 1)", label: choice.name.terminalSafe, kind: .language(choice.tag)))
      }
    }
    return choices
  }

  /// The items that perform an action, in the order of the content.
  private var itemsWithAction: [(title: String, action: Block.ItemAction)] {
    blocks.flatMap { block in
      guard case .list(let list) = block else { return [(String, Block.ItemAction)]() }
      return list.items.compactMap { item in item.action.map { (item.title, $0) } }
    }
  }

  /// The blocks of the content and of its sections.
  private var blocks: [Block] {
    screen.content.flatMap { block in if case .section(let section) = block { section.content } else { [block] } }
  }

  /// The view as text: the screen, and the key of each choice.
  public var text: String { text(in: serviceLanguage) }

  /// The view as text with the service's words in a language.
  package func text(in words: ServiceLanguage) -> String { lines(in: words).map { $0.text + "\n" }.joined() }

  /// The lines of ``text``.
  public var lines: [TextLine] { lines(in: serviceLanguage) }

  private func lines(in words: ServiceLanguage) -> [TextLine] {
    var lines: [TextLine] = []
    for tabs in navigation.tabBars.reversed() {
      let labels = tabs.items.map { $0.name == tabs.selected ? "[\($0.label)]" : " \($0.label) " }
      lines += [TextLine(labels.joined(separator: " ")), TextLine("")]
    }
    lines += underlined(screen.title, with: "=")
    var number = 0
    for block in screen.content { lines += block.lines(&number, words).map { TextLine($0) } }
    for problem in screen.problems { lines.append(TextLine("(X) \(problem.title.terminalSafe)")) }
    for problem in session.problems { lines.append(TextLine("(X) \(problem.title.terminalSafe)")) }
    if !session.pending.isEmpty {
      let names = session.pending.map(\.name.terminalSafe).joined(separator: ", ")
      lines += [TextLine(""), TextLine(words(.terminalWorking, ["work": .text(names)]))]
    }
    if session.status == .finished { lines += [TextLine(""), TextLine(words(.pageFinished))] }
    if let prompt {
      lines += [TextLine("")] + underlined(prompt.title, with: "-") + [TextLine(prompt.message.terminalSafe)]
    }
    let choices = choices(in: words)
    let listed =
      choices.filter(\.isAction).map { $0.line(words) } + disabledActions
      + choices.filter(\.isWayOut).map { $0.line(words) }
    return listed.isEmpty ? lines : lines + [TextLine("")] + listed
  }

  private var disabledActions: [TextLine] {
    guard prompt == nil else { return [] }
    return actions.filter { !$0.isEnabled }.map { action in
      let reason = action.reason.map { ": \($0.terminalSafe)" } ?? ""
      return TextLine("  –   \(action.title.terminalSafe)\(reason)", .unavailable)
    }
  }

  private func underlined(_ title: String, with character: String) -> [TextLine] {
    let title = title.terminalSafe
    return [TextLine(title, .title), TextLine(String(repeating: character, count: title.count))]
  }
}

extension TextChoice {
  fileprivate var isAction: Bool { if case .action = kind { true } else { false } }

  /// Whether the choice is neither an action nor an item, whose key is beside it.
  fileprivate var isWayOut: Bool {
    switch kind {
    case .action, .item: false
    default: true
    }
  }

  fileprivate func line(_ words: ServiceLanguage) -> TextLine {
    TextLine("  " + key.padded(to: 4) + label + hint(words))
  }

  /// The fields of the action, in parentheses.
  private func hint(_ words: ServiceLanguage) -> String {
    guard case .action(let action) = kind, !action.input.fields.isEmpty else { return "" }
    return " (" + action.input.fields.map { $0.summary(words) }.joined(separator: ", ") + ")"
  }
}

extension Field {
  /// The maximum number of characters of an initial value.
  private static let summaryLength = 24

  /// The title, with a question mark after that of an optional field, and with the value with which the form begins.
  fileprivate func summary(_ words: ServiceLanguage) -> String {
    let initial = initialText(in: words).map { text in
      " [\(text.count > Self.summaryLength ? text.prefix(Self.summaryLength - 1) + "…" : text[...])]".terminalSafe
    }
    return title.terminalSafe + (isRequired || initial != nil ? "" : "?") + (initial ?? "")
  }
}

extension SessionView.Tab {
  fileprivate var label: String { title.terminalSafe + (badge.map { " (\($0))" } ?? "") }
}

extension Block {
  /// - Parameter number: the number of the last item with an action, which counts on.
  fileprivate func lines(_ number: inout Int, _ words: ServiceLanguage) -> [String] {
    switch self {
    case .text(let text): return [text.terminalSafe]
    case .heading(let text): return ["", text.terminalSafe]
    case .facts(let facts):
      let width = facts.map { min($0.label.terminalSafe.count, Table.widestColumn) }.max() ?? 0
      return facts.map { "  " + $0.label.terminalSafe.padded(to: width + 2) + $0.value.terminalSafe }
    case .list(let list):
      var lines = list.items.map { item in
        var mark = "• "
        if item.action != nil {
          number += 1
          mark = "\(number)".padded(to: 4)
        }
        return "  " + mark + item.title.terminalSafe + (item.detail.map { " – \($0.terminalSafe)" } ?? "")
      }
      if list.items.count < list.total {
        let part = words(.listPart, ["shown": .integer(list.items.count), "count": .integer(list.total)])
        lines.append("      " + part)
      }
      return lines
    case .table(let table): return table.lines
    case .progress(let step, let count, let title):
      let done = count > 0 ? min(max(0, step), count) : 0
      let bar = count > 0 && count <= 20 ? "[" + String(repeating: "#", count: done).padding(count) + "] " : ""
      return [
        bar + words(.step, ["step": .integer(step), "count": .integer(count)])
          + (title.map { ": \($0.terminalSafe)" } ?? "")
      ]
    case .section(let section):
      // A terminal has no place to collapse them to.
      return ["", section.title.terminalSafe] + section.content.flatMap { $0.lines(&number, words) }
    case .image(_, let alternative): return [words(.terminalImage, ["alternative": .text(alternative.terminalSafe)])]
    case .notice(let text, let tone):
      let mark =
        switch tone {
        case .info: "i"
        case .success: "+"
        case .warning: "!"
        case .error: "X"
        }
      return ["(\(mark)) \(text.terminalSafe)"]
    case .link(let text, let href): return ["\(text.terminalSafe): \(href.terminalSafe)"]
    case .other(_, let text):
      return text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).terminalSafe }
    }
  }
}

extension Block.Table {
  /// In characters. A longer text goes past its column: padding every row to it would multiply its length by the rows.
  fileprivate static let widestColumn = 60

  fileprivate var lines: [String] {
    let cells = ([columns] + rows.map { $0.map(\.value) }).map { $0.map(\.terminalSafe) }
    let widths = columns.indices.map { column in
      cells.map { column < $0.count ? min($0[column].count, Self.widestColumn) : 0 }.max() ?? 0
    }
    let lines = cells.map { row in
      "  " + zip(row, widths).map { $0.padded(to: $1 + 2) }.joined().trimmingTrailingSpaces
    }
    let rule = "  " + widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    return (title.map { ["", $0.terminalSafe] } ?? []) + lines.prefix(1) + [rule] + lines.dropFirst()
  }
}

extension String {
  /// The text with a space in the place of each character that a terminal would take as a command.
  package var terminalSafe: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isTerminalCommand ? " " : $0 }))
  }

  /// The lines of the text, each ``terminalSafe`` but for the tabs between its columns.
  package var terminalSafeLines: String {
    String(
      String.UnicodeScalarView(unicodeScalars.map { $0 != "\n" && $0 != "\t" && $0.isTerminalCommand ? " " : $0 }))
  }

  /// The text with dots up to a width.
  fileprivate func padding(_ width: Int) -> String { self + String(repeating: ".", count: Swift.max(0, width - count)) }

  fileprivate var trimmingTrailingSpaces: String {
    let end = utf8.lastIndex { $0 != UInt8(ascii: " ") }
    return String(end.map { self[...$0] } ?? "")
  }

  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control character, ends a line, or changes the direction of the text that follows (UAX #9).
  fileprivate var isTerminalCommand: Bool {
    properties.generalCategory == .control || value == 0x061C
      || (0x2028...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }
}
