internal import Languages
internal import Messages
internal import Navigation
internal import Sessions
internal import Values
internal import Views

extension Snapshot {
  /// The view as the terminal client shows it.
  package var text: String { text(nil) }

  /// - Parameter pages: the pages of the lists in the content.
  func text(_ pages: ListPages?) -> String {
    let language = SessionAddress(of: self).language
    var writer = ViewTextWriter<Void>(language)
    for shown in visible.tabBars.reversed() {
      let selected = shown.bar.tabs[shown.bar.selected].name
      writer.tabs(
        zip(shown.bar.tabs, shown.canSelect).map { ($0.title.string, $0.badge, $0.name == selected, $1 ? () : nil) })
    }
    writer.title(visible.title.string)
    writer.write(visible.content, from: 0, of: visible, pages)
    for load in visible.loads {
      if let problem = load.problem { writer.problem(problem.string, retry: load.canReload ? () : nil) }
    }
    for action in visible.actions {
      for failure in action.failures { writer.notice(failure.sentence(in: language), tone: "error") }
    }
    for _ in stuckEvents { writer.problem(self.language(.eventStuck), retry: isReadOnly ? nil : ()) }
    writer.session(isWorking: !pendingEffects.isEmpty, isFinished: navigation.state.result != nil)
    if let prompt = visible.prompt {
      writer.prompt(prompt.title.string, prompt.message.string)
      for button in prompt.buttons {
        switch button {
        case .action(let action) where action.disabled == nil: writer.write(action, language)
        case .action: break
        case .answer(let answer, let title): writer.action(answer.rawValue, title.string, [], ())
        }
      }
    } else {
      for action in visible.actions { writer.write(action, language) }
    }
    if let back = visible.back { writer.back(to: back.title.string, ()) }
    if visible.canDismiss { writer.dismiss(()) }
    if let current = app.language, canChangeLanguage {
      writer.languages(languageChoices.map { ($0.name, $0.tag == current ? nil : ()) })
    }
    return writer.text
  }
}

extension ViewTextWriter<Void> {
  /// - Parameter position: the position of the first block in the content of the screen.
  fileprivate mutating func write(
    _ blocks: [Navigation.Block], from position: Int, of visible: VisibleScreen, _ pages: ListPages?
  ) {
    var position = position
    for block in blocks {
      switch block {
      case .text(let text): self.text(text.string)
      case .heading(let text): heading(text.string)
      case .facts(let facts): self.facts(facts.map { ($0.label.string, $0.value.string) })
      case .list(let list):
        let page = list.page(from: pages.start(of: position))
        for item in page.items {
          let offered = item.action.flatMap { visible.offer(of: $0) }
          self.item(item.title.string, item.detail?.string, action: offered.map { ($0.definition.name, ()) })
        }
        endList(
          shown: page.indices.count, of: list.count, next: page.next.map { _ in () },
          previous: page.previous.map { _ in () })
      case .answers(let answers):
        for answer in answers {
          let actions = answer.actions.compactMap { link in
            visible.offer(of: link.action).map { (link.title.string, $0.definition.name, ()) }
          }
          self.answer(answer.label.string, answer.value.string, isMissing: answer.isMissing, actions)
        }
      case .table(let table):
        self.table(
          title: table.title?.string, columns: table.columns.map(\.string), rows: table.rows.map { $0.map(\.string) })
      case .progress(let progress):
        self.progress(step: progress.step, of: progress.count, title: progress.title?.string)
      case .section(let section):
        heading(section.title.string)
        write(section.content, from: position + 1, of: visible, pages)
      case .image(_, let alternative): image(alternative.string)
      case .notice(let text, let tone): notice(text.string, tone: tone.rawValue)
      case .link(let text, let href): link(text.string, to: href)
      }
      position += block.positionCount
    }
  }

  fileprivate mutating func write(_ action: OfferedAction, _ language: ServiceLanguage) {
    let definition = action.definition
    if let reason = action.disabled {
      disabledAction(definition.title.string, reason.sentence(in: language))
    } else {
      let fields = action.input.fields.map { ($0.title.string, $0.need, $0.initialText(in: language)) }
      self.action(definition.name, definition.title.string, fields, ())
    }
  }
}

extension FieldSchema {
  /// Clients do not know a condition that they cannot test.
  fileprivate var need: FieldNeed {
    condition != nil && condition != .unknown ? .conditional : isRequired ? .required : .optional
  }

  /// Returns the initial value as the clients write it, which know the JSON Schema alone.
  fileprivate func initialText(in language: ServiceLanguage) -> String? {
    guard let initial else { return nil }
    if let choice = kind.allChoices.first(where: { $0.value == initial }) { return choice.title.string }
    switch kind.type {
    case "array": return initial.elements.map { title(of: $0) }.joined(separator: ", ")
    case "boolean": return initial.bool.map { language($0 ? .terminalYes : .terminalNo) }
    case "integer": return Int64(initial.fieldText).map { language.number($0, decimals: kind.amount?.decimals ?? 0) }
    case "number": return language.localized(initial.fieldText)
    default: return initial.text
    }
  }

  private func title(of value: Value) -> String {
    kind.allChoices.first { $0.value == value }?.title.string ?? value.fieldText
  }
}
