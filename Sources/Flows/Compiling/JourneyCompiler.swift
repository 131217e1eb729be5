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
    let order = QuestionOrder(journey.pages.map(\.asked))
    let pages = journey.pages.enumerated().compactMap {
      page(of: $1, at: $0, journey, fields, order, types, coordinator)
    }
    checkPages(journey)
    let check = journey.check
    let content = screenCompiler.contentOfPage(check?.content ?? [], types.onScreen)
    let definition = JourneyDefinition(
      pages: pages,
      check: JourneyDefinition.CheckPage(
        CheckPageModel.name(of: check), title: templates.fixedText(check?.title) ?? Text(.journeyCheck),
        submit: templates.fixedText(check?.submit) ?? Text(.journeySubmit),
        content: { try content($0.scope) }, actions: actions(check?.actions ?? [])),
      tasks: tasks(of: journey, types.onScreen),
      showsProgress: journey.showsProgress, done: done)
    late(of: coordinator.name.name).definition = definition
    return definition
  }

  // MARK: Pages

  private func page(
    of model: JourneyPageModel, at index: Int, _ journey: JourneyModel, _ fields: FieldSet, _ order: QuestionOrder,
    _ types: ScopeTypes, _ coordinator: CoordinatorModel
  ) -> JourneyPage? {
    let early = types.before(order.starts[index], in: order)
    let known = types.before(order.starts[index + 1], in: order)
    let condition = condition(model.condition, early)
    let content = screenCompiler.contentOfPage(model.content, types.onScreen)
    let names = model.asked
    let kind: JourneyPage.Kind
    var verification: JourneyVerification?
    var isForm = false
    var label: Text?
    var ownTitle: ScreenTitle?
    if model.isExit {
      if let question = model.questions.first {
        fault(question.mark, "An exit asks no question. Remove the questions, or exit.")
      }
      if model.condition == nil {
        fault(
          model.name.mark,
          "The exit \(model.name.name) has no condition, so that no page after it is asked, and nothing is sent. "
            + "Add when.")
      }
      if let action = model.actions.first {
        fault(action.mark, "An exit has no actions. Remove the actions, or exit.")
      }
      kind = .exit
    } else if let name = names.first, let list = journey.lists[name.name] {
      if let second = names.dropFirst().first {
        fault(second.mark, "The page has the list \(name.name), and nothing beside it. Make it a page of its own.")
      }
      if list.count != nil, let action = model.actions.first {
        fault(
          action.mark, "The items of \(name.name) follow each other, and no page shows actions. Remove the actions.")
      }
      guard let list = self.list(list, types, early: early) else { return nil }
      (kind, label) = (.list(list), list.label)
    } else {
      let questions = names.compactMap { question($0, of: journey.questions, fields, among: names, order, types) }
      if questions.count == 1 { (label, ownTitle) = (questions[0].label, questions[0].title.map { .ofPage($0) }) }
      (kind, isForm) = (.questions(questions), !names.isEmpty)
      verification = model.verification.flatMap { self.verification($0, of: questions, coordinator, known) }
    }
    if let refused = model.verification, !isForm {
      fault(refused.mark, "The page has no form whose answers an operation could verify. Remove verify.")
    }
    let title = model.title == nil && label != nil ? nil : templates.title(model.title, of: model.name, known.onScreen)
    return JourneyPage(
      model.name.name, title: (model.title == nil ? ownTitle : nil) ?? pageTitle(title, or: label),
      condition: made(condition), content: { try content($0.scope) }, verification: verification,
      actions: actions(model.actions), kind)
  }

  /// The actions of a page beside those of the journey.
  private func actions(_ names: [YAMLKey]) -> [ActionDefinition] {
    names.compactMap { name in
      known(screenCompiler.sharedActions[name.name], "action", name, among: model.sharedActions.map(\.name.name))?
        .action
    }
  }

  /// Compiles the request about the answers of a page.
  private func verification(
    _ model: VerificationModel, of questions: [JourneyQuestion], _ coordinator: CoordinatorModel, _ types: ScopeTypes
  ) -> JourneyVerification? {
    guard let name = model.operation, let operation = services.operation(name) else { return nil }
    scripts.requireOutcome(of: name, coordinator)
    let known = types.knowing(notNull: questions.filter(\.isAlwaysAnswered).map(\.name))
    let condition = condition(model.condition, known)
    let parameters = services.parameters(
      model.parameters, of: operation, name, known.assuming(condition, at: model.condition, is: true))
    let effect = operation.effect.name
    return JourneyVerification(effect, title: templates.fixedText(model.title)) { (scope: JourneyScope) -> Draft? in
      guard try condition?.isTrue(scope.scope) ?? true else { return nil }
      let request = try ServiceCall.input(try parameters.value(scope.scope), callbacks: [], at: name.mark)
      return Draft(request, named: effect)
    }
  }

  /// Reports pages with an invalid name or that of another screen, and questions that no page asks, or two.
  private func checkPages(_ journey: JourneyModel) {
    let screens = journey.pages.map(\.name) + [journey.check?.name, journey.tasks?.name].compactMap(\.self)
    for name in screens where !screenNames.insert(name.name).inserted || model.screens[name.name] != nil {
      fault(name.mark, "There is another screen \(name.name). Rename the page.")
    }
    for name in screens { if let message = name.faultOfName { fault(name.mark, message) } }
    let unnamed =
      (journey.check?.name == nil ? [("check", "check page")] : [])
      + (journey.tasks?.name == nil && !journey.sections.isEmpty ? [("tasks", "task list")] : [])
    for (name, page) in unnamed where !screenNames.insert(name).inserted || model.screens[name] != nil {
      fault(
        journey.mark,
        "There is another screen \(name). Give the \(page) of the journey a name: `\(name): {name: …}`.")
    }
    guard journey.hasReadablePages else { return }
    let declared = (journey.questions?.entries ?? []).map(\.key) + journey.lists.map(\.name)
    checkPlaces(of: declared, journey.pages.map(\.asked))
  }

  /// Reports questions that no page asks, or two.
  private func checkPlaces(of questions: [YAMLKey], _ pages: [[YAMLKey]]) {
    var asked: Set<String> = []
    for name in pages.joined() where !asked.insert(name.name).inserted {
      fault(name.mark, "Another page asks the question \(name.name) already. Remove it from one of them.")
    }
    for name in questions where !asked.contains(name.name) {
      fault(name.mark, "No page asks the question \(name.name). Add it to a page, or remove it.")
    }
  }

  // MARK: Sections

  /// Compiles the task list; nil without sections.
  private func tasks(of journey: JourneyModel, _ types: ScopeTypes) -> JourneyTasks? {
    if journey.sections.isEmpty {
      if let mark = journey.tasksMark {
        fault(mark, "A task list shows the sections of the journey. Add sections, or remove tasks.")
      }
      return nil
    }
    let content = screenCompiler.contentOfPage(journey.tasks?.content ?? [], types)
    return JourneyTasks(
      journey.tasks?.name?.name ?? "tasks", title: templates.fixedText(journey.tasks?.title) ?? Text(.journeyTasks),
      content: { try content($0.scope) }, sections: sections(of: journey))
  }

  /// Compiles the sections, which have all pages in their order.
  private func sections(of journey: JourneyModel) -> [JourneyTasks.Section] {
    let pages = journey.pages
    var (end, placed) = (0, Set<String>())
    let sections = journey.sections.map { section -> JourneyTasks.Section in
      let start = end
      if section.pages.isEmpty {
        fault(section.name.mark, "The section \(section.name.name) has no pages. Add pages, or remove the section.")
      }
      for name in section.pages where known(pages[name.name], "page", name, among: pages.names) != nil {
        let index = pages.index(of: name.name) ?? end
        if !placed.insert(name.name).inserted {
          fault(name.mark, "Another section has the page \(name.name) already. Remove it from one of them.")
        } else if index < end {
          fault(name.mark, "The page \(name.name) comes earlier in the journey. Put pages and sections in one order.")
        }
        end = max(end, index + 1)
      }
      return JourneyTasks.Section(
        section.name.name, title: templates.fixedTitle(section.title, of: section.name), pages: start..<end)
    }
    for page in pages where !placed.contains(page.name.name) {
      fault(page.name.mark, "No section has the page \(page.name.name). Add it to one.")
    }
    return sections
  }

  // MARK: Questions

  /// Compiles a question.
  ///
  /// - Parameters:
  ///   - fields: the declarations of all questions.
  ///   - page: the questions of its page.
  ///   - order: the order of all questions, from which a question reads the answers before it.
  ///   - item: whether the question is one of an item.
  private func question(
    _ name: YAMLKey, of questions: YAMLNode?, _ fields: FieldSet, among page: [YAMLKey],
    _ order: QuestionOrder, _ types: ScopeTypes, inItem item: Bool = false
  ) -> JourneyQuestion? {
    let entries = questions?.entries ?? []
    let found = entries.first { $0.key.name == name.name }
    guard let entry = known(found, "question", name, among: entries.map(\.key.name)),
      let field = schemas.question(entry)
    else { return nil }
    let own = Set(page.map { item ? ["item", $0.name] : [$0.name] })
    func readsPage(_ answers: [[String]]) -> Bool { !own.isDisjoint(with: answers) }
    let position = order.position(of: item ? "item.\(name.name)" : name.name) ?? 0
    // A rule reads the answer itself, too.
    let ruleTypes = types.before(position + 1, in: order)
    let early = types.before(position, in: order)
    var question = JourneyQuestion(field)
    question.isConfirmation = entry.value["confirms"]?.boolean ?? false
    if let condition = self.condition(entry.value["when"], early) {
      question.condition = made(condition)
      question.conditionOfForm = condition.condition(on: own)
    }
    if let title = entry.value["title"], schemas.dependsOnValues(TextModel(title)) {
      let title = templates.text(TextModel(title), early.onScreen)
      question.title = title.map { made($0) }
    }
    let type = fields[field.name]?.type
    for bound in FormBound.allCases {
      guard let limit = screenCompiler.bound(bound, of: entry, type, early.withAnswers) else { continue }
      let read = limit.expression.answers
      question.limits.append(
        JourneyQuestion.Limit(readsPage: readsPage(read)) { (scope: JourneyScope) -> ScreenLimit.Kind? in
          guard scope.has(read), let value = try limit.make(scope.scope) else { return nil }
          return .bounds(minimum: bound == .minimum ? value : nil, maximum: bound == .maximum ? value : nil)
        })
    }
    if let choices = screenCompiler.choices(of: entry, early) {
      question.limits.append(
        JourneyQuestion.Limit(readsPage: readsPage(choices.expression.answers)) {
          (scope: JourneyScope) -> ScreenLimit.Kind? in .choices(try choices.make(scope.scope), isListed: true)
        })
    }
    for rule in entry.value["refuse"]?.elements ?? [] {
      guard let sentence = rule["because"].flatMap({ templates.text(TextModel($0), ruleTypes) }),
        let condition = self.condition(rule["if"], ruleTypes.withAnswers)
      else {
        fault(rule.mark, "A rule has the keys if and because, as in `{if: =last < first, because: dates.order}`.")
        continue
      }
      let read = condition.answers
      question.refusals.append(
        JourneyQuestion.Refusal(
          { scope in scope.has(read) ? try condition.isTrue(scope.scope) : false },
          sentence: made(sentence)))
    }
    return question
  }

  /// Returns the title of a page; another one without a template.
  private func pageTitle(_ text: TextTemplate?, or other: Text?) -> ScreenTitle {
    guard let text else { return .fixed(other ?? "") }
    return text.fixed.map { .fixed($0) } ?? .ofPage(made(text))
  }

  /// Compiles a text that may read answers; nil without one.
  private func sentence(_ text: TextModel?, _ types: ScopeTypes) -> JourneyCode<Text>? {
    text.flatMap { templates.text($0, types.onScreen) }.map { made($0) }
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
    guard let condition = templates.expression(node, types, expecting: .bool) else { return nil }
    checkChoices(in: condition, node, types)
    if condition.program.variables.isEmpty, (try? condition.isTrue(Scope(.emptyObject))) == false {
      fault(node.mark, "The condition is always false. Read an answer, or remove the condition.")
    }
    return condition
  }

  /// Requires that a condition compares answers with values that they may have.
  private func checkChoices(in condition: CompiledExpression, _ node: YAMLNode, _ types: ScopeTypes) {
    for comparison in condition.program.comparisons {
      guard let choices = schemas.schema(at: comparison.path, types).flatMap({ schemas.listedValues(of: $0) }),
        let constant = try? Value(comparison.constant), choices.allSatisfy({ $0.kind == constant.kind }),
        !choices.contains(constant)
      else { continue }
      let names = choices.map(\.fieldText)
      let subject = comparison.path.filter { $0 != CEL.Program.elements }.joined(separator: ".")
      let advice = advice(for: constant.fieldText, among: names, or: "Its choices are \(names.enumerated).")
      fault(
        node.mark(of: comparison.location, in: condition.program.source),
        "The value \(subject) is never \(constant.fieldText.shortened). \(advice)")
    }
  }

  // MARK: Lists

  /// - Parameter early: the types with the answers to the questions before.
  private func list(_ model: JourneyListModel, _ types: ScopeTypes, early: ScopeTypes) -> JourneyList? {
    let fields = declared.items[model.mark] ?? FieldSet()
    func inItem(_ types: ScopeTypes) -> ScopeTypes {
      types.with(
        "item", DeclaredFields.itemType(fields, isComplete: false), .fields { name in fields[name]?.node })
    }
    let all = (model.questions?.entries ?? []).map(\.key)
    let asked = model.pages.isEmpty ? [all] : model.pages
    let order = QuestionOrder(asked, prefix: "item.")
    let label = templates.fixedTitle(model.title, of: model.name)
    let (itemTypes, earlyInItem) = (inItem(types).before(order.starts[asked.count], in: order), inItem(early))
    let pages = asked.map { names -> JourneyList.ItemPage in
      let questions = names.compactMap { name in
        question(name, of: model.questions, fields, among: names, order, earlyInItem, inItem: true)
      }
      let title = model.pageTitle.flatMap { templates.text($0, itemTypes.onScreen) }
      return JourneyList.ItemPage(title: title.map { pageTitle($0, or: nil) }, of: label, questions)
    }
    if model.hasReadablePages { checkPlaces(of: all, asked) }
    if model.minimum > model.maximum {
      fault(model.mark, "The smallest number of items is above the greatest one. Swap minItems and maxItems.")
      return nil
    }
    guard let title = templates.text(model.itemTitle, itemTypes.onScreen) else { return nil }
    let detail = model.itemDetail.flatMap { templates.text($0, itemTypes.onScreen) }
    let count = model.count.flatMap { templates.expression($0, early.withAnswers, expecting: .int) }
    let size: JourneyList.Size =
      count.map { count in
        .exactly { [read = count.answers] (scope: JourneyScope) -> Int? in
          scope.has(read) ? try count.value(scope.scope).int.map { Int($0) } : nil
        }
      } ?? .range(Int(model.minimum)...Int(model.maximum))
    return JourneyList(
      model.name.name, title: label, pages: pages, size: size,
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

extension JourneyScope {
  /// Returns whether no value of the coordinator and of the item is null among those at some paths.
  fileprivate func has(_ answers: [[String]]) -> Bool {
    answers.allSatisfy { path in
      let owner = path[0] == "item" ? item : values
      let value = path == ["item"] ? owner : owner?[path[path.count - 1]]
      return !(value?.isNull ?? false)
    }
  }
}

extension CompiledExpression {
  /// The paths of the answers that the expression reads.
  fileprivate var answers: [[String]] { program.reads.map(\.answer) }
}

extension ScopeTypes {
  /// The types for an expression that counts only while each answer that it reads is valid: no value of the coordinator
  /// and of the item is null.
  fileprivate var withAnswers: ScopeTypes {
    var names = variables.keys.filter { !["locale", "principal"].contains($0) }
    if case .object(let item) = variables["item"] { names += item.fields.keys.map { "item.\($0)" } }
    return knowing(notNull: names)
  }
}
