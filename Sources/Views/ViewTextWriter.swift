package import Languages

/// Writes a view as text: the screen, and the key of each choice. The terminal client writes the views that it reads from
/// JSON, and the service writes its sessions.
///
/// `Kind` is the effect of a choice.
package struct ViewTextWriter<Kind> {
  package typealias Choice = (key: String, label: String, kind: Kind)

  /// The language of the service's words.
  package let words: ServiceLanguage
  private var screen: [Line] = []
  private var items: [(label: String, kind: Kind)] = []
  private var namesOfItemActions: Set<String> = []
  private var actions: [Choice] = []
  private var actionLines: [TextLine] = []
  private var disabledActions: [TextLine] = []
  private var pages: [Choice] = []
  private var problems = 0
  private var retries: [Choice] = []
  private var steps: [Choice] = []
  private var tabs: [Choice] = []
  private var countOfTabs = 0
  private var languages: [Choice] = []

  /// A line of the screen. The numbers of its items follow those of the actions, which are written after the screen.
  private enum Line {
    case text(TextLine)
    case item(index: Int, text: String)
    case answer(String, actions: [(index: Int, title: String)])
  }

  package init(_ words: ServiceLanguage) { self.words = words }

  /// Actions and then items by numbers, and the ways out by letters. The actions keep their numbers while items come and
  /// go.
  package var choices: [Choice] {
    let items = items.enumerated().map { index, item -> Choice in
      (key: key(ofItem: index), label: item.label, kind: item.kind)
    }
    return actions + items + waysOut
  }

  private func key(ofItem index: Int) -> String { "\(actions.count + index + 1)" }

  package var text: String { lines.map { $0.text + "\n" }.joined() }

  package var lines: [TextLine] {
    let screen = screen.map { textLine($0) }
    let listed = actionLines + disabledActions + waysOut.map { Self.line(key: $0.key, $0.label) }
    return listed.isEmpty ? screen : screen + [TextLine("")] + listed
  }

  private func textLine(_ line: Line) -> TextLine {
    switch line {
    case .text(let line): return line
    case .item(let index, let text): return Self.line(key: key(ofItem: index), text)
    case .answer(let text, let actions):
      let keys = actions.map { "\(key(ofItem: $0.index)) \($0.title)" }.joined(separator: ", ")
      return TextLine("  " + text + (keys.isEmpty ? "" : " (\(keys))"), indentation: 4)
    }
  }

  private static func line(key: String, _ text: String, _ role: TextLine.Role = .plain) -> TextLine {
    TextLine("  " + key.padded(to: 4) + text, role, indentation: 6)
  }

  private var waysOut: [Choice] { pages + retries + steps + tabs + languages }
}

// MARK: The content of the screen
extension ViewTextWriter {
  package mutating func title(_ title: String) { write(title, underlinedWith: "=") }

  package mutating func text(_ text: String) { write(text.terminalSafe) }

  /// Writes a heading, or the title of a section. A terminal has no place to collapse sections to.
  package mutating func heading(_ text: String) { write("", text.terminalSafe) }

  package mutating func facts(_ facts: [(label: String, value: String)]) {
    let width = facts.map { min($0.label.terminalSafe.count, widestColumn) }.max() ?? 0
    for fact in facts {
      let label = fact.label.terminalSafe.padded(to: width + 2)
      write(TextLine("  " + label + fact.value.terminalSafe, indentation: width + 4))
    }
  }

  /// - Parameter action: the action that the item performs; nil if there is none now.
  package mutating func item(_ title: String, _ detail: String?, action: (name: String, kind: Kind)?) {
    let text = title.terminalSafe + (detail.map { " – \($0.terminalSafe)" } ?? "")
    guard let action else { return write(TextLine("  • " + text, indentation: 4)) }
    screen.append(.item(index: items.count, text: text))
    items.append((title.terminalSafe, action.kind))
    namesOfItemActions.insert(action.name)
  }

  /// Writes an answer with the keys of its actions.
  ///
  /// - Parameters:
  ///   - value: may be empty.
  ///   - isMissing: whether the question has no answer. An item of a list may have no detail.
  package mutating func answer(
    _ label: String, _ value: String, isMissing: Bool, _ actions: [(title: String, name: String, kind: Kind)]
  ) {
    let first = items.count
    let keyed = actions.enumerated().map { (index: first + $0.offset, title: $0.element.title.terminalSafe) }
    let shown = isMissing ? "–" : value.terminalSafe
    let name = label.terminalSafe
    screen.append(.answer(shown.isEmpty ? name : "\(name.asLabel(in: words)) \(shown)", actions: keyed))
    for action in actions {
      items.append(("\(action.title)\(words.colon) \(label)".terminalSafe, action.kind))
      namesOfItemActions.insert(action.name)
    }
  }

  /// Ends a list.
  ///
  /// - Parameters:
  ///   - shown: the number of items on the page.
  ///   - next: shows the next page; nil for the last page.
  package mutating func endList(shown: Int, of total: Int, next: Kind?, previous: Kind?) {
    if shown < total { write("      " + words(.listPart, ["shown": .integer(shown), "count": .integer(total)])) }
    if let next { page("n", .terminalNextPage, next) }
    if let previous { page("p", .terminalPreviousPage, previous) }
  }

  /// Adds a choice for the first list that has such a page.
  private mutating func page(_ key: String, _ label: ServiceText, _ kind: Kind) {
    if !pages.contains(where: { $0.key == key }) { pages.append((key, words(label), kind)) }
  }

  package mutating func table(title: String?, columns: [String], rows: [[String]]) {
    let cells = ([columns] + rows).map { $0.map(\.terminalSafe) }
    let widths = columns.indices.map { column in
      cells.map { column < $0.count ? min($0[column].count, widestColumn) : 0 }.max() ?? 0
    }
    let lines = cells.map { row in
      "  " + zip(row, widths).map { $0.padded(to: $1 + 2) }.joined().trimmingTrailingSpaces
    }
    if let title { write("", title.terminalSafe) }
    write(lines[0], "  " + widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "))
    for line in lines.dropFirst() { write(line) }
  }

  package mutating func progress(step: Int, of count: Int, title: String?) {
    let done = count > 0 ? min(max(0, step), count) : 0
    let bar = count > 0 && count <= 20 ? "[" + String(repeating: "#", count: done).padding(count) + "] " : ""
    write(
      bar + words(.step, ["step": .integer(step), "count": .integer(count)])
        + (title.map { "\(words.colon) \($0.terminalSafe)" } ?? ""))
  }

  package mutating func image(_ alternative: String) {
    write(words(.terminalImage, ["alternative": .text(alternative.terminalSafe)]))
  }

  /// - Parameter tone: its name in JSON.
  package mutating func notice(_ text: String, tone: String) {
    let mark =
      switch tone {
      case "success": "+"
      case "warning": "!"
      case "error": "X"
      default: "i"
      }
    write(TextLine("(\(mark)) \(text.terminalSafe)", indentation: 4))
  }

  package mutating func link(_ text: String, to href: String) {
    write("\(text.terminalSafe.asLabel(in: words)) \(href.terminalSafe)")
  }

  private mutating func write(_ lines: String...) { screen += lines.map { Line.text(TextLine($0)) } }

  private mutating func write(_ line: TextLine) { screen.append(.text(line)) }

  private mutating func write(_ title: String, underlinedWith character: String) {
    let title = title.terminalSafe
    write(TextLine(title, .title))
    write(TextLine(String(repeating: character, count: title.count), .underline))
  }
}

// MARK: The state of the session
extension ViewTextWriter {
  /// Writes a problem with a part of the screen, or with an event.
  ///
  /// - Parameter retry: nil if the session can only be read.
  package mutating func problem(_ title: String, retry: Kind?) {
    problems += 1
    notice(title, tone: "error")
    if let retry { retries.append(("r\(problems)", words(.pageTryAgain), retry)) }
  }

  /// - Parameter isWorking: whether effects are under way.
  package mutating func session(isWorking: Bool, isFinished: Bool) {
    if isWorking { write("", words(.pageWorking)) }
    if isFinished { write("", words(.pageFinished)) }
  }

  package mutating func prompt(_ title: String, _ message: String) {
    write("")
    write(title, underlinedWith: "-")
    write(message.terminalSafe)
  }
}

// MARK: The choices
extension ViewTextWriter {
  /// The maximum number of characters of an initial value.
  private static var summaryLength: Int { 24 }

  /// Writes an enabled action. The items of a list stand for the form of their action.
  package mutating func action(
    _ name: String, _ title: String, _ fields: [(title: String, need: FieldNeed, initial: String?)], _ kind: Kind
  ) {
    if namesOfItemActions.contains(name) { return }
    let choice = (key: "\(actions.count + 1)", label: title.terminalSafe, kind: kind)
    actions.append(choice)
    let hint = fields.map { summary($0.title, $0.need, $0.initial) }.joined(separator: ", ")
    actionLines.append(Self.line(key: choice.key, choice.label + (fields.isEmpty ? "" : " (\(hint))")))
  }

  /// The title, with the value with which the form begins, or else with a mark if the form may lack the field.
  private func summary(_ title: String, _ need: FieldNeed, _ initial: String?) -> String {
    if let initial, !initial.isEmpty {
      let isLong = initial.count > Self.summaryLength
      let value = isLong ? initial.prefix(Self.summaryLength - 1) + "…" : initial[...]
      return "\(title) [\(value)]".terminalSafe
    }
    let mark: ServiceText? =
      switch need {
      case .required: nil
      case .optional: .pageOptional
      case .conditional: .pageIfItApplies
      }
    return title.terminalSafe + (mark.map { " " + words($0) } ?? "")
  }

  package mutating func disabledAction(_ title: String, _ reason: String?) {
    let reason = reason.map { "\(words.colon) \($0.terminalSafe)" } ?? ""
    disabledActions.append(Self.line(key: "–", title.terminalSafe + reason, .unavailable))
  }

  package mutating func back(to title: String, _ kind: Kind) {
    steps.append(("b", words(.pageBackTo, ["target": .text(title.terminalSafe)]), kind))
  }

  package mutating func dismiss(_ kind: Kind) { steps.append(("x", words(.pageClose), kind)) }

  /// Writes a tab bar: above the screen, and the outermost one first.
  ///
  /// - Parameter bar: the tabs, each with the kind nil if it cannot be selected.
  package mutating func tabs(_ bar: [(title: String, badge: Int?, isSelected: Bool, kind: Kind?)]) {
    var labels: [String] = []
    for tab in bar {
      let label = tab.title.terminalSafe + (tab.badge.map { " (\($0))" } ?? "")
      labels.append(tab.isSelected ? "[\(label)]" : " \(label) ")
      countOfTabs += 1
      if let kind = tab.kind { tabs.append(("t\(countOfTabs)", label, kind)) }
    }
    write(labels.joined(separator: " "), "")
  }

  /// - Parameter languages: those of the app, with the kind nil for that of the session.
  package mutating func languages(_ languages: [(name: String, kind: Kind?)]) {
    for (index, language) in languages.enumerated() {
      guard let kind = language.kind else { continue }
      self.languages.append(("l\(index + 1)", language.name.terminalSafe, kind))
    }
  }
}

/// Whether a form needs a value of a field.
package enum FieldNeed {
  case required, optional
  /// The form asks for the field under a condition.
  case conditional
}

/// In characters. A longer text goes past its column: padding every row to it would multiply its length by the rows.
private let widestColumn = 60

extension String {
  /// The text with a space instead of each character that a terminal would take as a command.
  package var terminalSafe: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isTerminalCommand ? " " : $0 }))
  }

  /// The lines of the text, each ``terminalSafe`` but for the tabs between its columns.
  package var terminalSafeLines: String {
    String(
      String.UnicodeScalarView(unicodeScalars.map { $0 != "\n" && $0 != "\t" && $0.isTerminalCommand ? " " : $0 }))
  }

  /// Returns the text as lines of at most `width` characters. A line ends between two words; a word that is longer than a
  /// line ends anywhere.
  ///
  /// - Parameters:
  ///   - width: at least 1.
  ///   - indentation: the number of spaces before the second line and each further one, of which there are at most half
  ///     the width.
  package func wrapped(to width: Int, indentation: Int = 0) -> [String] {
    let indent = String(repeating: " ", count: Swift.min(indentation, width / 2))
    var lines: [String] = []
    var rest = self[...]
    while !rest.isEmpty || lines.isEmpty {
      let prefix = lines.isEmpty ? "" : indent
      let room = width - prefix.count
      guard let end = rest.index(rest.startIndex, offsetBy: room, limitedBy: rest.endIndex), end < rest.endIndex else {
        lines.append("\(prefix)\(rest)")
        break
      }
      // A space right behind the line ends it, too. The spaces at the beginning indent a word.
      let words = rest[...end].lastIndex(of: " ").map { rest[..<$0] }
      let line = words.flatMap { $0.allSatisfy { $0 == " " } ? nil : $0 } ?? rest[..<end]
      lines.append("\(prefix)\(line)".trimmingTrailingSpaces)
      rest = rest[line.endIndex...].drop { $0 == " " }
    }
    return lines
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
