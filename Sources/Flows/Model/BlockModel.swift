internal import Navigation
internal import YAML

/// A part of the content of a screen.
struct BlockModel {
  let content: Content
  /// Whether the block is shown; nil for one that always is.
  let condition: YAMLNode?

  enum Content {
    /// A block that is made of one text.
    case ofText(TextModel?, @Sendable (Text) -> Block)
    case facts([FactModel])
    case list(ListModel)
    case table(TableModel)
    case progress(ProgressModel)
    case section(SectionModel)
    case image(YAMLNode?, alternative: TextModel?)
    case link(TextModel?, target: YAMLNode?)
  }

  /// The blocks. The first key of each is its type.
  static let forms = Forms<BlockModel>([
    form("text", "A paragraph.") {
      .ofText(key("text", .text, isRequired: true, "The text.")) { .text($0) }
    },
    form("heading", "A heading.") {
      .ofText(key("heading", .text, isRequired: true, "The text.")) { .heading($0) }
    },
    form("facts", "Labels with values.") {
      .facts(key("facts", .facts, isRequired: true, "The values by their labels."))
    },
    form("list", "A list, in pages.") { .list(ListModel()) },
    form("table", "A table.") { .table(TableModel()) },
    form("progress", "The place of the screen in the flow, such as step 2 of 4.") { .progress(ProgressModel()) },
    form("section", "Content that people expand and collapse.") { .section(SectionModel()) },
    form("image", "A picture.") {
      .image(
        key("image", .string, isRequired: true, "The URL."),
        alternative: key("alternative", .text, isRequired: true, "The description for people who cannot see it."))
    },
    form("notice", "A message.") {
      let text = key("notice", .text, isRequired: true, "The text.")
      let tone: Block.Tone? = key(
        "tone", .choice(["info": .info, "success": .success, "warning": .warning, "error": .error]),
        "The tone; `info` by default.")
      return .ofText(text) { .notice($0, tone: tone ?? .info) }
    },
    form("link", "A link out of the app.") {
      .link(
        key("link", .text, isRequired: true, "The text."),
        target: key("href", .string, isRequired: true, "The URL. Without a valid one, people read the text alone."))
    },
  ])

  private static func form(
    _ type: String, _ summary: String, _ content: @escaping @Sendable () -> Content
  ) -> Form<BlockModel> {
    Form(type, summary) {
      BlockModel(content: content(), condition: key("if", .expression("bool"), "Whether the block is shown."))
    }
  }
}

/// A label with a value.
struct FactModel {
  static let form = Form("fact", "A label with a value.") {
    FactModel(
      name: nil, label: key("label", .text, isRequired: true, "The label."),
      value: key("value", .text, isRequired: true, "The value."))
  }

  /// The label as the key of a mapping; nil for a label that is a value.
  let name: YAMLKey?
  let label: TextModel?
  let value: TextModel?
}

extension Format where Value == [FactModel] {
  fileprivate static var facts: Format {
    .either(
      .made(of: .map(of: "LABEL", .text)) { (_, facts: [NamedValue<TextModel>]) in
        facts.map { FactModel(name: $0.name, label: nil, value: $0.value) }
      }, .list(.object(FactModel.form)))
  }
}

struct ListModel {
  let elements = key(
    "list", .expression("list"), isRequired: true, "The elements. Each is `item` in the other keys.")
  let title = key("title", .text, isRequired: true, "The title of an item.")
  let detail = key("detail", .text, "The second line of an item.")
  let image = key("image", .string, "The URL of the picture of an item.")
  let action = key("action", .name("action"), "The action of the screen that an item performs.")
  let input = key("with", .values(of: "FIELD"), "The input of the action.")
  let pageSize = key("pageSize", .integer(1...500), "The number of items of a page, at most 500; 50 by default.")
}

struct TableModel {
  let titles = key("table", .list(.text), isRequired: true, "The titles of the columns.")
  let rows = key("rows", .expression("list"), isRequired: true, "The elements. Each is `row` in `cells`.")
  let cells = key("cells", .list(.text), isRequired: true, "The cells of a row.")
  /// The location of the key `cells`; nil without the key.
  let cellsMark = Keys.current.mark(of: "cells")
  let caption = key("caption", .text, "The title of the table.")
}

struct ProgressModel {
  private static let number = FormatValue.either([.expression("int"), .integer(1...1000)])

  let step = key("progress", .node(Self.number), isRequired: true, "The step, from 1.")
  let count = key("of", .node(Self.number), isRequired: true, "The number of steps.")
  let title = key("title", .text, "The title of the step.")
}

struct SectionModel {
  let title = key("section", .text, isRequired: true, "The title.")
  let isOpen = key("open", .boolean, "Whether the content is expanded at first; false by default.") ?? false
  let content = key("content", .blocks, isRequired: true, "The blocks.")
}
