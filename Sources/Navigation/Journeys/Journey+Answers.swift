internal import Languages
internal import Values

/// The actions of the check page. ``ofItem(_:_:)`` makes those of a list page.
struct JourneyActions {
  let submit: ActionDefinition
  let change: ActionDefinition

  init(_ journey: JourneyDefinition) {
    let question = FieldSchema(
      "question", title: Text(.journeyQuestion), kind: ChoiceKind(journey.questions.map { Choice($0.name) }))
    submit = Self.action("submit", journey.check.submit, .primary, [])
    change = Self.action("change", Text(.journeyChange), .secondary, [question, Self.item.optional])
  }

  private static let item = FieldSchema(
    "item", title: Text(.journeyItem), kind: WholeNumberKind(NumberBounds(minimum: 0)))

  /// Returns an action of the items of a list page.
  static func ofItem(_ name: String, _ title: ServiceText) -> ActionDefinition {
    action(name, Text(title), .secondary, [item])
  }

  /// Returns the action that answers the questions of a page.
  static func continuing(_ questions: [JourneyQuestion]) -> ActionDefinition {
    action("continue", Text(.journeyContinue), .primary, questions.compactMap(\.field))
  }

  static func action(
    _ name: String, _ title: Text, _ role: ActionRole, _ fields: [FieldSchema]
  ) -> ActionDefinition {
    ActionDefinition(name, title: title, role: role, fields: FieldDeclarations(schema: InputSchema(fields: fields)))
  }
}

// The answers as people read them.
extension JourneyDefinition {
  /// The rows of the check page: each asked question with its answer and a link to change it, and each item of a list.
  func rows(_ scope: JourneyScope, _ actions: JourneyActions) throws -> [Block.Answer] {
    let asked = Set(scope.page["asked"]?.elements.compactMap(\.text) ?? [])
    return try pages.flatMap { page -> [Block.Answer] in
      try page.questions.filter { asked.contains($0.name) }.flatMap { question -> [Block.Answer] in
        let change: (Int?) -> Block.Answer.Action = { item in
          Block.Answer.Action(
            Text(.journeyChange), actions.change,
            [("question", .text(question.name))] + (item.map { [("item", .integer($0))] } ?? []))
        }
        let value = scope.values[question.name] ?? .null
        switch question.subject {
        case .field(let field):
          let label = try question.title?(scope) ?? field.title
          return [Block.Answer(label, field.shown(value), [change(nil)])]
        case .list(let list):
          let items = try answers(of: list, scope)
          return [Block.Answer(list.label, Text("\(items.count)"), [change(nil)])]
            + items.enumerated().map { Block.Answer($1.label, $1.value, [change($0)]) }
        }
      }
    }
  }

  /// The rows of a list page: each item with links to change and to remove it.
  func itemRows(
    of list: JourneyList, _ scope: JourneyScope, change: ActionDefinition, remove: ActionDefinition
  ) throws -> [Block.Answer] {
    try answers(of: list, scope).enumerated().map { index, answer in
      let input: [(String, ItemInput.Argument)] = [("item", .integer(index))]
      return Block.Answer(
        answer.label, answer.value,
        [
          Block.Answer.Action(Text(.journeyChange), change, input),
          Block.Answer.Action(Text(.journeyRemove), remove, input),
        ])
    }
  }

  /// The items of a list as they were given, also while the list is not valid.
  private func answers(of list: JourneyList, _ scope: JourneyScope) throws -> [Block.Answer] {
    let items = scope.page["lists"]?[list.name]?.elements.map { $0 } ?? []
    return try items.map { item in
      var scope = scope
      scope.item = item
      return Block.Answer(try list.itemTitle(scope), try list.itemDetail?(scope) ?? "", [])
    }
  }
}

extension FieldSchema {
  /// Returns an answer as people read it; an empty text for null.
  func shown(_ value: Value) -> Text {
    if value.isNull { return "" }
    return isSecret ? Text(InputSchema.hiddenText) : kind.shown(value)
  }
}
