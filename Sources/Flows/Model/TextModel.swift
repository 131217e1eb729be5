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
  }

  /// The forms of a text that are mappings.
  static let forms = Forms<Content>([
    Form("text", "A key of `texts/` with arguments.") { keys in
      let key = keys("text", .string, isRequired: true, "The key.")
      return .key(key?.key, arguments: keys("with", .values(of: "ARGUMENT"), "The arguments."))
    },
    Form("money", "An amount of money, which clients write as their users do.") { .money(MoneyModel(&$0)) },
    Form("date", "A date.") {
      .date($0("date", .string, isRequired: true, "Such as `2026-11-26`. Any other text is shown as it is."))
    },
    Form("dateTime", "A date and time.") {
      .dateTime(
        $0(
          "dateTime", .string, isRequired: true,
          "Such as `2026-11-26T09:30:00+01:00` (RFC 3339). Any other text is shown as it is."))
    },
  ])
}

extension TextModel {
  /// Reads a text that stands where the format has any value.
  init(_ node: YAMLNode) { self = FormatReader.exact.text(node) }
}

struct MoneyModel {
  let amount: YAMLNode?
  let currency: YAMLNode?
  let decimals: Int64

  init(_ keys: inout Keys) {
    amount = keys(
      "money", .node(.either([.expression("int"), .integer(Int64.min...Int64.max)])), isRequired: true,
      "The amount in the smallest unit, such as cents.")
    currency = keys(
      "currency", .string, isRequired: true, "A code such as `EUR` (ISO 4217). Any other text is shown as it is.")
    decimals = keys("decimals", .integer(0...9), "The number of decimal places; 2 by default.") ?? 2
  }
}
