internal import YAML

/// The reference of the format in Markdown, from the tables with which files are checked.
package enum FlowReference {
  package static var markdown: String {
    let sections =
      tables.map { section($0.title, $0.table) }
      + [
        group("Commands", CommandModel.forms.tables), group("Blocks", BlockModel.forms.tables),
        group("Texts", TextModel.forms.tables),
      ]
      + [FunctionReference.markdown]
    return sections.joined(separator: "\n")
  }

  private static let tables: [(title: String, table: FormatTable)] = [
    ("The file flow.yaml", FlowModel.form.table), ("Lives of sessions", LifeModel.form.table),
    ("Coordinators", CoordinatorModel.form.table), ("Journeys", JourneyModel.form.table),
    ("Pages of journeys", JourneyPageModel.form.table),
    ("Verifications", VerificationModel.form.table),
    ("Questions with items", JourneyListModel.form.table), ("Sections of journeys", JourneySectionModel.form.table),
    ("Task lists", TaskListModel.form.table), ("Check pages", CheckPageModel.form.table),
    ("Refusals", JourneyRefusalModel.form.table),
    ("Handlers", HandlerModel.form.table), ("Outcomes", OutcomeModel.form.table), ("Timers", TimerModel.form.table),
    ("Guards", GuardModel.form.table), ("Screens", ScreenModel.form.table),
    ("Leave questions", LeaveQuestionModel.form.table), ("Loads", LoadModel.form.table),
    ("Actions", ActionModel.onScreen.table), ("Shared actions", ActionModel.shared.table),
    ("Prompts", PromptModel.form.table), ("Actions of prompts", ActionModel.onPrompt.table),
    ("Operations", OperationModel.form.table), ("Retries", RetryModel.form.table),
    ("Signals", SignalModel.form.table), ("Links", LinkModel.form.table), ("Steps of links", LinkStepModel.form.table),
    ("Schemas", SchemaFormat.schema),
    ("Fields of forms", FormatTable("field", SchemaFormat.field.summary, SchemaFormat.formKeys)),
    ("Error sentences", SchemaFormat.errors),
    ("Tabs", TabModel.form.table), ("Presented screens", PresentedModel.form.table),
    ("Compensations", CompensationModel.form.table), ("Branches", BranchModel.form.table),
    ("Facts", FactModel.form.table),
  ]

  /// The link to the section of an object; nil for one without a section.
  fileprivate static func link(to table: FormatTable) -> String? {
    tables.first { $0.table.name == table.name }.map { found in
      "[\(table.name)](#\(found.title.lowercased().replacing(" ", with: "-").replacing(".", with: "")))"
    }
  }

  private static func section(_ title: String, _ table: FormatTable) -> String {
    "## \(title)\n\n\(table.summary)\n\n\(rows(table.keys))"
  }

  private static func group(_ title: String, _ tables: [FormatTable]) -> String {
    let parts = tables.map { table in
      "### \(table.name)\n\n\(table.summary)" + (isPlain(table) ? "\n" : "\n\n\(rows(table.keys))")
    }
    return "## \(title)\n\n" + parts.joined(separator: "\n")
  }

  /// Returns whether the mapping is a word without a value.
  private static func isPlain(_ table: FormatTable) -> Bool {
    if table.keys.count == 1, case .null = table.keys[0].value { true } else { false }
  }

  private static func rows(_ keys: [FormatKey]) -> String {
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
    case .pauses: "duration, or two"
    case .boolean: "true or false"
    case .integer: "whole number"
    case .choice(let choices): choices.map { "`\($0)`" }.listed
    case .commands: "[commands](#commands)"
    case .blocks: "[blocks](#blocks)"
    case .object(let table): FlowReference.link(to: table) ?? "mapping: \(table.name)"
    case .map(let keys, let value): "`\(keys)`: \(value.noun)"
    case .list(let value): "list of \(value.noun)"
    case .either(let values): values.map(\.noun).listed
    case .null: "empty"
    }
  }
}
