package import Languages

/// A line of a view as text.
public struct TextLine: Sendable, Equatable {
  public enum Role: Sendable {
    case plain, title
    /// The line below a title.
    case underline
    /// An action that is disabled, with the reason.
    case unavailable
  }

  public let text: String
  public let role: Role
  /// The number of spaces before each further line of a wrapped one.
  private let indentation: Int

  init(_ text: String, _ role: Role = .plain, indentation: Int = 0) {
    self.text = text
    self.role = role
    self.indentation = indentation
  }

  /// Returns the line as lines of at most `width` characters.
  package func wrapped(to width: Int) -> [TextLine] {
    if role == .underline { return [TextLine(String(text.prefix(width)), role)] }
    return text.wrapped(to: width, indentation: indentation).map { TextLine($0, role) }
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

  /// Everything that a person can do: actions and then items by numbers, and the ways out by letters.
  public var choices: [TextChoice] { written.choices.map { TextChoice(key: $0.key, label: $0.label, kind: $0.kind) } }

  /// The view as text: the screen, and the key of each choice.
  public var text: String { written.text }

  /// The lines of ``text``.
  public var lines: [TextLine] { written.lines }

  private var written: ViewTextWriter<TextChoice.Kind> {
    let words = serviceLanguage
    var writer = ViewTextWriter<TextChoice.Kind>(words)
    for bar in navigation.tabBars.reversed() {
      writer.tabs(
        bar.items.map { ($0.title, $0.badge, $0.name == bar.selected, $0.href == nil ? nil : .tab($0.name)) })
    }
    writer.title(screen.title)
    for block in screen.content { block.write(to: &writer) }
    for problem in screen.problems {
      writer.problem(problem.title, retry: problem.retry == nil ? nil : .reload(problem.field))
    }
    for action in actions { for error in action.errors { writer.notice(error.detail, tone: "error") } }
    for problem in session.problems {
      writer.problem(problem.title, retry: problem.retry == nil ? nil : .retry(problem.id))
    }
    writer.session(isWorking: !session.pending.isEmpty, isFinished: session.status == .finished)
    if let prompt { writer.prompt(prompt.title, prompt.message) }
    for action in prompt?.actions ?? actions {
      if action.isEnabled {
        let fields = action.input.fields.map { ($0.title, $0.need, $0.initialText(in: words)) }
        writer.action(action.name, action.title, fields, .action(action))
      } else if prompt == nil {
        writer.disabledAction(action.title, action.reason)
      }
    }
    if let back = navigation.back { writer.back(to: back.title ?? "", .back) }
    if navigation.dismiss != nil { writer.dismiss(.dismiss) }
    if let language, language.href != nil {
      writer.languages(language.languages.map { ($0.name, $0.tag == language.current ? nil : .language($0.tag)) })
    }
    return writer
  }
}

extension Field {
  fileprivate var need: FieldNeed { condition != nil ? .conditional : isRequired ? .required : .optional }
}

extension Block.Answer {
  /// Whether the row is that of a question without an answer. An item of a list may have no detail.
  fileprivate var isMissing: Bool { value.isEmpty && !actions.contains { $0.action.input["item"] != nil } }
}

extension Block {
  fileprivate func write(to writer: inout ViewTextWriter<TextChoice.Kind>) {
    switch self {
    case .text(let text): writer.text(text)
    case .heading(let text): writer.heading(text)
    case .facts(let facts): writer.facts(facts.map { ($0.label, $0.value) })
    case .list(let list):
      for item in list.items { writer.item(item.title, item.detail, action: item.action.map { ($0.name, .item($0)) }) }
      writer.endList(
        shown: list.items.count, of: list.total, next: list.next.map { .page($0) },
        previous: list.previous.map { .page($0) })
    case .answers(let answers):
      for answer in answers {
        let actions = answer.actions.map { ($0.title, $0.action.name, TextChoice.Kind.item($0.action)) }
        writer.answer(answer.label, answer.value, isMissing: answer.isMissing, actions)
      }
    case .table(let table):
      writer.table(title: table.title, columns: table.columns, rows: table.rows.map { $0.map(\.value) })
    case .progress(let step, let count, let title): writer.progress(step: step, of: count, title: title)
    case .section(let section):
      writer.heading(section.title)
      for block in section.content { block.write(to: &writer) }
    case .image(_, let alternative): writer.image(alternative)
    case .notice(let text, let tone): writer.notice(text, tone: tone.rawValue)
    case .link(let text, let href): writer.link(text, to: href)
    case .other(_, let text):
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) { writer.text(String(line)) }
    }
  }
}
