internal import YAML

/// A text for people.
struct TextModel {
  let node: YAMLNode
  let content: Content

  enum Content {
    /// A literal, a key of `texts/`, an expression, or a value with a fault.
    case scalar
    case key(YAMLKey?, arguments: YAMLNode?)
    case money(MoneyModel)
    case date(YAMLNode?)
    case dateTime(YAMLNode?)
    /// The title of a value that is a choice.
    case choice(YAMLNode?)
  }

  /// The forms of a text that are mappings.
  static let forms = Forms<Content>([
    Form("text", "A key of `texts/` with arguments.") {
      .key(
        key("text", .string, isRequired: true, "The key.")?.key,
        arguments: key("with", .values(of: "ARGUMENT"), "The arguments: values, and texts such as amounts and dates."))
    },
    Form("money", "An amount of money, in the language of the session.") { .money(MoneyModel()) },
    Form("date", "A date, in the language of the session.") {
      .date(key("date", .string, isRequired: true, "Such as `2026-11-26`. Any other text is shown as it is."))
    },
    Form("dateTime", "A date and time, in the language of the session.") {
      .dateTime(
        key(
          "dateTime", .string, isRequired: true,
          "Such as `2026-11-26T09:30:00+01:00` (RFC 3339). Any other text is shown as it is."))
    },
    Form("title", "The title of a choice.") {
      .choice(
        key(
          "title", .expression("value"), isRequired: true,
          "A declared value whose schema has choices with titles, such as `=order.kind`, or a list of them. Any other "
            + "value is shown as it is."))
    },
  ])
}

extension TextModel {
  /// Reads a text that stands where the format has any value.
  init(_ node: YAMLNode) { self = FormatReader.exact.text(node) }
}

struct MoneyModel {
  let amount = key(
    "money", .node(.either([.expression("int"), .integer(Int64.min...Int64.max)])), isRequired: true,
    "The amount in the smallest unit, such as cents.")
  let currency = key(
    "currency", .string, isRequired: true, "A code such as `EUR` (ISO 4217). Any other text is shown as it is.")
  let decimals = key("decimals", .integer(0...9), "The number of decimal places; 2 by default.") ?? 2
}
