extension FlowFormat {
  private static func block(_ type: String, _ summary: String, _ keys: [FormatKey]) -> FormatObject {
    FormatObject(type, summary, keys + [FormatKey("if", .expression("bool"), "Whether the block is shown.")])
  }

  /// The blocks. The first key of each is its type.
  static let blocks: [FormatObject] = [
    block("text", "A paragraph.", [FormatKey("text", .text, isRequired: true, "The text.")]),
    block("heading", "A heading.", [FormatKey("heading", .text, isRequired: true, "The text.")]),
    block(
      "facts", "Labels with values.",
      [
        FormatKey(
          "facts", .either([.map(of: "LABEL", .text), .list(.object(fact))]), isRequired: true,
          "The values by their labels.")
      ]),
    block(
      "list", "A list, in pages.",
      [
        FormatKey("list", .expression("list"), isRequired: true, "The elements. Each is `item` in the other keys."),
        FormatKey("title", .text, isRequired: true, "The title of an item."),
        FormatKey("detail", .text, "The second line of an item."),
        FormatKey("image", .string, "The URL of the picture of an item."),
        FormatKey("action", .name("action"), "The action of the screen that an item performs."),
        FormatKey("with", .map(of: "FIELD", .value), "The input of the action."),
        FormatKey("pageSize", .integer(1...500), "The number of items of a page, at most 500; 50 by default."),
      ]),
    block(
      "table", "A table.",
      [
        FormatKey("table", .list(.text), isRequired: true, "The titles of the columns."),
        FormatKey("rows", .expression("list"), isRequired: true, "The elements. Each is `row` in `cells`."),
        FormatKey("cells", .list(.text), isRequired: true, "The cells of a row."),
        FormatKey("caption", .text, "The title of the table."),
      ]),
    block(
      "progress", "The place of the screen in the flow, such as step 2 of 4.",
      [
        FormatKey(
          "progress", .either([.expression("int"), .integer(1...1000)]), isRequired: true, "The step, from 1."),
        FormatKey("of", .either([.expression("int"), .integer(1...1000)]), isRequired: true, "The number of steps."),
        FormatKey("title", .text, "The title of the step."),
      ]),
    block(
      "section", "Content that people expand and collapse.",
      [
        FormatKey("section", .text, isRequired: true, "The title."),
        FormatKey("open", .boolean, "Whether the content is expanded at first; false by default."),
        FormatKey("content", .blocks, isRequired: true, "The blocks."),
      ]),
    block(
      "image", "A picture.",
      [
        FormatKey("image", .string, isRequired: true, "The URL."),
        FormatKey("alternative", .text, isRequired: true, "The description for people who cannot see it."),
      ]),
    block(
      "notice", "A message.",
      [
        FormatKey("notice", .text, isRequired: true, "The text."),
        FormatKey("tone", .choice(["info", "success", "warning", "error"]), "The tone; `info` by default."),
      ]),
    block(
      "link", "A link out of the app.",
      [
        FormatKey("link", .text, isRequired: true, "The text."),
        FormatKey("href", .string, isRequired: true, "The URL. Without a valid one, people read the text alone."),
      ]),
  ]

  static let fact = FormatObject(
    "fact", "A label with a value.",
    [
      FormatKey("label", .text, isRequired: true, "The label."),
      FormatKey("value", .text, isRequired: true, "The value."),
    ])

  /// The forms of a text that are mappings.
  static let texts: [FormatObject] = [
    FormatObject(
      "text", "A key of `texts/` with arguments.",
      [
        FormatKey("text", .string, isRequired: true, "The key."),
        FormatKey("with", .map(of: "ARGUMENT", .value), "The arguments."),
      ]),
    FormatObject(
      "money", "An amount of money, which clients write as their users do.",
      [
        FormatKey(
          "money", .either([.expression("int"), .integer(Int64.min...Int64.max)]), isRequired: true,
          "The amount in the smallest unit, such as cents."),
        FormatKey(
          "currency", .string, isRequired: true, "A code such as `EUR` (ISO 4217). Any other text is shown as it is."),
        FormatKey("decimals", .integer(0...9), "The number of decimal places; 2 by default."),
      ]),
    FormatObject(
      "date", "A date.",
      [FormatKey("date", .string, isRequired: true, "Such as `2026-11-26`. Any other text is shown as it is.")]),
    FormatObject(
      "dateTime", "A date and time.",
      [
        FormatKey(
          "dateTime", .string, isRequired: true,
          "Such as `2026-11-26T09:30:00+01:00` (RFC 3339). Any other text is shown as it is.")
      ]),
  ]
}
