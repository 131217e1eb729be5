internal import CEL
internal import Languages
internal import Navigation
internal import Synchronization
internal import Values
internal import YAML

/// A compiler of journeys.
final class JourneyCompiler: PartCompiler {
  /// The names of the screens of all journeys.
  private var screenNames: Set<String> = []
  private var late: [String: LateJourney] = [:]

  /// Returns the journey of a coordinator for its commands, which are compiled before it.
  func late(of coordinator: String) -> LateJourney {
    let journey = late[coordinator] ?? LateJourney()
    late[coordinator] = journey
    return journey
  }

  func compile(
    _ journey: JourneyModel, of coordinator: CoordinatorModel, done: @escaping Reaction
  ) -> JourneyDefinition {
    let types = declared.types(of: coordinator).inSession
    let fields = declared.answers[coordinator.name.name] ?? FieldSet()
    let pages = journey.pages.compactMap { page(of: $0, journey, fields, types) }
    checkPages(journey)
    let check = journey.check
    let content = screenCompiler.contentOfPage(check?.content ?? [], types.onScreen)
    let definition = JourneyDefinition(
      pages: pages,
      check: JourneyDefinition.CheckPage(
        check?.name?.name ?? "check", title: templates.fixedText(check?.title) ?? Text(.journeyCheck),
        submit: templates.fixedText(check?.submit) ?? Text(.journeySubmit),
        content: { try content($0.scope) }), done: done)
    late(of: coordinator.name.name).definition = definition
    return definition
  }

  // MARK: Pages

  private func page(
    of model: JourneyPageModel, _ journey: JourneyModel, _ fields: FieldSet, _ types: ScopeTypes
  ) -> JourneyPage? {
    let condition = condition(model.condition, types)
    let content = screenCompiler.contentOfPage(model.content, types.onScreen)
    let names = questions(of: model)
    let kind: JourneyPage.Kind
    var label: Text?
    var ownTitle: JourneyText?
    if model.isExit {
      if let question = model.questions.first {
        fault(question.mark, "An exit asks no question. Remove the questions, or exit.")
      }
      kind = .exit
    } else if let name = names.first, let list = journey.lists[name.name] {
      if let second = names.dropFirst().first {
        fault(second.mark, "The page has the list \(name.name), and nothing beside it. Make it a page of its own.")
      }
      guard let list = self.list(list, types) else { return nil }
      (kind, label) = (.list(list), list.label)
    } else {
      let questions = names.compactMap { question($0, of: journey.questions, fields, among: names, types) }
      if questions.count == 1 { (label, ownTitle) = (questions[0].label, questions[0].title.map { .made($0) }) }
      kind = .questions(questions)
    }
    let title = model.title == nil && label != nil ? nil : templates.title(model.title, of: model.name, types.onScreen)
    return JourneyPage(
      model.name.name, title: (model.title == nil ? ownTitle : nil) ?? journeyText(title, or: label),
      condition: made(condition), content: { try content($0.scope) }, kind)
  }

  /// The questions of a page: by default that of its name.
  private func questions(of page: JourneyPageModel) -> [YAMLKey] {
    page.questions.isEmpty ? [page.name] : page.questions
  }

  /// Reports pages with the name of another screen, and questions that no page asks, or two.
  private func checkPages(_ journey: JourneyModel) {
    let screens = journey.pages.map(\.name) + [journey.check?.name].compactMap(\.self)
    for name in screens where !screenNames.insert(name.name).inserted || model.screens[name.name] != nil {
      fault(name.mark, "There is another screen \(name.name). Rename the page.")
    }
    if journey.check?.name == nil, !screenNames.insert("check").inserted || model.screens["check"] != nil {
      fault(
        journey.mark, "There is another screen check. Give the check page of the journey a name: `check: {name: …}`.")
    }
    var asked: Set<String> = []
    for page in journey.pages where !page.isExit {
      for name in questions(of: page) where !asked.insert(name.name).inserted {
        fault(name.mark, "Another page asks the question \(name.name) already. Remove it from one of them.")
      }
    }
    let declared = (journey.questions?.entries ?? []).map(\.key) + journey.lists.map(\.name)
    for name in declared where !asked.contains(name.name) {
      fault(name.mark, "No page asks the question \(name.name). Add it to a page, or remove it.")
    }
  }

  // MARK: Questions

  /// Compiles a question.
  ///
  /// - Parameters:
  ///   - fields: the declarations of all questions.
  ///   - page: the questions of its page.
  ///   - item: whether the question is one of an item.
  private func question(
    _ name: YAMLKey, of questions: YAMLNode?, _ fields: FieldSet, among page: [YAMLKey], _ types: ScopeTypes,
    inItem item: Bool = false
  ) -> JourneyQuestion? {
    let entries = questions?.entries ?? []
    let found = entries.first { $0.key.name == name.name }
    guard let entry = known(found, "question", name, among: entries.map(\.key.name)),
      let field = schemas.question(entry)
    else { return nil }
    let own = Set(page.map { item ? ["item", $0.name] : [$0.name] })
    func readsPage(_ reading: ReadAnswers) -> Bool { !own.isDisjoint(with: reading.paths) }
    var question = JourneyQuestion(field)
    question.isConfirmation = entry.value["confirms"]?.boolean ?? false
    if let condition = self.condition(entry.value["when"], types) {
      question.condition = made(condition)
      question.conditionOfForm = condition.condition(on: own)
    }
    if let title = entry.value["title"], schemas.dependsOnValues(TextModel(title)) {
      let title = templates.text(TextModel(title), types.onScreen)
      question.title = title.map { made($0) }
    }
    let type = fields[field.name]?.type
    for bound in FormBound.allCases {
      let reading = ReadAnswers(in: entry.value[bound.rawValue])
      guard let make = screenCompiler.bound(bound, of: entry, type, types.knowing(reading)) else { continue }
      question.limits.append(
        JourneyQuestion.Limit(readsPage: readsPage(reading)) { (scope: JourneyScope) -> ScreenLimit.Kind? in
          guard reading.areThere(in: scope), let value = try make(scope.scope) else { return nil }
          return .bounds(minimum: bound == .minimum ? value : nil, maximum: bound == .maximum ? value : nil)
        })
    }
    if let choices = screenCompiler.choices(of: entry, types) {
      question.limits.append(
        JourneyQuestion.Limit(readsPage: readsPage(ReadAnswers(in: entry.value["choices"]))) {
          (scope: JourneyScope) -> ScreenLimit.Kind? in .choices(try choices(scope.scope), isListed: true)
        })
    }
    for rule in entry.value["refuse"]?.elements ?? [] {
      let reading = ReadAnswers(in: rule["if"])
      guard let sentence = rule["because"].flatMap({ templates.text(TextModel($0), types) }),
        let condition = self.condition(rule["if"], types.knowing(reading))
      else {
        fault(rule.mark, "A rule has the keys if and because, as in `{if: =last < first, because: dates.order}`.")
        continue
      }
      question.refusals.append(
        JourneyQuestion.Refusal(
          { scope in reading.areThere(in: scope) ? try condition.isTrue(scope.scope) : false },
          sentence: made(sentence)))
    }
    return question
  }

  /// Returns a text of a journey; another one without a template.
  private func journeyText(_ text: TextTemplate?, or other: Text?) -> JourneyText {
    guard let text else { return .fixed(other ?? "") }
    return text.fixed.map { .fixed($0) } ?? .made(made(text))
  }

  private func sentence(_ text: TextModel?, _ types: ScopeTypes) -> JourneyText? {
    text.flatMap { templates.text($0, types.onScreen) }.map { journeyText($0, or: nil) }
  }

  private func made(_ text: TextTemplate) -> JourneyCode<Text> {
    { (scope: JourneyScope) -> Text in try text.text(scope.scope) }
  }

  private func made(_ condition: CompiledExpression?) -> JourneyCode<Bool>? {
    guard let condition else { return nil }
    return { (scope: JourneyScope) -> Bool in try condition.isTrue(scope.scope) }
  }

  private func condition(_ node: YAMLNode?, _ types: ScopeTypes) -> CompiledExpression? {
    guard let node else { return nil }
    guard node.expression != nil else {
      fault(node.mark, "The value is \(node.kindName), where an expression is expected.")
      return nil
    }
    return templates.expression(node, types, expecting: .bool)
  }

  // MARK: Lists

  private func list(_ model: JourneyListModel, _ types: ScopeTypes) -> JourneyList? {
    let fields = declared.items[model.mark] ?? FieldSet()
    let itemTypes = types.with(
      "item", DeclaredFields.itemType(fields, hasNumber: true), .fields { name in fields[name]?.node })
    let all = (model.questions?.entries ?? []).map(\.key)
    let pages = (model.pages.isEmpty ? [all] : model.pages).map { names -> JourneyList.ItemPage in
      let questions = names.compactMap { name in
        question(name, of: model.questions, fields, among: names, itemTypes, inItem: true)
      }
      let title = model.pageTitle.flatMap { templates.text($0, itemTypes.onScreen) }
      let label = questions.first?.label
      return JourneyList.ItemPage(title: journeyText(title, or: label), questions)
    }
    let asked = (model.pages.isEmpty ? [all] : model.pages).flatMap { $0 }.map(\.name)
    for name in all where !asked.contains(name.name) {
      fault(name.mark, "No page asks the question \(name.name). Add it to a page, or remove it.")
    }
    if model.minimum > model.maximum {
      fault(model.mark, "The smallest number of items is above the greatest one. Swap minItems and maxItems.")
      return nil
    }
    guard let title = templates.text(model.itemTitle, itemTypes.onScreen) else { return nil }
    let detail = model.itemDetail.flatMap { templates.text($0, itemTypes.onScreen) }
    let reading = ReadAnswers(in: model.count)
    let count = model.count.flatMap { templates.expression($0, types.knowing(reading), expecting: .int) }
    let size: JourneyList.Size =
      count.map { count in
        .exactly { (scope: JourneyScope) -> Int? in
          reading.areThere(in: scope) ? try count.value(scope.scope).int.map { Int($0) } : nil
        }
      } ?? .range(Int(model.minimum)...Int(model.maximum))
    return JourneyList(
      model.name.name, title: templates.fixedTitle(model.title, of: model.name), pages: pages, size: size,
      itemTitle: made(title), itemDetail: detail.map { made($0) },
      sentences: JourneyList.Sentences(
        tooFew: sentence(model.tooFew, types), tooMany: sentence(model.tooMany, types)))
  }
}

/// A journey that is there once its coordinator is compiled.
final class LateJourney: Sendable {
  private let late = Mutex<JourneyDefinition?>(nil)

  var definition: JourneyDefinition? {
    get { late.withLock { $0 } }
    set { late.withLock { $0 = newValue } }
  }
}

extension JourneyScope {
  /// The variables of an evaluation.
  var scope: Scope {
    Scope(values, argument: item.map { ("item", $0) }, environment: environment)
  }
}

/// The answers that an expression reads, each by its variable; the answer of an item by that and its field.
private struct ReadAnswers {
  let paths: [[String]]

  init(in node: YAMLNode?) {
    paths = (node?.expression?.expressionPaths ?? []).map { path in
      path.prefix(path.first == "item" ? 2 : 1).map { String($0) }
    }
  }

  /// Returns whether all of them are there. Names that are no variables of the coordinator are those of functions.
  func areThere(in scope: JourneyScope) -> Bool {
    paths.allSatisfy { path in
      let owner = path.first == "item" ? scope.item : scope.values
      let value = path == ["item"] ? owner : path.last.flatMap { owner?[$0] }
      return value.map { !$0.isNull } ?? true
    }
  }
}

extension ScopeTypes {
  /// Returns the types where answers are known not to be null.
  fileprivate func knowing(_ answers: ReadAnswers) -> ScopeTypes {
    answers.paths.reduce(self) { $0.knowing(notNull: $1) }
  }
}
