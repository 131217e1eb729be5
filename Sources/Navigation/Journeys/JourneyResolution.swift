internal import Values

/// A page of the way through a journey.
struct JourneyStep: Hashable {
  /// The index of the page; the number of pages for the check page, and -1 for the task list.
  let page: Int
  /// The index of the item; nil for a page of no item.
  var item: Int?
  /// The index of the page of the item.
  var itemPage = 0
  /// Whether the page waits for the answer of a backend.
  var isWaiting = false

  static let tasks = JourneyStep(page: -1)
}

/// The answers that count: asked and valid. Everything that a journey does next follows from them.
struct JourneyResolution {
  private let journey: JourneyDefinition
  /// By the indices of the questions: null without a valid answer; nil for a question that is not asked.
  private(set) var answers: [Value?]
  /// The asked pages in their order.
  private(set) var steps: [AskedPage] = []
  /// The requests about valid answers that no backend has accepted, by the indices of their pages.
  private var unverified: [Int: Draft] = [:]
  /// The index of the page whose answers a backend verifies now.
  private let pending: Int?
  /// The indices of the pages without questions that people have not passed.
  private let newPages: [Int]
  /// Whether the check page has been shown.
  private let isChecked: Bool
  /// The asked questions of each item of the asked lists, by the names of the lists.
  private var askedInItems: [String: [Set<String>]] = [:]
  /// The failures of the given answers to asked questions, by the names of the questions.
  private(set) var refused: [String: [InvalidInput.Failure]] = [:]
  /// The numbers of items of asked lists, by the names of the lists.
  private var counts: [String: Int] = [:]
  /// Whether the path ends at an exit.
  private(set) var hasExit = false

  /// An asked page with the failures of its answers.
  struct AskedPage {
    let step: JourneyStep
    let failures: [InvalidInput.Failure]
  }

  init(
    _ journey: JourneyDefinition, _ given: GivenAnswers, in coordinator: Value, _ environment: SessionEnvironment
  ) throws {
    self.journey = journey
    pending = given.pending.flatMap { pending in journey.pages.firstIndex { $0.name == pending.page } }
    newPages = journey.pagesWithoutQuestions.filter { !given.passed.contains(journey.pages[$0].name) }
    isChecked = given.isChecked
    answers = []
    var scope = ScopeBuilder(coordinator, journey.questions, environment)
    for (index, page) in journey.pages.enumerated() where !hasExit {
      guard try page.condition?(scope.scope) ?? true else { continue }
      switch page.kind {
      case .exit:
        hasExit = true
        steps.append(AskedPage(step: JourneyStep(page: index), failures: []))
      case .questions(let questions):
        let first = journey.firstQuestions[index]
        let answered = try scope.answer(questions) { given[first + $0] }
        guard !answered.isEmpty || questions.isEmpty else { continue }
        for answer in answered {
          scope.answers[first + answer.question] = answer.value
          if !answer.failures.isEmpty { refused[journey.questions.names[first + answer.question]] = answer.failures }
        }
        let failures = answered.flatMap(\.failures)
        steps.append(AskedPage(step: JourneyStep(page: index), failures: failures))
        if failures.isEmpty, let request = try page.verification?.request(scope.scope),
          try given.verified[page.name] != request.encoded().encoding
        {
          unverified[index] = request
        }
      case .list(let list):
        guard let pages = try steps(of: list, given, at: index, &scope) else { continue }
        steps += pages
      }
    }
    answers = scope.answers
  }

  func isAsked(_ question: String) -> Bool { journey.questions.positions[question].map { answers[$0] != nil } ?? false }

  /// Resolves a list. Returns its asked pages; nil if it is not asked.
  private mutating func steps(
    of list: JourneyList, _ given: GivenAnswers, at page: Int, _ scope: inout ScopeBuilder
  ) throws -> [AskedPage]? {
    var items = given.items(of: list)
    let givenCount = items.count
    let count: Int
    switch list.size {
    case .range: count = items.count
    case .exactly(let make):
      guard let exact = try make(scope.scope) else { return nil }
      count = min(max(0, exact), JourneyList.countLimit)
      items = Array(items.prefix(count)) + Array(repeating: .emptyObject, count: max(0, count - items.count))
    }
    counts[list.name] = count
    var values: [Value] = []
    var steps: [AskedPage] = []
    var (failures, ofGiven) = ([InvalidInput.Failure](), [InvalidInput.Failure]())
    for (index, item) in items.enumerated() {
      let resolved = try scope.item(of: list, item, number: index + 1, of: count)
      values.append(resolved.value)
      askedInItems[list.name, default: []].append(resolved.asked)
      failures += resolved.pages.flatMap { $0.failures.map { $0.inside("/\(list.name)/\(index)") } }
      if index + 1 == min(givenCount, items.count) { ofGiven = failures }
      steps += resolved.pages.map {
        AskedPage(step: JourneyStep(page: page, item: index, itemPage: $0.page), failures: $0.failures)
      }
    }
    let largest = if case .range(let range) = list.size { range.upperBound } else { count }
    if givenCount > largest { ofGiven.append(try list.failure(.maximumItems(largest), scope.scope)) }
    if !ofGiven.isEmpty { refused[list.name] = ofGiven }
    if case .range(let range) = list.size {
      if given[list.name] == nil || count < range.lowerBound {
        failures.append(try list.failure(.minimumItems(range.lowerBound), scope.scope))
      } else if count > range.upperBound {
        failures.append(try list.failure(.maximumItems(range.upperBound), scope.scope))
      }
      steps = [AskedPage(step: JourneyStep(page: page), failures: failures)]
    }
    let value = failures.isEmpty ? Value.array(values) : .null
    scope.set(list.name, value)
    return steps
  }

  /// Returns the asked questions of an item; nil for an item that is not asked.
  func asked(ofItem item: Int, of list: JourneyList) -> Set<String>? {
    guard let asked = askedInItems[list.name], asked.indices.contains(item) else { return nil }
    return asked[item]
  }

  /// The check page.
  var check: JourneyStep { JourneyStep(page: journey.pages.count) }

  /// Whether every asked question has a valid answer.
  var isComplete: Bool { steps.allSatisfy { !lacksAnswer($0) } }

  /// Returns whether people cannot pass a page yet: an answer is missing, not valid or not verified, or the page is an
  /// exit.
  func lacksAnswer(_ page: AskedPage) -> Bool {
    !page.failures.isEmpty || isExit(page.step) || unverified[page.step.page] != nil
  }

  /// Returns the request about the answers of a page; nil unless they are valid, and no backend has accepted them.
  func request(about step: JourneyStep) -> Draft? { unverified[step.page] }

  /// The first page that lacks a valid answer; nil if none does.
  var incomplete: JourneyStep? { steps.first { lacksAnswer($0) }?.step }

  /// The first page that lacks a valid answer; else, after the check page was shown, the first page without questions
  /// that people have not passed; else the check page.
  var next: JourneyStep {
    steps.first { lacksAnswer($0) || isChecked && isNew($0.step) }?.step ?? check
  }

  /// Returns whether a page has no questions, and people have not passed it.
  func isNew(_ step: JourneyStep) -> Bool { newPages.contains(step.page) }

  /// Returns the asked page after a page in the order, or else the ``next`` one. After the last page of a section comes
  /// the task list.
  func step(after step: JourneyStep) -> JourneyStep {
    let pages = pages(beside: step)
    let position = position(of: step)
    let following = steps.first { pages.contains($0.step.page) && self.position(of: $0.step) > position }?.step
    return following ?? (journey.tasks == nil ? next : .tasks)
  }

  /// Returns the asked pages before a page in the order; with sections, the task list and those of its section.
  func steps(before step: JourneyStep) -> [JourneyStep] {
    let pages = pages(beside: step)
    let position = position(of: step)
    let before = steps.map(\.step).filter { pages.contains($0.page) && self.position(of: $0) < position }
    return journey.tasks == nil || step == .tasks ? before : [.tasks] + before
  }

  /// Returns the indices of the pages in the section of a page; those of all pages without sections.
  private func pages(beside step: JourneyStep) -> Range<Int> {
    guard let tasks = journey.tasks else { return journey.pages.indices }
    return tasks.section(of: step.page)?.pages ?? 0..<0
  }

  /// Returns the number of a page on the path, as far as the path is known, and that of all pages with the check page.
  /// With sections, these are the numbers in the section.
  func number(of step: JourneyStep) -> (number: Int, count: Int) {
    let pages = pages(beside: step)
    let position = position(of: step)
    let count = steps.count { pages.contains($0.step.page) } + (hasExit || journey.tasks != nil ? 0 : 1)
    let before = steps.count { pages.contains($0.step.page) && self.position(of: $0.step) < position }
    return (min(before + 1, max(count, 1)), count)
  }

  /// The names of the questions of a section.
  func questions(of section: JourneyTasks.Section) -> [String] {
    journey.pages[section.pages].flatMap(\.questions).map(\.name)
  }

  /// Resolves an item outside of its list, with the valid answers of the journey.
  func item(
    of list: JourneyList, _ item: Value, at index: Int, in coordinator: Value, _ environment: SessionEnvironment
  ) throws -> ResolvedItem {
    var scope = ScopeBuilder(coordinator, nil, environment)
    return try scope.item(of: list, item, number: index + 1, of: max(counts[list.name] ?? 0, index + 1))
  }

  /// Resolves the items of a list as they were given; of a counted list, those that count.
  func items(
    of list: JourneyList, _ given: GivenAnswers, in coordinator: Value, _ environment: SessionEnvironment
  ) throws -> Value {
    let count = list.isCounted ? counts[list.name] ?? 0 : Int.max
    return .array(
      try given.items(of: list).prefix(count).enumerated().map { index, item in
        try self.item(of: list, item, at: index, in: coordinator, environment).numbered
      })
  }

  /// Returns whether a page is asked.
  func asks(_ page: Int) -> Bool { steps.contains { $0.step.page == page } }

  private func position(of step: JourneyStep) -> (Int, Int, Int) { (step.page, step.item ?? -1, step.itemPage) }

  func isExit(_ step: JourneyStep) -> Bool {
    if case .exit = journey.pages[step.page].kind { true } else { false }
  }

  /// Returns whether a page may be shown: the task list, an asked one, a page of an item of an asked list, or the check
  /// page of a complete path.
  func isShown(_ step: JourneyStep) -> Bool {
    if step == check { return isComplete }
    if step.isWaiting, step.page != pending { return false }
    if step == .tasks { return journey.tasks != nil }
    guard asks(step.page) else { return false }
    let isAdded = journey.pages[step.page].list?.isCounted == false && step.item != nil
    return isAdded || step.isWaiting || steps.contains { $0.step == step }
  }

  /// Returns the user's way after a step of the session: without pages that are not asked any more.
  ///
  /// The page before each page stays if it is asked, and otherwise the asked pages before in the order take its place.
  /// The task list is the first page.
  func way(_ way: [JourneyStep]) -> [JourneyStep] {
    guard let top = way.last else { return [] }
    guard isShown(top) else { return steps(before: next) + [next] }
    var kept = [top]
    for step in way.dropLast().reversed() {
      guard isShown(step) else { return steps(before: kept[0]) + kept }
      kept.insert(step, at: 0)
    }
    return journey.tasks == nil || kept[0] == .tasks ? kept : [.tasks] + kept
  }
}

/// An item of a list with the answers that count.
struct ResolvedItem {
  /// The valid answers, as they are sent.
  let value: Value
  /// The valid answers, with the number of the item and that of all items.
  let numbered: Value
  /// The names of the asked questions.
  let asked: Set<String>
  /// The asked pages with the failures of their answers.
  let pages: [(page: Int, failures: [InvalidInput.Failure])]
}

/// The values for the code of a journey while its answers are resolved, one after the other.
private struct ScopeBuilder {
  private let coordinator: Value
  /// Nil if the coordinator has the answers.
  private let questions: JourneyQuestions?
  /// By the indices of the questions: null without a valid answer; nil for a question that is not asked.
  var answers: [Value?] { didSet { made = nil } }
  private var item: [(String, Value)]?
  private let environment: SessionEnvironment
  /// The members of the coordinator besides the answers; nil until code reads them.
  private var others: [(String, Value)]?
  /// The values with the answers so far; nil after a change.
  private var made: JourneyScope?
  private var patternSteps = Pattern.stepLimit

  init(_ coordinator: Value, _ questions: JourneyQuestions?, _ environment: SessionEnvironment) {
    (self.coordinator, self.questions, self.environment) = (coordinator, questions, environment)
    answers = Array(repeating: nil, count: questions?.count ?? 0)
  }

  var scope: JourneyScope {
    mutating get {
      if let made { return made }
      let scope = JourneyScope(values: values(), item: item.map { .object($0) }, environment: environment)
      made = scope
      return scope
    }
  }

  private mutating func values() -> Value {
    guard let questions else { return coordinator }
    let others = others ?? questions.others(in: coordinator)
    self.others = others
    return .object(others + zip(questions.names, answers).map { ($0, $1 ?? .null) })
  }

  /// Sets an answer of the item, if there is one, and otherwise of the journey.
  mutating func set(_ name: String, _ value: Value) {
    if let index = item?.firstIndex(where: { $0.0 == name }) {
      item?[index].1 = value
      made = nil
    } else if let index = questions?.positions[name] {
      answers[index] = value
    }
  }

  /// The answer to an asked question of a page.
  struct Answer {
    /// The index of the question on the page.
    let question: Int
    /// Null for an answer that is not valid.
    let value: Value
    let failures: [InvalidInput.Failure]
  }

  /// Resolves the questions of a page that are asked, and sets their answers.
  ///
  /// - Parameter given: returns the answer that was given to a question of the page, by its index there.
  mutating func answer(_ questions: [JourneyQuestion], _ given: (Int) -> Value?) throws -> [Answer] {
    var answered: [Answer] = []
    for (index, question) in questions.enumerated() {
      guard case .field(var field) = question.subject, try question.condition?(scope) ?? true else { continue }
      if let title = question.title { field = field.titled(try title(scope)) }
      for limit in question.limits {
        if let kind = try limit.make(scope) { field = field.limited(by: kind) }
      }
      var failures: [InvalidInput.Failure] = []
      let cleaned = given(index).map { field.kind.cleaned($0) }
      field.check(cleaned, &patternSteps, into: &failures)
      var value = Value.null
      if failures.isEmpty {
        value = cleaned.map { field.kind.stored($0) } ?? field.absentValue
        set(question.name, value)
        for refusal in question.refusals where try !value.isNull && refusal.isRefused(scope) {
          failures.append(field.failure(.refused(try refusal.sentence(scope)), of: value))
        }
        if !failures.isEmpty {
          value = .null
          set(question.name, value)
        }
      }
      answered.append(Answer(question: index, value: value, failures: failures))
    }
    return answered
  }

  /// Resolves an item. Returns its valid answers, and its asked pages with the failures of their answers.
  mutating func item(
    of list: JourneyList, _ given: Value, number: Int, of count: Int
  ) throws -> ResolvedItem {
    let questions = list.questions
    item = questions.map { ($0.name, .null) } + [("number", Value(number)), ("count", Value(count))]
    made = nil
    defer {
      item = nil
      made = nil
    }
    var pages: [(Int, [InvalidInput.Failure])] = []
    var asked: Set<String> = []
    for (index, page) in list.pages.enumerated() {
      let names = page.questions.map(\.name)
      let answered = try answer(page.questions) { given[names[$0]].flatMap { $0.isNull ? nil : $0 } }
      asked.formUnion(answered.map { names[$0.question] })
      if !answered.isEmpty { pages.append((index, answered.flatMap(\.failures))) }
    }
    let members = item ?? []
    return ResolvedItem(
      value: .object(Array(members.prefix(questions.count))), numbered: .object(members), asked: asked,
      pages: pages)
  }
}

extension JourneyList {
  /// Returns the failure of a number of items.
  fileprivate func failure(_ limit: FieldLimit, _ scope: JourneyScope) throws -> InvalidInput.Failure {
    let own = if case .minimumItems = limit { sentences.tooFew } else { sentences.tooMany }
    return InvalidInput.Failure(
      pointer: "/\(name)", title: label, fault: .outside(limit), ownSentence: try own?(scope))
  }
}

extension InvalidInput.Failure {
  /// Returns the failure of a member that is not a question. The title has only the first characters of a long name,
  /// and the pointer is the path alone.
  static func unknown(_ name: String, in path: String) -> InvalidInput.Failure {
    // A response has the name in several places, and a pointer with a part of the name would name no member.
    let isLong = name.utf8.count > 64
    let title = isLong ? String(name.unicodeScalars.prefix(40)) + "…" : name
    return InvalidInput.Failure(
      pointer: isLong ? path : JSONPointer.adding(name, to: path), title: Text(title), fault: .unknown)
  }

  /// Returns the failure of a value in another one.
  fileprivate func inside(_ path: String) -> InvalidInput.Failure {
    InvalidInput.Failure(pointer: path + pointer, title: title, fault: fault, ownSentence: ownSentence)
  }
}
