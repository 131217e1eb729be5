/// The reference of the format in Markdown, from the tables with which files are checked.
package enum FlowReference {
  package static var markdown: String {
    let sections =
      objects.map { section($0.title, $0.object) }
      + [group("Commands", FlowFormat.commands), group("Blocks", FlowFormat.blocks), group("Texts", FlowFormat.texts)]
      + [FunctionReference.markdown]
    return sections.joined(separator: "\n")
  }

  private static let objects: [(title: String, object: FormatObject)] = [
    ("The file flow.yaml", FlowFormat.flow), ("Coordinators", FlowFormat.coordinator), ("Handlers", FlowFormat.handler),
    ("Outcomes", FlowFormat.outcome), ("Timers", FlowFormat.timer), ("Guards", FlowFormat.guarding),
    ("Screens", FlowFormat.screen), ("Leave questions", FlowFormat.leaveQuestion), ("Loads", FlowFormat.load),
    ("Actions", FlowFormat.action), ("Shared actions", FlowFormat.sharedAction), ("Prompts", FlowFormat.prompt),
    ("Actions of prompts", FlowFormat.promptAction), ("Operations", FlowFormat.operation),
    ("Retries", FlowFormat.retry), ("Signals", FlowFormat.signal), ("Links", FlowFormat.link),
    ("Steps of links", FlowFormat.linkStep), ("Schemas", SchemaFormat.schema),
    ("Fields of forms", FormatObject("field", SchemaFormat.field.summary, SchemaFormat.formKeys)),
    ("Tabs", FlowFormat.tab), ("Presented screens", FlowFormat.presentedScreen),
    ("Compensations", FlowFormat.compensation), ("Facts", FlowFormat.fact),
  ]

  /// The link to the section of an object; nil for one without a section.
  fileprivate static func link(to object: FormatObject) -> String? {
    objects.first { $0.object.name == object.name }.map { found in
      "[\(object.name)](#\(found.title.lowercased().replacing(" ", with: "-").replacing(".", with: "")))"
    }
  }

  private static func section(_ title: String, _ object: FormatObject) -> String {
    "## \(title)\n\n\(object.summary)\n\n\(table(object.keys))"
  }

  private static func group(_ title: String, _ objects: [FormatObject]) -> String {
    let parts = objects.map { object in
      "### \(object.name)\n\n\(object.summary)" + (isPlain(object) ? "\n" : "\n\n\(table(object.keys))")
    }
    return "## \(title)\n\n" + parts.joined(separator: "\n")
  }

  /// Whether the object is a word without a value.
  private static func isPlain(_ object: FormatObject) -> Bool {
    if object.keys.count == 1, case .null = object.keys[0].value { true } else { false }
  }

  private static func table(_ keys: [FormatKey]) -> String {
    let rows = keys.map { key in
      "| `\(key.name)`\(key.isRequired ? " (required)" : "") | \(key.value.noun) | \(key.summary) |\n"
    }
    return "| key | value | meaning |\n|---|---|---|\n" + rows.joined()
  }
}

extension FormatValue {
  /// The value in the reference.
  fileprivate var noun: String {
    switch self {
    case .text: "[text](#texts)"
    case .string: "text"
    case .name(let kind): "name of \(kind.withArticle)"
    case .expression("any"): "value"
    case .expression(let type): "expression: \(type)"
    case .value: "value"
    case .schema: "[schema](#schemas)"
    case .fields: "`NAME`: [schema](#schemas)"
    case .inputs: "`NAME`: [field of a form](#fields-of-forms)"
    case .duration: "duration"
    case .boolean: "true or false"
    case .integer: "whole number"
    case .choice(let choices): choices.map { "`\($0)`" }.listed
    case .commands: "[commands](#commands)"
    case .blocks: "[blocks](#blocks)"
    case .object(let object): FlowReference.link(to: object) ?? "mapping: \(object.name)"
    case .map(let keys, let value): "`\(keys)`: \(value.noun)"
    case .list(let value): "list of \(value.noun)"
    case .either(let values): values.map(\.noun).listed
    case .null: "empty"
    }
  }
}
