internal import YAML

/// The questions of a coordinator, and the pages that ask them.
struct JourneyModel {
  static let form = Form(
    "journey", "The questions of a coordinator, and the pages that ask them in their order.", JourneyModel.init)

  let questions = key(
    "questions", .inputs, "The questions, which are variables of the coordinator: null without a valid answer.")
  let lists = Declarations(
    key(
      "lists", .models(of: "LIST", .object(JourneyListModel.form)),
      "The questions with items, each of which answers questions of its own."), by: \.name.name)
  let pages = Declarations(
    key(
      "pages",
      .models(of: "PAGE", .either(.object(JourneyPageModel.form, or: .list(.name("question")), \.questions), .noPage)),
      isRequired: true,
      "The pages in their order. A page alone asks the question of its name, and a list asks several."), by: \.name.name
  )
  /// Whether the pages are a mapping: another value, which is a fault already, hides the questions that they ask.
  let hasReadablePages = Keys.current.node(of: "pages")?.entries != nil
  let sections = Declarations(
    key(
      "sections", .models(of: "SECTION", .object(JourneySectionModel.form, or: .list(.name("page")), \.pages)),
      "Groups of pages. The journey then shows a task list first, with the status of each section."), by: \.name.name)
  let tasks = key("tasks", .object(TaskListModel.form), "The task list of a journey with sections.")
  let tasksMark = Keys.current.mark(of: "tasks")
  let check = key("check", .object(CheckPageModel.form), "The page with all answers, after the last page.")
  let showsProgress =
    key("progress", .boolean, "Whether the pages of questions show their number; true by default.") ?? true
  let done = key(
    "done", .commands, isRequired: true, "Runs when people send the answers. `answers` has all of them.")
  let mark = Keys.current.mark

  /// The names of all questions, also of those with items.
  var questionNames: [String] { (questions?.entries ?? []).map(\.key.name) + lists.names }

  /// The names of the screens of its pages, without those of items and of waits for a backend.
  var pageNames: [String] {
    pages.names + [CheckPageModel.name(of: check)] + (sections.isEmpty ? [] : [tasks?.name?.name ?? "tasks"])
  }

  /// The actions beside those of the journey, by their pages.
  var offers: [(page: String, actions: [YAMLKey])] {
    pages.map { ($0.name.name, $0.actions) } + [(CheckPageModel.name(of: check), check?.actions ?? [])]
  }

  /// The pages that ask an operation about their answers.
  func pages(verifiedBy operation: String) -> [JourneyPageModel] {
    pages.filter { $0.verification?.operation?.name == operation }
  }
}

/// A page of a journey.
struct JourneyPageModel {
  static let form = Form("page", "A page of a journey.") { JourneyPageModel() }

  let name = Keys.current.name
  fileprivate(set) var questions = key(
    "questions", .list(.name("question")),
    "The questions, or one list; by default that of the name of the page. A page with `[]` asks nothing.")
  private let declaresQuestions = Keys.current.mark(of: "questions") != nil
  let title = key("title", .text, "The title; by default that of the only question.")
  let condition = key(
    "when", .expression("bool"), "Whether the page is asked; it reads the answers to the pages before.")
  let content = key("content", .blocks, "Blocks above the questions.")
  let verification = key(
    "verify", .object(VerificationModel.form),
    "An operation that is asked about the answers of the page before they count. `outcomes` may refuse them, or replace "
      + "them with `set`.")
  let isExit = key("exit", .boolean, "Whether the page ends the journey. No page after it is asked.") ?? false

  let actions = offeredActions()

  /// The names of the asked questions; none of an exit.
  var asked: [YAMLKey] { isExit ? [] : questions.isEmpty && !declaresQuestions ? [name] : questions }
}

/// An operation that is asked about the answers of a page.
struct VerificationModel {
  static let form = Form(
    "verification", "An operation that is asked about the answers of a page before they count.", VerificationModel.init)

  let operation = key("perform", .name("service.operation"), isRequired: true, "The operation.")
  let parameters = key(
    "with", .values(of: "PARAMETER"),
    "Its parameters, which read the answers of the page and those before. Nothing is sent while they are those that it "
      + "has accepted last."
  )
  let condition = key("when", .expression("bool"), "Whether there is something to ask.")
  let title = key("title", .text, "The title of the screen until the answer; by default a text of the service.")
  let mark = Keys.current.mark
}

/// A group of pages of a journey.
struct JourneySectionModel {
  static let form = Form("journey section", "Pages that belong together, with a title and a status on the task list.") {
    JourneySectionModel()
  }

  let name = Keys.current.name
  let title = key("title", .text, "The title. By default it is made from the name.")
  fileprivate(set) var pages = key("pages", .list(.name("page")), "The pages, in the order of the journey.")
}

extension Format<JourneyPageModel> {
  /// A page without keys.
  fileprivate static var noPage: Format {
    Format(.null) { JourneyPageModel.form.empty($0.name, at: $0.node.mark) }
  }
}

/// A question with items.
struct JourneyListModel {
  static let form = Form(
    "list question", "A question with items, which people add, change and remove.",
    adviceByKey: ["when": "Put it on the page that asks the list.", "errors": "Write tooFew and tooMany."]
  ) {
    JourneyListModel()
  }

  let name = Keys.current.name
  let title = key("title", .text, "The label. By default it is made from the name.")
  let questions = key("questions", .inputs, isRequired: true, "The questions of an item, which are fields of `item`.")
  let pages = key(
    "pages", .list(.list(.name("question"))), "The questions on each page of an item; by default all on one.")
  /// Whether no page has a fault that hides its questions.
  let hasReadablePages = Keys.current.node(of: "pages")?.elements?.allSatisfy { $0.elements != nil } ?? true
  let minimum = key("minItems", .integer(0...1000), "The smallest number of items; 0 by default.") ?? 0
  let maximum = key("maxItems", .integer(1...1000), "The greatest number of items; 100 by default.") ?? 100
  let count = key(
    "count", .expression("int"),
    "The number of items, if other answers say it. The pages of the items then follow each other.")
  let itemTitle = key(
    "itemTitle", .text, isRequired: true,
    "The label of an item, such as `'=item.name == null ? \"\" : item.name'`, or `{title: =item.kind}` for an answer "
      + "with choices.")
  let itemDetail = key("itemDetail", .text, "The answer of an item.")
  let pageTitle = key(
    "pageTitle", .text,
    "The title of the pages of an item, which may read `item.number` and `item.count`. By default a page has the title "
      + "of its only question, or else that of the list.")
  let tooFew = key(
    "tooFew", .text, "The sentence about too few items, which may read answers; by default a text of the service.")
  let tooMany = key(
    "tooMany", .text, "The sentence about too many items, which may read answers; by default a text of the service.")
  let mark = Keys.current.mark

  /// The schema of the items, for what their type does not tell, such as choices.
  var schema: YAMLNode? {
    func mapping(_ key: String, _ value: YAMLNode) -> YAMLNode {
      value.replacing(.mapping([YAMLNode.Entry(key: YAMLKey(name: key, mark: value.mark), value: value)]))
    }
    return questions.map { mapping("items", mapping("properties", $0)) }
  }
}

/// A rule for an answer, which reads other answers.
struct JourneyRefusalModel {
  static let form = Form("refusal", "A rule for an answer, which reads other answers, and its sentence.") {
    JourneyRefusalModel()
  }

  let condition = key("if", .expression("bool"), isRequired: true, "Whether the answer is refused.")
  let sentence = key("because", .text, isRequired: true, "The sentence that people read.")
}

/// The page with all sections.
struct TaskListModel {
  static let form = Form("task list", "The first page of a journey with sections: each with its status and its link.") {
    TaskListModel()
  }

  let name = key("name", .name("screen"), "The name of the screen; `tasks` by default.")
  let title = key("title", .text, "The title; by default a text of the service.")
  let content = key("content", .blocks, "Blocks above the sections.")
}

/// The page with all answers.
struct CheckPageModel {
  static let form = Form("check page", "The page with all answers, each with a link to change it.") {
    CheckPageModel()
  }

  let name = key("name", .name("screen"), "The name of the screen; `check` by default.")
  let title = key("title", .text, "The title; by default a text of the service.")
  let submit = key("submit", .text, "The label of the button to send the answers; by default a text of the service.")
  let content = key("content", .blocks, "Blocks above the answers.")
  let actions = offeredActions()
}

extension CheckPageModel {
  /// Returns the name of the screen of a check page.
  static func name(of page: CheckPageModel?) -> String { page?.name?.name ?? "check" }
}

/// Declares the actions of a page beside those of the journey.
private func offeredActions() -> [YAMLKey] {
  key(
    "actions", .list(.name("action")),
    "The actions beside those of the journey, which the top-level `actions` declare. They take none of the typed values."
  )
}
