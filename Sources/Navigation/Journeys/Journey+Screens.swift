internal import Languages
internal import Values

// The screens of a journey, and the values that its coordinator fills in.
extension JourneyDefinition {
  /// Adds the journey to its coordinator: the screens of its pages, their handlers, and the answers after each step.
  package func add(to coordinator: inout CoordinatorDefinition) {
    let actions = JourneyActions(self)
    settle(&coordinator)
    for (index, page) in pages.enumerated() {
      add(page, at: index, to: &coordinator)
    }
    addCheck(actions, to: &coordinator)
    if let tasks { add(tasks, to: &coordinator) }
    coordinator.handlers.append(HandlerDefinition(take.key, obstacle: nil) { try take($1, &$0, $2) })
  }

  private func add(_ page: JourneyPage, at index: Int, to coordinator: inout CoordinatorDefinition) {
    let step = JourneyStep(page: index)
    switch page.kind {
    case .exit:
      coordinator.screens.append(screen(page.name, page.title, []) { try page.content($0) })
      coordinator.bindings.append(binding(page.name))
    case .questions(let questions):
      let action = JourneyActions.continuing(questions)
      coordinator.screens.append(
        screen(page.name, page.title, [action] + page.actions, asking: questions) {
          try progress($0) + page.content($0)
        })
      coordinator.bindings.append(binding(page.name, step))
      coordinator.handlers.append(
        HandlerDefinition(action.key, obstacle: nil) { try proceed(from: step, questions, &$0, $1, $2) })
      if let verification = page.verification { addWait(page, verification, step, to: &coordinator) }
    case .list(let list):
      addItems(list, page, at: index, to: &coordinator)
      if !list.isCounted { add(list, page, at: index, to: &coordinator) }
    }
  }

  /// Adds the screen that people see until a backend has answered.
  private func addWait(
    _ page: JourneyPage, _ verification: JourneyVerification, _ step: JourneyStep,
    to coordinator: inout CoordinatorDefinition
  ) {
    let again = JourneyActions.action("again", Text(.journeyAgain), .primary, [])
    coordinator.screens.append(
      screen(
        page.waitScreenName,
        .ofPage { $0.page["failed"] == nil ? verification.title : Text(.journeyNotChecked) }, [again]
      ) { scope in
        progress(scope) + (scope.page["failed"] == nil ? [] : [.notice(Text(.journeyAway), tone: .warning)])
      })
    coordinator.bindings.append(binding(page.waitScreenName, step))
    coordinator.handlers.append(
      HandlerDefinition(
        again.key,
        obstacle: { coordinator, _ in
          given(in: coordinator).pending?.hasFailed == true ? nil : .hidden
        }
      ) { state, _, environment in try verifyAgain(&state, environment) })
  }

  private func addItems(
    _ list: JourneyList, _ page: JourneyPage, at index: Int, to coordinator: inout CoordinatorDefinition
  ) {
    for (number, itemPage) in list.pages.enumerated() {
      let step = JourneyStep(page: index, item: 0, itemPage: number)
      let name = page.itemScreenNames[number]
      let action = JourneyActions.continuing(itemPage.questions)
      coordinator.screens.append(
        screen(name, itemPage.title, [action], asking: itemPage.questions) { progress($0) })
      coordinator.bindings.append(binding(name, step, ofItemIn: list))
      coordinator.handlers.append(
        HandlerDefinition(action.key, obstacle: nil, readsScreen: true) { state, input, environment in
          var step = step
          let page = environment.origin?.value[GivenAnswers.property]
          step.item = page?["item"]?.int.map { Int($0) }
          return list.isCounted
            ? try proceed(fromItem: step, list, &state, input, environment)
            : try store(step, list, draft: page?["draft"], &state, input, environment)
        })
    }
  }

  private func add(
    _ list: JourneyList, _ page: JourneyPage, at index: Int, to coordinator: inout CoordinatorDefinition
  ) {
    let next = JourneyActions.continuing([])
    let add = JourneyActions.action("add", Text(.journeyAdd), .secondary, [])
    let change = JourneyActions.ofItem("change", .journeyChange)
    let remove = JourneyActions.ofItem("remove", .journeyRemove)
    coordinator.screens.append(
      screen(page.name, page.title, [add, next, change, remove] + page.actions) { scope in
        try progress(scope) + page.content(scope)
          + [.answers(try itemRows(of: list, scope, change: change, remove: remove))]
      })
    let step = JourneyStep(page: index)
    coordinator.bindings.append(binding(page.name, step, showing: [list]))
    let withoutItems: HandlerDefinition.Obstacle = { coordinator, _ in
      GivenAnswers.count(ofItemsIn: list, coordinator.encoding) > 0 ? nil : .hidden
    }
    coordinator.handlers += [
      HandlerDefinition(
        add.key,
        obstacle: { coordinator, _ in
          let count = GivenAnswers.count(ofItemsIn: list, coordinator.encoding)
          return count < list.maximumCount ? nil : .hidden
        }
      ) { state, _, environment in
        try open(index, item: nil, state, environment)
      },
      HandlerDefinition(next.key, obstacle: nil) { state, _, environment in
        try proceed(fromList: step, list, &state, environment)
      },
      HandlerDefinition(change.key, obstacle: withoutItems) { state, input, environment in
        try open(index, item: Int(clamping: input["item"]?.int ?? -1), state, environment)
      },
      HandlerDefinition(remove.key, obstacle: withoutItems) { state, input, environment in
        try self.remove(Int(clamping: input["item"]?.int ?? -1), of: list, &state, environment)
      },
    ]
  }

  private func addCheck(_ actions: JourneyActions, to coordinator: inout CoordinatorDefinition) {
    coordinator.screens.append(
      screen(check.name, .fixed(check.title), [actions.submit, actions.change] + check.actions) { scope in
        try check.content(scope) + [.answers(try rows(scope, actions))]
      })
    coordinator.bindings.append(binding(check.name, JourneyStep(page: pages.count), showing: pages.compactMap(\.list)))
    coordinator.handlers += [
      HandlerDefinition(actions.submit.key, obstacle: nil) { state, _, environment in
        let resolution = try resolve(&state, environment)
        guard resolution.isComplete else { return [showing(resolution.next, resolution)] }
        return try settle(&state, environment) { try done(&$0, environment) }
      },
      HandlerDefinition(actions.change.key, obstacle: nil) { state, input, environment in
        let name = input["question"]?.text
        // The field accepts only names of questions.
        guard let question = questions.first(where: { $0.name == name }),
          let page = pages.firstIndex(where: { page in page.questions.contains { $0.name == question.name } })
        else { return [] }
        let resolution = try resolve(&state, environment)
        let notAsked = RefusedAnswers.notAsked("question", question.label)
        guard resolution.isAsked(question.name) else { throw notAsked }
        let item = input["item"]?.int.map { Int(clamping: $0) }
        guard let item, pages[page].list?.isCounted != true else {
          let step = resolution.steps.map(\.step).first { $0.page == page && (item == nil || $0.item == item) }
          guard let step else { throw item.map { RefusedAnswers.noItem($0) } ?? notAsked }
          return [arranging(resolution) { $0 + [place(of: step)] }]
        }
        return try open(page, item: item, state, environment)
      },
    ]
  }

  private func add(_ tasks: JourneyTasks, to coordinator: inout CoordinatorDefinition) {
    let open = tasks.open
    let next = JourneyActions.action("continue", check.title, .primary, [])
    coordinator.screens.append(
      screen(tasks.name, .fixed(tasks.title), [next, open]) { try tasks.content($0) + [.answers(tasks.rows($0, open))] }
    )
    coordinator.bindings.append(binding(tasks.name, statusesOf: tasks))
    coordinator.handlers += [
      HandlerDefinition(open.key, obstacle: nil) { state, input, environment in
        let resolution = try resolve(&state, environment)
        // The field accepts only names of sections.
        guard let section = tasks.sections.first(where: { $0.name == input["section"]?.text }) else { return [] }
        guard let step = resolution.step(opening: section) else {
          throw RefusedAnswers.notAsked("section", section.title)
        }
        return [showing(step, resolution)]
      },
      HandlerDefinition(
        next.key,
        obstacle: { coordinator, environment in
          let resolution = try resolved(coordinator, environment).resolution
          return resolution.isComplete ? nil : .hidden
        }
      ) { state, _, environment in try checkAnswers(&state, environment) },
    ]
  }

  // MARK: Screens

  /// - Parameter questions: the questions of the form, which the action of the screen asks.
  private func screen(
    _ name: String, _ title: ScreenTitle, _ actions: [ActionDefinition],
    asking questions: [JourneyQuestion] = [], content: @escaping @Sendable (JourneyScope) throws -> [Block]
  ) -> ScreenDefinition {
    ScreenDefinition(
      SchemaDefinition(name) { $0 }, title: title, actions: actions + [take],
      leavePolicy: .free, leaveQuestion: LeaveQuestion(), loads: [], limits: [], agreements: [], prefills: [],
      form: questions.isEmpty
        ? nil
        : ScreenForm(actions[0].key) { screen, environment in
          try form(of: questions, JourneyScope(screen: screen.encoding, environment))
        }, hidesData: true
    ) { try content(JourneyScope(screen: $0.encoding)) }
  }

  /// Returns the form of questions with what depends on other answers. A question that is not asked, whatever people
  /// answer on this page, is left out.
  private func form(of questions: [JourneyQuestion], _ scope: JourneyScope) throws -> InputSchema {
    let given = scope.page["given"] ?? .null
    var steps = Pattern.stepLimit
    var fields: [FieldSchema] = []
    for question in questions {
      guard case .field(var field) = question.subject else { continue }
      var condition = FieldCondition.always
      if let make = question.conditionOfForm {
        let known = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) })
        condition = try make(scope).resolved(among: known)
      } else if let isAsked = question.condition {
        condition =
          question.isInSwift
          ? try scope.condition(among: questions, isAsked) : try isAsked(scope) ? .always : .never
      }
      if condition == .never { continue }
      if let title = question.title { field = field.titled(try title(scope)) }
      for limit in question.limits {
        guard let kind = try scope.unless(limit.readsPage, questions, limit.make) ?? nil else { continue }
        field = field.limited(by: kind)
      }
      if condition != .always { field = field.asked(if: condition) }
      fields.append(given[question.name].map { field.beginning(with: $0, &steps) } ?? field)
    }
    return InputSchema(fields: fields)
  }

  /// The answers with which the form of a page begins: those that were given, and those that a backend has not accepted.
  private func typed(on step: JourneyStep, _ given: GivenAnswers) -> Value {
    guard let pending = given.pending, pages.indices.contains(step.page), pages[step.page].name == pending.page else {
      return given.all
    }
    let others = given.all.members.filter { pending.answers[$0.key] == nil }.map { ($0.key, $0.value) }
    return .object(others + pending.named.filter { !$0.value.isNull }.map { ($0.name, $0.value) })
  }

  /// The progress, if the pages show it.
  private func progress(_ scope: JourneyScope) -> [Block] { showsProgress ? [scope.progress] : [] }

  /// The values of a page's screen: those of the coordinator, and the part of the journey that the page shows.
  ///
  /// - Parameters:
  ///   - lists: the lists whose items the page shows.
  ///   - list: the list of whose item the page is.
  ///   - tasks: the task list whose sections the page shows.
  private func binding(
    _ name: String, _ step: JourneyStep? = nil, showing lists: [JourneyList] = [],
    ofItemIn list: JourneyList? = nil, statusesOf tasks: JourneyTasks? = nil
  ) -> BindingDefinition {
    BindingDefinition(name) { coordinator, screen, environment in
      let resolved = try resolved(coordinator, environment)
      let (given, resolution) = (resolved.given, resolved.resolution)
      let answered = resolved.coordinator.members.map { ($0.key, $0.value) }.filter { $0.0 != GivenAnswers.property }
      let values = lists.isEmpty && list == nil ? Value.null : .object(answered)
      var page = screen.encoding.members.map { ($0.key, $0.value) }
      if step?.page == pages.count {
        page.append(("asked", .array(questions.names.filter { resolution.isAsked($0) }.map { Value($0) })))
      }
      if var step {
        if let list {
          if list.isCounted {
            step.item = screen.encoding["item"]?.int.map { Int($0) }
          } else {
            // The pages of an item that people add have the progress of their list page.
            step.item = nil
            step.itemPage = 0
          }
        }
        let (number, count) = resolution.number(of: step)
        page += [("step", Value(number)), ("of", Value(count))]
      }
      if given.pending?.hasFailed == true { page.append(("failed", true)) }
      if let tasks {
        let statuses = tasks.sections.compactMap { section in
          resolution.status(of: section, given).map { (section.name, Value($0.rawValue)) }
        }
        page.append(("sections", .object(statuses)))
      }
      if !lists.isEmpty {
        let items = try lists.map { ($0.name, try resolution.items(of: $0, given, in: values, environment)) }
        page.append(("lists", .object(items)))
      }
      if let list {
        let index = Int(screen.encoding["item"]?.int ?? 0)
        let stored = given.items(of: list)
        let item = screen.encoding["draft"] ?? (index < stored.count ? stored[index] : .emptyObject)
        page.append(("given", item))
        page.append(("answers", try resolution.item(of: list, item, at: index, in: values, environment).numbered))
      } else {
        page.append(("given", step.map { typed(on: $0, given) } ?? given.all))
      }
      let today = (Value.today, Value(environment.today.description))
      screen = AppValue(encoding: .object(answered + [(GivenAnswers.property, .object(page)), today]))
    }
  }
}

/// The form of a screen's action that depends on the screen as a whole.
package struct ScreenForm: Sendable {
  let action: ActionKey
  let make: @Sendable (AppValue, SessionEnvironment) throws -> InputSchema

  init(_ action: ActionKey, make: @escaping @Sendable (AppValue, SessionEnvironment) throws -> InputSchema) {
    (self.action, self.make) = (action, make)
  }
}

extension ScreenTitle {
  /// Returns the title of a journey's page that reads the answers.
  package static func ofPage(_ make: @escaping JourneyCode<Text>) -> ScreenTitle {
    .made { try make(JourneyScope(screen: $0.encoding)) }
  }
}

extension JourneyScope {
  /// The values of a page's screen.
  fileprivate init(screen: Value, _ environment: SessionEnvironment? = nil) {
    self.init(values: screen, item: screen[GivenAnswers.property]?["answers"], environment: environment)
  }

  /// The part of the journey that the page shows, on a screen of the journey.
  var page: Value { values[GivenAnswers.property] ?? .emptyObject }

  fileprivate var progress: Block { .progress(step: Int(page["step"]?.int ?? 1), of: Int(page["of"]?.int ?? 1)) }

  /// Runs code for a form. Returns nil if the code reads an answer of the same page, which the form does not have yet.
  ///
  /// - Parameters:
  ///   - readsPage: whether the code reads one; nil to observe the code.
  ///   - questions: those of the page.
  fileprivate func unless<Result>(
    _ readsPage: Bool?, _ questions: [JourneyQuestion], _ code: JourneyCode<Result>
  ) throws -> Result? {
    if let readsPage { return readsPage ? nil : try code(self) }
    let (result, read) = try observed(among: questions, code)
    return read.isEmpty ? result : nil
  }

  /// Returns the result of code, and the names of the questions of its page that it has read.
  private func observed<Result>(
    among questions: [JourneyQuestion], _ code: JourneyCode<Result>
  ) throws -> (result: Result, read: Set<String>) {
    var scope = self
    let reads = ObservedReads(of: Set(questions.map(\.name)))
    scope.reads = reads
    return (try code(scope), reads.names)
  }

  /// Returns the condition of a question in Swift for the clients of a form: the choices of another question of the page
  /// for which the code holds, if the code reads only that question.
  fileprivate func condition(
    among questions: [JourneyQuestion], _ code: JourneyCode<Bool>
  ) throws -> FieldCondition {
    let (isAsked, read) = try observed(among: questions, code)
    guard let name = read.first else { return isAsked ? .always : .never }
    let kind = questions.first { $0.name == name }?.field?.kind
    let choices = (kind as? ChoiceKind)?.choices.map(\.value) ?? (kind is BooleanKind ? [true, false] : [])
    guard !choices.isEmpty else { return .unknown }
    var asking: [Value] = []
    for value in [.null] + choices {
      let (isAsked, read) = try with(name, value).observed(among: questions, code)
      guard read == [name] else { return .unknown }
      if isAsked { asking.append(value) }
    }
    guard asking.first == .null else { return asking.isEmpty ? .never : .test(field: name, .isOneOf(asking)) }
    let others = choices.filter { !asking.contains($0) }
    return others.isEmpty ? .always : .not(.test(field: name, .isOneOf(others)))
  }

  /// Returns the scope with another answer to a question of its page.
  private func with(_ name: String, _ value: Value) -> JourneyScope {
    func changed(_ answers: Value) -> Value {
      .object(answers.members.filter { $0.key != name }.map { ($0.key, $0.value) } + [(name, value)])
    }
    var scope = self
    if let item { scope.item = changed(item) } else { scope.values = changed(values) }
    return scope
  }
}
