/// The reason why a JSON value is not the view of a session, as one sentence that names the member.
public struct ViewError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
}

extension SessionView {
  /// Reads the view that a service sends. Ignores members that it does not know.
  public init(_ json: JSONValue) throws(ViewError) {
    let view = ObjectReader(json)
    session = try Session(view.object("session"))
    screen = try Screen(view.object("screen"))
    actions = try view.objects("actions", Action.init)
    navigation = try Navigation(view.object("navigation"))
    prompt = try view.optionalObject("prompt", Prompt.init)
    language = try view.optionalObject("language", Language.init)
    links = try Links(view.object("links"))
  }
}

extension SessionView.Session {
  init(_ session: ObjectReader) throws(ViewError) {
    id = try session.string("id")
    app = try session.string("app")
    revision = try session.integer("revision")
    status = try session.choice("status")
    access = try session.choice("access")
    createdAt = try session.string("createdAt")
    expiresAt = try session.string("expiresAt")
    extend = try session.optionalObject("extend") { extend throws(ViewError) in
      SessionView.Extension(
        title: try extend.string("title"), href: try extend.string("href"), from: try extend.string("from"))
    }
    locale = try session.optionalString("locale")
    timeZone = try session.optionalString("timeZone")
    result = try session.value("result")
    // An earlier version of the service has no effects.
    pending = try session.optionalObjects("pending") { effect throws(ViewError) in
      SessionView.PendingEffect(
        id: try effect.integer("id"), name: try effect.string("name"), since: try effect.string("since"))
    }
    problems = try session.optionalObjects("problems") { problem throws(ViewError) in
      SessionView.EventProblem(
        id: try problem.integer("id"), title: try problem.string("title"),
        retry: try problem.optionalObject("retry", SessionView.Step.init))
    }
  }
}

extension SessionView.Screen {
  init(_ screen: ObjectReader) throws(ViewError) {
    id = try screen.integer("id")
    name = try screen.string("name")
    title = try screen.string("title")
    data = try screen.value("data")
    content = try screen.objects("content", Block.init)
    // An earlier version of the service loads nothing.
    loading = try screen.isNull("loading") ? [] : screen.strings("loading")
    problems = try screen.optionalObjects("problems") { problem throws(ViewError) in
      SessionView.LoadProblem(
        field: try problem.string("field"), title: try problem.string("title"),
        retry: try problem.optionalObject("retry", SessionView.Step.init))
    }
  }
}

extension Block {
  init(_ block: ObjectReader) throws(ViewError) {
    switch try block.string("type") {
    case "text": self = .text(try block.string("text"))
    case "heading": self = .heading(try block.string("text"))
    case "facts":
      let facts = try block.objects("facts") { fact throws(ViewError) in
        Fact(
          label: try fact.string("label"), value: try fact.string("value"), typed: try Block.TypedValue.read(fact))
      }
      self = .facts(facts)
    case "list":
      self = .list(try ItemList(block))
    case "answers":
      let answers = try block.objects("answers") { answer throws(ViewError) in
        Answer(
          label: try answer.string("label"), value: try answer.string("value"),
          typed: try Block.TypedValue.read(answer), actions: try answer.objects("actions", AnswerAction.init))
      }
      self = .answers(answers)
    case "table":
      let rows = try block.value("rows").elements.enumerated().map { index, row throws(ViewError) in
        try row.elements.enumerated().map { column, cell throws(ViewError) in
          let cell = ObjectReader(cell, path: "rows[\(index)][\(column)].")
          return Cell(value: try cell.string("value"), typed: try Block.TypedValue.read(cell))
        }
      }
      self = .table(
        Table(title: try block.optionalString("title"), columns: try block.strings("columns"), rows: rows))
    case "progress":
      self = .progress(
        step: Int(try block.integer("step")), of: Int(try block.integer("of")), title: try block.optionalString("title")
      )
    case "section":
      self = .section(
        Section(
          title: try block.string("title"), isOpen: try block.bool("isOpen"),
          content: try block.objects("content", Block.init)))
    case "image":
      self = .image(source: try block.string("source"), alternative: try block.string("alternative"))
    case "notice":
      // A tone that this version does not know counts as information.
      self = .notice(try block.string("text"), tone: Tone(rawValue: try block.string("tone")) ?? .info)
    case "link": self = .link(try block.string("text"), href: try block.string("href"))
    case let type: self = .other(type, text: block.isNull("text") ? "" : try block.string("text"))
    }
  }
}

extension Block.TypedValue {
  /// Returns nil for a text of words, and for a type of value that this version does not know.
  static func read(_ text: ObjectReader) throws(ViewError) -> Self? {
    try text.optionalObject("typed") { value throws(ViewError) -> Self? in
      switch try value.string("type") {
      case "money":
        .money(
          amount: try value.integer("amount"), decimals: Int(try value.integer("decimals")),
          currency: try value.string("currency"))
      case "date": .date(try value.string("value"))
      case "date-time": .dateTime(try value.string("value"))
      default: nil
      }
    } ?? nil
  }
}

extension Block.ItemList {
  init(_ list: ObjectReader) throws(ViewError) {
    items = try list.objects("items") { item throws(ViewError) in
      Block.Item(
        title: try item.string("title"), detail: try item.optionalString("detail"),
        typed: try Block.TypedValue.read(item), image: try item.optionalString("image"),
        action: try item.optionalObject("action", Block.ItemAction.init))
    }
    // An earlier version of the service has no pages.
    total = try list.optionalInteger("total").map { Int($0) } ?? items.count
    let links = try list.optionalObject("links") { $0 }
    next = try links?.optionalString("next")
    previous = try links?.optionalString("previous")
  }
}

extension Block.AnswerAction {
  init(_ link: ObjectReader) throws(ViewError) {
    title = try link.string("title")
    action = try Block.ItemAction(try link.object("action"))
  }
}

extension Block.ItemAction {
  init(_ action: ObjectReader) throws(ViewError) {
    name = try action.string("name")
    title = try action.string("title")
    href = try action.string("href")
    input = try action.value("input")
  }
}

extension SessionView.Prompt {
  init(_ prompt: ObjectReader) throws(ViewError) {
    // Earlier services give none.
    id = (try? prompt.integer("id")) ?? 0
    name = try prompt.string("name")
    title = try prompt.string("title")
    message = try prompt.string("message")
    actions = try prompt.objects("actions", Action.init)
  }
}

extension SessionView.Language {
  init(_ language: ObjectReader) throws(ViewError) {
    current = try language.string("current")
    languages = try language.objects("languages") { choice throws(ViewError) in
      Choice(tag: try choice.string("tag"), name: try choice.string("name"))
    }
    href = try language.optionalString("href")
  }
}

extension SessionView.Links {
  init(_ links: ObjectReader) throws(ViewError) {
    session = try links.string("self")
    tree = try links.string("tree")
    history = try links.string("history")
    events = try links.string("events")
    handOver = try links.optionalString("handOver")
  }
}

extension SessionView.Navigation {
  init(_ navigation: ObjectReader) throws(ViewError) {
    path = try navigation.strings("path")
    stack = try navigation.objects("stack") { entry throws(ViewError) in
      SessionView.Entry(
        id: try entry.integer("id"), name: try entry.string("name"), title: try entry.string("title"))
    }
    back = try navigation.optionalObject("back", SessionView.Step.init)
    dismiss = try navigation.optionalObject("dismiss", SessionView.Step.init)
    tabBars = try navigation.optionalObject("tabs", Self.tabBars) ?? []
    modals = Int(try navigation.integer("modals"))
  }

  /// Reads a tab bar and those around it.
  private static func tabBars(_ tabs: ObjectReader) throws(ViewError) -> [SessionView.Tabs] {
    let bar = SessionView.Tabs(
      selected: try tabs.string("selected"), items: try tabs.objects("items", SessionView.Tab.init))
    return [bar] + (try tabs.optionalObject("outer", tabBars) ?? [])
  }
}

extension SessionView.Step {
  init(_ step: ObjectReader) throws(ViewError) {
    title = try step.optionalString("title")
    href = try step.string("href")
  }
}

extension SessionView.Tab {
  init(_ tab: ObjectReader) throws(ViewError) {
    name = try tab.string("name")
    title = try tab.string("title")
    icon = try tab.optionalString("icon")
    badge = try tab.optionalInteger("badge").map { Int($0) }
    href = try tab.optionalString("href")
  }
}
