internal import Languages
internal import Values

/// The task list of a journey: a page that shows its sections, each with its status.
package struct JourneyTasks: Sendable {
  /// The name of the screen.
  let name: String
  let title: Text
  /// Blocks above the sections.
  let content: JourneyCode<[Block]>
  let sections: [Section]

  package init(
    _ name: String, title: Text, content: @escaping JourneyCode<[Block]>, sections: [Section]
  ) {
    (self.name, self.title, self.content, self.sections) = (name, title, content, sections)
  }

  /// Pages that belong together.
  package struct Section: Sendable {
    let name: String
    let title: Text
    /// The indices of the pages.
    let pages: Range<Int>

    package init(_ name: String, title: Text, pages: Range<Int>) {
      (self.name, self.title, self.pages) = (name, title, pages)
    }
  }

  enum Status: String {
    /// No answer was given, and one is required.
    case notStarted
    case inProgress
    /// Each asked question has a valid answer, or needs none.
    case completed

    fileprivate var text: Text {
      switch self {
      case .notStarted: Text(.journeyNotStarted)
      case .inProgress: Text(.journeyInProgress)
      case .completed: Text(.journeyCompleted)
      }
    }
  }

  func section(of page: Int) -> Section? { sections.first { $0.pages.contains(page) } }

  /// The action that opens a section.
  var open: ActionDefinition {
    JourneyActions.action(
      "open", Text(.journeyContinue), .secondary,
      [FieldSchema("section", title: Text(.journeySection), kind: ChoiceKind(sections.map { Choice($0.name) }))])
  }

  /// The sections with their statuses, on the screen of the task list.
  func rows(_ scope: JourneyScope, _ open: ActionDefinition) -> [Block.Answer] {
    sections.compactMap { section -> Block.Answer? in
      guard let name = scope.page["sections"]?[section.name]?.text, let status = Status(rawValue: name) else {
        return nil
      }
      let title = Text(status == .completed ? .journeyChange : .journeyContinue)
      return Block.Answer(
        section.title, status.text, [Block.Answer.Action(title, open, [("section", .text(section.name))])])
    }
  }
}

extension JourneyResolution {
  /// The asked pages of a section.
  private func steps(of section: JourneyTasks.Section) -> [AskedPage] {
    steps.filter { section.pages.contains($0.step.page) }
  }

  /// Returns the first page of a section that lacks a valid answer or that people have not passed, or else its first page;
  /// nil if none is asked.
  func step(opening section: JourneyTasks.Section) -> JourneyStep? {
    let own = steps(of: section)
    return (own.first { lacksAnswer($0) || isNew($0.step) } ?? own.first)?.step
  }

  /// Returns the status of a section; nil if none of its pages is asked.
  func status(of section: JourneyTasks.Section, _ given: GivenAnswers) -> JourneyTasks.Status? {
    let own = steps(of: section)
    if own.isEmpty { return nil }
    if own.allSatisfy({ !lacksAnswer($0) }) { return .completed }
    return questions(of: section).contains { isAsked($0) && given[$0] != nil } ? .inProgress : .notStarted
  }
}
