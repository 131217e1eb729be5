internal import Navigation
internal import YAML

/// A part of the content of a screen.
struct BlockModel {
  let content: Content
  /// Whether the block is shown; nil for one that always is.
  let condition: YAMLNode?

  enum Content {
    case text(TextModel?)
    case heading(TextModel?)
    case facts([FactModel])
    case list(ListModel)
    case table(TableModel)
    case progress(ProgressModel)
    case section(SectionModel)
    case image(YAMLNode?, alternative: TextModel?)
    case notice(TextModel?, Block.Tone)
    case link(TextModel?, target: YAMLNode?)
  }

  /// The blocks. The first key of each is its type.
  static let forms = Forms<BlockModel>([
    form("text", "A paragraph.") { .text($0("text", .text, isRequired: true, "The text.")) },
    form("heading", "A heading.") { .heading($0("heading", .text, isRequired: true, "The text.")) },
    form("facts", "Labels with values.") {
      .facts($0("facts", .facts, isRequired: true, "The values by their labels."))
    },
    form("list", "A list, in pages.") { .list(ListModel(&$0)) },
    form("table", "A table.") { .table(TableModel(&$0)) },
    form("progress", "The place of the screen in the flow, such as step 2 of 4.") { .progress(ProgressModel(&$0)) },
    form("section", "Content that people expand and collapse.") { .section(SectionModel(&$0)) },
    form("image", "A picture.") { keys in
      let source = keys("image", .string, isRequired: true, "The URL.")
      let alternative = keys(
        "alternative", .text, isRequired: true, "The description for people who cannot see it.")
      return .image(source, alternative: alternative)
    },
    form("notice", "A message.") { keys in
      let text = keys("notice", .text, isRequired: true, "The text.")
      let tone = keys("tone", .choice(["info", "success", "warning", "error"]), "The tone; `info` by default.")
      return .notice(text, tone.flatMap { Block.Tone(rawValue: $0) } ?? .info)
    },
    form("link", "A link out of the app.") { keys in
      let text = keys("link", .text, isRequired: true, "The text.")
      let target = keys(
        "href", .string, isRequired: true, "The URL. Without a valid one, people read the text alone.")
      return .link(text, target: target)
    },
  ])

  private static func form(
    _ type: String, _ summary: String, _ content: @escaping @Sendable (inout Keys) -> Content
  ) -> Form<BlockModel> {
    Form(type, summary) { keys in
      let content = content(&keys)
      return BlockModel(content: content, condition: keys("if", .expression("bool"), "Whether the block is shown."))
    }
  }
}

/// A label with a value.
struct FactModel {
  static let form = Form("fact", "A label with a value.", FactModel.init)

  /// The label as the key of a mapping; nil for a label that is a value.
  let key: YAMLKey?
  let label: TextModel?
  let value: TextModel?

  init(_ keys: inout Keys) {
    key = nil
    label = keys("label", .text, isRequired: true, "The label.")
    value = keys("value", .text, isRequired: true, "The value.")
  }

  fileprivate init(_ fact: NamedValue<TextModel>) { (key, label, value) = (fact.name, nil, fact.value) }
}

extension Format where Value == [FactModel] {
  fileprivate static var facts: Format {
    .either(
      .made(of: .map(of: "LABEL", .text)) { (_, facts: [NamedValue<TextModel>]) in facts.map { FactModel($0) } },
      .list(.object(FactModel.form)))
  }
}

struct ListModel {
  let elements: YAMLNode?
  let title: TextModel?
  let detail: TextModel?
  let image: YAMLNode?
  let action: YAMLKey?
  let input: YAMLNode?
  let pageSize: Int?

  init(_ keys: inout Keys) {
    elements = keys(
      "list", .expression("list"), isRequired: true, "The elements. Each is `item` in the other keys.")
    title = keys("title", .text, isRequired: true, "The title of an item.")
    detail = keys("detail", .text, "The second line of an item.")
    image = keys("image", .string, "The URL of the picture of an item.")
    action = keys("action", .name("action"), "The action of the screen that an item performs.")
    input = keys("with", .values(of: "FIELD"), "The input of the action.")
    pageSize = keys("pageSize", .integer(1...500), "The number of items of a page, at most 500; 50 by default.")
      .map { Int($0) }
  }
}

struct TableModel {
  let titles: [TextModel]
  let rows: YAMLNode?
  let cells: [TextModel]
  /// The place of the key `cells`; nil without the key.
  let cellsMark: SourceMark?
  let caption: TextModel?

  init(_ keys: inout Keys) {
    titles = keys("table", .list(.text), isRequired: true, "The titles of the columns.")
    rows = keys("rows", .expression("list"), isRequired: true, "The elements. Each is `row` in `cells`.")
    cells = keys("cells", .list(.text), isRequired: true, "The cells of a row.")
    cellsMark = keys.mark(of: "cells")
    caption = keys("caption", .text, "The title of the table.")
  }
}

struct ProgressModel {
  let step: YAMLNode?
  let count: YAMLNode?
  let title: TextModel?

  init(_ keys: inout Keys) {
    let number = Format.node(.either([.expression("int"), .integer(1...1000)]))
    step = keys("progress", number, isRequired: true, "The step, from 1.")
    count = keys("of", number, isRequired: true, "The number of steps.")
    title = keys("title", .text, "The title of the step.")
  }
}

struct SectionModel {
  let title: TextModel?
  let isOpen: Bool
  let content: [BlockModel]

  init(_ keys: inout Keys) {
    title = keys("section", .text, isRequired: true, "The title.")
    isOpen = keys("open", .boolean, "Whether the content is expanded at first; false by default.") ?? false
    content = keys("content", .blocks, isRequired: true, "The blocks.")
  }
}
