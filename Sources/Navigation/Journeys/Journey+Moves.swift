internal import Languages
package import Values

// The steps of a journey. Each takes answers, resolves what counts now, and arranges the pages.
extension JourneyDefinition {
  /// Continues from a page with the answers to its questions.
  func proceed(
    from step: JourneyStep, _ questions: [JourneyQuestion], _ state: inout AppValue, _ input: Value,
    _ environment: SessionEnvironment
  ) throws -> [Command] {
    var steps = Pattern.stepLimit
    let answers = questions.map { (name: $0.name, value: $0.stored(input[$0.name] ?? .null, &steps)) }
    return try proceed(from: step, &state, environment) { given, resolution in
      // An answer to a question of the page that is not asked is not one.
      given.take(answers.filter { resolution?.isAsked($0.name) ?? true }, in: environment)
    }
  }

  /// Continues from a page of an item of a counted list.
  func proceed(
    fromItem step: JourneyStep, _ list: JourneyList, _ state: inout AppValue, _ input: Value,
    _ environment: SessionEnvironment
  ) throws -> [Command] {
    guard let item = step.item else { return [] }
    return try proceed(from: step, &state, environment) { given, resolution in
      var items = given.items(of: list)
      while items.count <= item { items.append(.emptyObject) }
      let asked = resolution?.asked(ofItem: item, of: list)
      items[item] = list.merged(input, of: step.itemPage, into: items[item], asked: asked)
      given.take([(list.name, .array(items))], in: environment)
    }
  }

  /// Continues from the page of a list.
  func proceed(
    fromList step: JourneyStep, _ list: JourneyList, _ state: inout AppValue, _ environment: SessionEnvironment
  ) throws -> [Command] {
    try proceed(from: step, &state, environment) { given, _ in
      if given[list.name] == nil { given.take([(list.name, .array([]))], in: environment) }
    }
  }

  /// - Parameter take: takes the answers; with the resolution of all that a page has, if some of them may not be asked.
  private func proceed(
    from step: JourneyStep, _ state: inout AppValue, _ environment: SessionEnvironment,
    _ take: (inout GivenAnswers, JourneyResolution?) -> Void
  ) throws -> [Command] {
    var before = given(in: state)
    if pagesWithoutQuestions.contains(step.page) { before.pass(pages[step.page].name) }
    var given = before
    take(&given, nil)
    let all = given
    var resolution = try resolution(of: given, in: state, environment)
    given = before
    take(&given, resolution)
    if given != all { resolution = try self.resolution(of: given, in: state, environment) }
    let failures = resolution.steps.first { $0.step == step }?.failures ?? []
    if !failures.isEmpty { throw RefusedAnswers(failures) }
    if let request = resolution.request(about: step) {
      let answers = pages[step.page].questions.map { (name: $0.name, value: given[$0.name] ?? .null) }
      return try verify(
        step.page, answers, isAll: false, request, replacing: before.pending, before, &state, environment)
    }
    return [goOn(after: step, given, resolution, &state, environment)]
  }

  /// Shows the check page, or else the first page that lacks a valid answer.
  func checkAnswers(_ state: inout AppValue, _ environment: SessionEnvironment) throws -> [Command] {
    let given = given(in: state)
    return [goOn(after: nil, given, try resolution(of: given, in: state, environment), &state, environment)]
  }

  /// Stores answers, and shows the page that comes next.
  ///
  /// - Parameter step: the page that people have answered; nil for the first page that lacks an answer.
  func goOn(
    after step: JourneyStep?, _ given: GivenAnswers, _ resolution: JourneyResolution, _ state: inout AppValue,
    _ environment: SessionEnvironment, leavingItems: Bool = false
  ) -> Command {
    let following = given.isChecked ? nil : step.map { resolution.step(after: $0) }
    store(given, resolution, in: &state, environment)
    return showing(following ?? resolution.next, resolution, leavingItems: leavingItems)
  }

  // MARK: Items of lists that people add to

  /// Continues from a page of an item. The last page stores the item.
  ///
  /// - Parameter draft: the answers of the pages before; nil on the first one of a stored item.
  func store(
    _ step: JourneyStep, _ list: JourneyList, draft: Value?, _ state: inout AppValue, _ input: Value,
    _ environment: SessionEnvironment
  ) throws -> [Command] {
    guard let index = step.item else { return [] }
    var given = given(in: state)
    var items = given.items(of: list)
    let known = draft ?? (index < items.count ? items[index] : .emptyObject)
    var resolution = try resolution(of: given, in: state, environment)
    let all = list.merged(input, of: step.itemPage, into: known, asked: nil)
    let resolved = try resolution.item(of: list, all, at: index, in: state.encoding, environment)
    let item = list.merged(input, of: step.itemPage, into: known, asked: resolved.asked)
    let pages = resolved.pages
    let failures = pages.first { $0.page == step.itemPage }?.failures ?? []
    if !failures.isEmpty { throw RefusedAnswers(failures) }
    if let next = pages.first(where: { $0.page > step.itemPage || !$0.failures.isEmpty }) {
      let following = JourneyStep(page: step.page, item: index, itemPage: next.page)
      return [
        arranging(resolution) { way in
          way.dropLast() + [place(of: step, draft: item), place(of: following, draft: item)]
        }
      ]
    }
    if index < items.count { items[index] = item } else { items.append(item) }
    given.take([(list.name, .array(items))], in: environment)
    resolution = try resolve(given, &state, environment)
    return [
      arranging(resolution) { [resolution] way in
        let left = Array(way.prefix { self.step(at: $0)?.item == nil || self.step(at: $0)?.page != step.page })
        if let top = left.last.flatMap({ self.step(at: $0) }), top == JourneyStep(page: step.page) { return left }
        let next = resolution.next
        return left.last.flatMap { self.step(at: $0) } == next ? left : left + [place(of: next)]
      }
    ]
  }

  /// Opens the first page of an item.
  ///
  /// - Parameter stored: the index of a stored item; nil for a new one.
  func open(
    _ page: Int, item stored: Int?, _ state: AppValue, _ environment: SessionEnvironment
  ) throws -> [Command] {
    guard let list = pages[page].list else { throw RefusedAnswers.noItem(stored ?? 0) }
    let given = given(in: state)
    let count = given.items(of: list).count
    let resolution = try resolution(of: given, in: state, environment)
    let index = stored ?? count
    let isNew = stored == nil && count < list.maximumCount && !list.isCounted
    guard index >= 0, index < count || isNew else { throw RefusedAnswers.noItem(index) }
    let step = JourneyStep(page: page, item: index)
    return [arranging(resolution) { $0 + [place(of: step, draft: isNew ? .emptyObject : nil)] }]
  }

  func remove(
    _ index: Int, of list: JourneyList, _ state: inout AppValue, _ environment: SessionEnvironment
  ) throws -> [Command] {
    var given = given(in: state)
    var items = given.items(of: list)
    guard items.indices.contains(index) else { throw RefusedAnswers.noItem(index) }
    items.remove(at: index)
    given.take([(list.name, .array(items))], in: environment)
    return [arranging(try resolve(given, &state, environment)) { $0 }]
  }

  // MARK: Events beside the journey

  /// Returns a coordinator with answers that commands have set, as if people had given them. Null takes an answer away.
  ///
  /// - Parameter isStart: whether the coordinator starts, so that an answer that was given stays.
  package func setting(
    _ answers: [(name: String, value: Value)], in coordinator: Value, isStart: Bool, _ environment: SessionEnvironment
  ) throws -> Value {
    var given = GivenAnswers(self, of: coordinator)
    var steps = Pattern.stepLimit
    let set = questions.compactMap { question -> (name: String, value: Value)? in
      guard !isStart || given[question.name] == nil else { return nil }
      return answers.first { $0.name == question.name }.map { (question.name, question.stored($0.value, &steps)) }
    }
    let pending = given.pending
    given.take(set, in: environment)
    given.pending = pending
    return given.stored(in: coordinator, try JourneyResolution(self, given, in: coordinator, environment))
  }

  /// Resolves the answers, and stores those that count.
  func resolve(_ state: inout AppValue, _ environment: SessionEnvironment) throws -> JourneyResolution {
    try resolve(given(in: state), &state, environment)
  }

  func resolve(
    _ given: GivenAnswers, _ state: inout AppValue, _ environment: SessionEnvironment
  ) throws -> JourneyResolution {
    let resolution = try resolution(of: given, in: state, environment)
    store(given, resolution, in: &state, environment)
    return resolution
  }

  /// Lets every handler of the coordinator end with the answers that count then, and with the pages that are asked.
  func settle(_ coordinator: inout CoordinatorDefinition) {
    let (start, carried) = (coordinator.start, coordinator.carried)
    coordinator = coordinator.starting { state, environment in
      let commands = try start(&state, environment)
      let resolution = try resolve(&state, environment)
      let first = tasks == nil ? resolution.steps.first?.step ?? resolution.check : .tasks
      return [arranging(resolution) { _ in [place(of: first)] }] + withAnswers(commands, of: state, before: state)
    }
    coordinator.handlers = coordinator.handlers.map { handler in
      HandlerDefinition(
        handler.key, obstacle: handler.obstacle, readsScreen: handler.readsScreen, handle: settled(handler.handle))
    }
    coordinator.outcomes = coordinator.outcomes.map { $0.settled(by: self) }
    coordinator.timedEvents = coordinator.timedEvents.map { EventHandler($0.definition, handle: settled($0.handle)) }
    coordinator.signals = coordinator.signals.map { EventHandler($0.definition, handle: settled($0.handle)) }
    coordinator.children = coordinator.children.map { child in
      ChildDefinition(
        child.name, define: child.define, finished: child.finished.map { settled($0) },
        cancelled: child.cancelled.map { settled($0) })
    }
    coordinator.carried = settled { try carried?(&$0, $1, $2) ?? [] }
    guard encoded != nil else { return }
    coordinator.guards = coordinator.guards.map { guarding in
      GuardDefinition(guarding.protected, passes: guarding.passes) { state, environment in
        let before = state
        let commands = try keepingAnswers(&state, environment) { try guarding.otherwise(&$0, environment) }
        return withAnswers(commands, of: state, before: before)
      }
    }
  }

  func settled<Argument>(
    _ reaction: @escaping @Sendable (inout AppValue, Argument, SessionEnvironment) throws -> [Command]
  ) -> @Sendable (inout AppValue, Argument, SessionEnvironment) throws -> [Command] {
    { state, value, environment in try settle(&state, environment) { try reaction(&$0, value, environment) } }
  }

  private func settled(_ reaction: @escaping Reaction) -> Reaction {
    { state, environment in try settle(&state, environment) { try reaction(&$0, environment) } }
  }

  func settle(
    _ state: inout AppValue, _ environment: SessionEnvironment, _ react: (inout AppValue) throws -> [Command]
  ) throws -> [Command] {
    let before = state
    let commands = try keepingAnswers(&state, environment, react)
    if commands.contains(where: \.endsOrRefuses) { return commands }
    let resolution = try resolve(&state, environment)
    return withAnswers(commands, of: state, before: before) + [arranging(resolution) { $0 }]
  }

  // MARK: Coordinators in Swift

  /// Runs a handler. One in Swift leaves a coordinator of its type, which lacks the answers that do not count, and may
  /// have other answers: these count as if people had given them.
  func keepingAnswers(
    _ state: inout AppValue, _ environment: SessionEnvironment, _ react: (inout AppValue) throws -> [Command]
  ) throws -> [Command] {
    let before = state
    let commands = try react(&state)
    guard let encoded, !state.isSame(as: before) else { return commands }
    let (old, new) = (try encoded(before), state.encoding)
    let names = questions.map(\.name)
    let ofJourney = [GivenAnswers.property] + names
    let others = new.members.filter { !ofJourney.contains($0.key) }.map { ($0.key, $0.value) }
    let kept = ofJourney.compactMap { name in before.encoding[name].map { (name, $0) } }
    let changes = names.map { (name: $0, value: new[$0] ?? .null) }.filter { $0.value != old[$0.name] ?? .null }
    state = AppValue(encoding: try setting(changes, in: .object(others + kept), isStart: false, environment))
    return commands
  }

  /// Returns the commands of a handler in Swift with the answers in the effects that take them. An effect to cancel may
  /// be one of those.
  ///
  /// - Parameter before: the coordinator before the handler, with the answers of an effect that is pending.
  private func withAnswers(_ commands: [Command], of state: AppValue, before: AppValue) -> [Command] {
    if encoded == nil { return commands }
    let coordinator = state.encoding
    var all: [Command] = []
    all.reserveCapacity(commands.count)
    for command in commands {
      switch command {
      case .performWithAnswers(let draft):
        let answers = Value.object(questions.map { ($0.name, coordinator[$0.name] ?? .null) })
        all.append(.perform(draft(answers), key: Self.requestKey(of: coordinator), compensation: nil))
      case .cancel(.effect, let name, key: nil):
        all += [command, .cancel(.effect, name, key: Self.requestKey(of: before.encoding))]
      default: all.append(command)
      }
    }
    return all
  }
}

extension OutcomeDefinition {
  fileprivate func settled(by journey: JourneyDefinition) -> OutcomeDefinition {
    let handlers = journey.verifying(done, failed: failed)
    return with(done: handlers.done, failed: handlers.failed)
  }
}

extension JourneyList {
  /// Returns an item with the answers of a page in place of its own. Its members have the order of the questions, so that
  /// the same answers are the same item.
  ///
  /// - Parameter asked: the asked questions of the item; nil for all. The answers to the others stay.
  fileprivate func merged(_ input: Value, of page: Int, into item: Value, asked: Set<String>?) -> Value {
    let answered = pages[page].questions.map(\.name).filter { asked?.contains($0) ?? true }
    var steps = Pattern.stepLimit
    return .object(
      questions.compactMap { question in
        let value =
          answered.contains(question.name)
          ? question.stored(input[question.name] ?? .null, &steps) : item[question.name] ?? .null
        return value.isNull ? nil : (question.name, value)
      })
  }

  var maximumCount: Int { if case .range(let range) = size { range.upperBound } else { Self.countLimit } }
}

/// The failures of answers, which a handler of a journey throws instead of going on.
struct RefusedAnswers: Error {
  let input: InvalidInput

  init(_ failures: [InvalidInput.Failure]) { input = InvalidInput(failures: failures) }

  /// The refusal of an input that names an item that does not exist.
  static func noItem(_ index: Int) -> RefusedAnswers {
    RefusedAnswers([.init(pointer: "/item", title: Text(.journeyItem), fault: .noItem(index))])
  }

  /// The refusal of an input that names a question or a section that is not asked.
  ///
  /// - Parameter title: that of the question or the section.
  static func notAsked(_ field: String, _ title: Text) -> RefusedAnswers {
    RefusedAnswers([.init(pointer: "/\(field)", title: title, fault: .notAsked)])
  }
}

extension Command {
  var endsOrRefuses: Bool {
    switch self {
    case .finish, .refuse: true
    default: false
    }
  }
}
