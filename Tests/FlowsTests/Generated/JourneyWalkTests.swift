import Flows
import TestSupport
import Testing
import UsherTesting
import Values

@testable import Navigation

/// Properties of random walks through generated journeys:
///
/// - the answers of the session are those of a model of the rules, and no page is shown that they do not ask,
/// - a page is refused for the answers that the model refuses, and changes nothing then,
/// - answers at once have no error of an answer that another error decides about,
/// - Continue, Change and Back lead to the pages of the rules, and no item is lost or doubled,
/// - a page without questions that is newly asked after the check page comes once,
/// - the check page, the task list and the request have what the model has, and Back shows what was answered,
/// - all of this holds by the rules of the next version once the session has moved to it,
/// - the same answers in one request make the same session.
@Suite struct JourneyWalkTests {
  private static let stepsPerJourney = 400

  @Test(arguments: 0..<max(1, RandomWalks.steps / stepsPerJourney))
  func `the pages of a generated journey follow from its answers`(number: Int) throws {
    let seed = RandomWalks.seed &+ UInt64(number)
    var walk = try JourneyWalk(seed: seed)
    do {
      try walk.run(Self.stepsPerJourney)
    } catch {
      let trace = walk.trace.joined(separator: "\n")
      Issue.record("WALK_SEED=\(seed) WALK_STEPS=1: \(error)\n\(trace)\n\(walk.text)")
    }
  }

  @Test func `the walks reach each change of a version, each status of a section, and each case of the rules`() throws {
    var reached: [String: Int] = [:]
    for seed in UInt64(1)...40 {
      var walk = try JourneyWalk(seed: seed)
      try walk.run(200)
      reached.merge(walk.reached) { $0 + $1 }
    }
    let cases = GeneratedJourney.Change.allCases.map(\.rawValue) + JourneyWalk.Case.allCases.map(\.rawValue)
    for name in cases { #expect(reached[name] != nil, "\(name) is missing in \(reached)") }
  }
}

/// A random walk through one generated journey.
private struct JourneyWalk {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// A case that the walks have to reach.
  enum Case: String, CaseIterable {
    case stayOnMissingPage, moveOffPage, moveAtCheckPage, moveAtTaskList, moveAtList, moveAtItem, moveLosesAnswer
    case moveMakesTooManyItems, newPageAfterMove
    case backAfterMove, changeAfterMove, sentAfterMove
    case newPageWithoutQuestions
    case notStarted = "Not started"
    case inProgress = "In progress"
    case completed = "Completed"
    case checkPageFromTaskList
  }

  private struct Version {
    let journey: GeneratedJourney
    let app: AppDefinition
    /// The changes since the version before.
    let changes: [GeneratedJourney.Change]
  }

  /// The steps of the session under way.
  private(set) var trace: [String] = []
  /// The number of times that each case and each change was reached.
  private(set) var reached: [String: Int] = [:]
  private let versions: [Version]
  /// The index of the version of the session.
  private var version = 0
  private var random: Seeded
  private var session: TestSession
  /// The answers as they were given.
  private var given: [String: Value] = [:]
  private var isChecked = false
  /// The pages without questions that were passed, or asked when the check page was shown first.
  private var passed: Set<String> = []
  private static let length = 40

  init(seed: UInt64) throws {
    var random = Seeded(state: seed)
    var journey = GeneratedJourney(&random)
    var versions = [Version(journey: journey, app: try FlowFolder.app(journey.flow), changes: [])]
    for number in 0..<2 {
      // The seeds that follow each other try all kinds of changes in turn.
      let next = journey.next(from: Int(seed % 1000) * 2 + number, &random)
      journey = next.journey
      versions.append(Version(journey: journey, app: try FlowFolder.app(journey.flow), changes: next.changes))
    }
    (self.random, self.versions) = (random, versions)
    session = try TestSession(versions[0].app)
  }

  mutating func run(_ steps: Int) throws {
    for _ in 0..<(steps / Self.length) {
      (trace, given, isChecked, passed, version) = ([], [:], false, [], 0)
      session = try TestSession(app)
      try checkState()
      for _ in 0..<Self.length where visible != "sent" {
        try step()
        if visible != "sent" { try checkState() }
      }
      try checkAllAtOnce()
    }
  }

  /// The flows of all versions.
  var text: String { versions.map(\.journey.flow).joined(separator: "\n") }

  private var journey: GeneratedJourney { versions[version].journey }
  private var app: AppDefinition { versions[version].app }
  private var visible: String { session.view.screen.name }
  private var model: ModelledAnswers { ModelledAnswers(journey, given) }
  /// The page to which Continue leads once the check page has been shown, and all answers at once.
  private var next: String { model.next(isChecked ? passed : nil) }
  private var page: GeneratedJourney.Page? {
    journey.pages.first { $0.name == visible.split(separator: "-")[0] }
  }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func note(_ name: Case, if isReached: Bool = true) {
    if isReached { reached[name.rawValue, default: 0] += 1 }
  }

  private mutating func step() throws {
    // A walk is seldom on these pages.
    let isRare = visible == "check" || visible.hasSuffix("-2")
    if version + 1 < versions.count, chance(isRare ? 4 : 16) { return try move() }
    if chance(6), session.view.back != nil { return try goBack() }
    if chance(8) { return try answerAtOnce() }
    if visible == "check" { return try leaveCheckPage() }
    if visible == "tasks" { return try leaveTaskList() }
    guard let page else { throw Failure(description: visible) }
    if page.isExit { return }
    guard let list = page.list, case .list(let pages, let limits) = list.kind else { return try answer(page) }
    if visible == page.name {
      try leaveListPage(page, list, limits)
    } else {
      try answerItem(page, list, pages)
    }
  }

  // MARK: Steps

  /// Moves the session to the next version, unless that lacks a page of the stack.
  private mutating func move() throws {
    let (next, before, old) = (versions[version + 1], session.names, model)
    let isKnown = next.journey.screens.isSuperset(of: before)
    trace.append("\(visible): move to version \(version + 2)")
    do {
      try session.move(to: next.app)
    } catch let error as PackingError {
      note(.stayOnMissingPage)
      return try expect(!isKnown, "\(before) stays: \(error)")
    }
    try expect(isKnown, "\(before) moves to a version that lacks one of the pages")
    version += 1
    given = given.filter { name, _ in journey.questions.contains { $0.name == name } }
    let new = model
    let top = before.last ?? ""
    let expected = isShown(top, new) ? top : self.next
    try expect(visible == expected, "The move leads from \(top) to \(visible), and not to \(expected)")
    for change in next.changes { reached[change.rawValue, default: 0] += 1 }
    note(.moveOffPage, if: visible != top)
    note(.moveAtCheckPage, if: top == "check")
    note(.moveAtTaskList, if: top == "tasks")
    note(.moveAtList, if: page?.list != nil && visible == page?.name)
    note(.moveAtItem, if: visible.contains("-item"))
    note(.moveLosesAnswer, if: given.keys.contains { old.answers[$0] != nil && new.answers[$0] == nil })
    let tooMany = journey.questions.contains { question in
      guard case .list(_, let limits) = question.kind else { return false }
      return (given[question.name] ?? .null).items.count > limits.upperBound
    }
    note(.moveMakesTooManyItems, if: tooMany)
    note(.newPageAfterMove, if: top == "check" && visible != "check")
  }

  private mutating func goBack() throws {
    let before = session.names
    trace.append("back")
    try session.back()
    try expect(session.names == Array(before.dropLast()), "Back leads from \(before) to \(session.names)")
    try checkForm()
    note(.backAfterMove, if: version > 0)
  }

  private mutating func leaveTaskList() throws {
    let model = model
    if model.isComplete, chance(2) {
      try act("continue", .emptyObject)
      note(.checkPageFromTaskList, if: visible == "check")
      return try expectNext(after: "Continue on the task list")
    }
    guard let section = model.sections.randomElement(using: &random) else { return }
    let expected =
      section.pages.first { $0.isOpen || $0.page.isOnlyRead && !passed.contains($0.page.name) } ?? section.pages[0]
    try act("open", ["section": Value("s\(section.number)")])
    try expect(visible == expected.page.name, "The section opens \(visible), and not \(expected.page.name)")
  }

  private mutating func answer(_ page: GeneratedJourney.Page) throws {
    let input = inputs(of: page.questions)
    var all = given
    for question in page.questions { all[question.name] = input[question.name] }
    let resolved = ModelledAnswers(journey, all)
    let faulty = resolved.pages.first { $0.page.name == page.name }?.faulty ?? []
    let before = session.names
    guard try isAccepted("continue", input, unless: faulty) else { return }
    if page.isOnlyRead { passed.insert(page.name) }
    for question in page.questions where resolved.asked.contains(question.name) {
      given[question.name] = input[question.name]
    }
    try expectContinued(from: page.name)
    // A page that is over the check page already is shown again.
    if let check = before.lastIndex(of: "check"), visible != "check", !before[check...].contains(visible) {
      try expect(
        session.names.suffix(2) == [page.name, visible],
        "Back after a change of \(page.name) leads along \(session.names)")
    }
  }

  private mutating func leaveListPage(
    _ page: GeneratedJourney.Page, _ list: GeneratedJourney.Question, _ limits: ClosedRange<Int>
  ) throws {
    var items = given[list.name]?.items ?? []
    let canAdd = session.view.actions.contains { $0.definition.name == "add" }
    try expect(canAdd == (items.count < limits.upperBound), "\(items.count) items, and add: \(canAdd)")
    for action in ["change", "remove"] {
      let isOffered = session.view.actions.contains { $0.definition.name == action }
      try expect(isOffered == !items.isEmpty, "\(items.count) items, and \(action): \(isOffered)")
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1:
      guard canAdd else { return }
      try act("add", .emptyObject)
      try expect(visible == "\(page.name)-item", "add leads to \(visible)")
    case 2:
      guard let item = items.indices.randomElement(using: &random) else { return }
      try act("change", ["item": Value(item)])
      try expect(visible == "\(page.name)-item", "change leads to \(visible)")
    case 3:
      guard let item = items.indices.randomElement(using: &random) else { return }
      items.remove(at: item)
      try act("remove", ["item": Value(item)])
      given[list.name] = .array(items)
      try expect(visible == page.name, "remove leads to \(visible)")
    default:
      let faulty = list.valid(.array(items), model.answers) == nil ? [list.name] : []
      guard try isAccepted("continue", .emptyObject, unless: faulty) else { return }
      if given[list.name] == nil { given[list.name] = .array([]) }
      try expectContinued(from: page.name)
    }
  }

  private mutating func answerItem(
    _ page: GeneratedJourney.Page, _ list: GeneratedJourney.Question, _ pages: [[GeneratedJourney.Question]]
  ) throws {
    let (position, known) = try item(of: list)
    let number = visible == page.itemScreen(0) ? 0 : 1
    let input = inputs(of: pages[number])
    func merged(_ asked: [String]?) -> Value {
      let names = pages[number].map(\.name).filter { asked?.contains($0) ?? true }
      let others = known.members.filter { !names.contains($0.key) }.map { ($0.key, $0.value) }
      return .object(others + names.compactMap { name in input[name].map { (name, $0) } })
    }
    let resolved = pages.resolved(item: merged(nil))
    let answered = merged(resolved.asked)
    guard try isAccepted("continue", input, unless: resolved.faulty.filter { pages[number].map(\.name).contains($0) })
    else { return }
    let following = pages.indices.first { index in
      let required = index > number ? resolved.asked : resolved.faulty
      return pages[index].contains { required.contains($0.name) }
    }
    if let following {
      return try expect(visible == page.itemScreen(following), "The page \(number) of an item leads to \(visible)")
    }
    var items = given[list.name]?.items ?? []
    if position < items.count { items[position] = answered } else { items.append(answered) }
    given[list.name] = .array(items)
    if visible != page.name { try expectNext(after: "An item of \(page.name)") }
  }

  /// Returns the index of the item of the visible page, and its answers.
  private func item(of list: GeneratedJourney.Question) throws -> (position: Int, answers: Value) {
    let items = given[list.name]?.items ?? []
    guard case .screen(_, let value)? = session.view.stack.last?.content, let index = value.encoding["item"]?.int else {
      throw Failure(description: "A page of an item without its number: \(visible)")
    }
    let position = Int(index)
    return (position, value.encoding["draft"] ?? (position < items.count ? items[position] : .emptyObject))
  }

  private mutating func leaveCheckPage() throws {
    guard !chance(5) else { return try send() }
    note(.changeAfterMove, if: version > 0)
    guard let name = model.asked.randomElement(using: &random) else { return }
    let page = journey.pages.first { page in page.questions.contains { $0.name == name } }?.name ?? ""
    let count = given[name].map { $0.kind == .array ? $0.items.count : 0 } ?? 0
    if name.hasPrefix("l"), count > 0, Bool.random(using: &random) {
      try act("change", ["question": Value(name), "item": Value(Int.random(in: 0..<count, using: &random))])
      try expect(visible == "\(page)-item", "The change of an item leads to \(visible)")
    } else {
      try act("change", ["question": Value(name)])
      try expect(visible == page, "The change of \(name) leads to \(visible)")
    }
  }

  /// Sends the answers. The request has those that count, and null for each other question.
  private mutating func send() throws {
    try act("submit", .emptyObject)
    try expect(visible == "sent", "The check page sends to \(visible)")
    let request = session.state.work.compactMap(\.effect).first?.input["with"] ?? .null
    let (model, sent) = (model, request.members.map(\.key))
    try expect(sent.sorted() == journey.questions.map(\.name).sorted(), "\(sent) are sent")
    for question in journey.questions {
      let found = normalized(request[question.name] ?? .null, of: question)
      let expected = normalized(model.answers[question.name] ?? .null, of: question)
      try expect(found == expected, "\(question.name) is sent as \(found), and not as \(expected)")
    }
    note(.sentAfterMove, if: version > 0)
  }

  private mutating func answerAtOnce() throws {
    var members: [(String, Value)] = []
    for question in journey.questions where chance(2) {
      if let value = input(of: question) { members.append((question.name, value)) }
    }
    if chance(8) { members.append(("z", 1)) }
    let input = Value.object(members)
    let all = given.merging(members.map { ($0.0, $0.1) }) { $1 }
    let resolved = ModelledAnswers(journey, all)
    let faulty = members.map(\.0).filter { name in
      guard let question = journey.questions.first(where: { $0.name == name }), resolved.asked.contains(name) else {
        return true
      }
      guard case .list(let pages, let limits) = question.kind, let items = input[name]?.items else {
        return question.valid(input[name], resolved.answers) == nil
      }
      return items.count > limits.upperBound
        || items.contains { item in
          let (_, asked, faulty) = pages.resolved(item: item)
          return !faulty.isEmpty || !item.members.allSatisfy { asked.contains($0.key) }
        }
    }
    guard try isAccepted("answers", input, unless: faulty) else { return }
    given = all
    try expectNext(after: "All at once")
  }

  private mutating func expectContinued(from page: String) throws {
    if isChecked { return try expectNext(after: "Continue on \(page)") }
    let expected = model.page(after: page, of: journey)
    try expect(visible == expected, "Continue leads from \(page) to \(visible), and not to \(expected)")
  }

  /// Requires that the page is visible which lacks an answer or is new, or else the check page.
  private mutating func expectNext(after step: String) throws {
    let next = next
    try expect(visible == next, "\(step) leads to \(visible), and not to \(next)")
    note(.newPageWithoutQuestions, if: isChecked && page?.isOnlyRead == true)
  }

  // MARK: Inputs

  private mutating func inputs(of questions: [GeneratedJourney.Question]) -> Value {
    var members: [(String, Value)] = []
    for question in questions {
      if let value = input(of: question) { members.append((question.name, value)) }
    }
    return .object(members)
  }

  /// Returns an answer, which may not be valid; nil for none.
  private mutating func input(of question: GeneratedJourney.Question) -> Value? {
    switch question.kind {
    case .yesNo: return ["yes", "yes", "yes", "no", "no", "no", "maybe", nil].randomElement(using: &random)!
    case .number: return chance(12) ? nil : Value(Int.random(in: 0...10, using: &random))
    case .note: return ["a", "ab", "abcd", nil].randomElement(using: &random)!
    case .several: return [[], ["a"], ["b"], ["a", "b"], nil].randomElement(using: &random)!
    case .list(let pages, _):
      let count = Int.random(in: 0...4, using: &random)
      return .array((0..<count).map { _ in inputs(of: pages.flatMap { $0 }) })
    }
  }

  // MARK: Expectations

  private mutating func act(_ action: String, _ input: Value) throws {
    trace.append("\(visible): \(action) \(input)")
    try session.act(action, input)
  }

  /// Performs an action. Returns false if it is refused for answers to these questions, as it should be.
  private mutating func isAccepted(_ action: String, _ input: Value, unless faulty: [String]) throws -> Bool {
    let before = session.state
    do {
      try act(action, input)
    } catch .invalidInput(let invalid) as Rejection {
      let found = invalid.failures.map { $0.pointer.split(separator: "/").first.map { String($0) } ?? "" }
      try expect(Set(found) == Set(faulty), "\(found) are refused, and not \(faulty)")
      try expect(session.state == before, "A refused step changes the session")
      return false
    }
    try expect(faulty.isEmpty, "\(faulty) are accepted")
    return true
  }

  private func expect(_ isTrue: Bool, _ description: @autoclosure () -> String) throws {
    if !isTrue { throw Failure(description: description()) }
  }

  /// Returns whether a page may be on the stack.
  private func isShown(_ name: String, _ model: ModelledAnswers) -> Bool {
    switch name {
    case "check": return model.isComplete
    case "tasks": return journey.hasTasks
    default:
      let page = name.split(separator: "-")[0]
      return model.pages.contains { $0.page.name == page }
    }
  }

  /// Requires that the session has the answers of the model, and shows pages that they ask.
  private mutating func checkState() throws {
    let (model, state) = (model, session.state.nodes[0].state.encoding)
    for question in journey.questions {
      let (found, expected) = (state[question.name] ?? .null, model.answers[question.name] ?? .null)
      try expect(found == expected, "\(question.name) is \(found), and not \(expected)")
      let other = state["journey"]?["kept"]?[question.name]
      let kept = normalized(other ?? found, of: question)
      let wanted = normalized(given[question.name] ?? .null, of: question)
      try expect(kept == wanted, "\(question.name) was given as \(kept), and not \(wanted)")
      try expect(other == nil || kept != normalized(found, of: question), "\(question.name) is stored twice")
    }
    let known = journey.questions.map(\.name) + ["journey"]
    try expect(state.members.allSatisfy { known.contains($0.key) }, "The coordinator is \(state)")
    let names = session.names
    for name in names { try expect(isShown(name, model), "\(name) is on the stack, and not asked") }
    try expect((names.first == "tasks") == journey.hasTasks, "The stack is \(names)")
    if visible == "check", !isChecked {
      isChecked = true
      passed.formUnion(model.pages.map(\.page).filter(\.isOnlyRead).map(\.name))
    }
    try checkRows(model)
  }

  /// Requires that the check page and the task list have the rows of the model.
  private mutating func checkRows(_ model: ModelledAnswers) throws {
    let rows = session.view.content.answers
    if visible == "check" {
      let (labels, expected) = (rows.map(\.label.string), model.labels(of: journey))
      try expect(labels == expected, "The check page has \(labels), and not \(expected)")
    } else if visible == "tasks" {
      let (statuses, expected) = (rows.map { "\($0.label.string): \($0.value.string)" }, model.tasks(given))
      try expect(
        statuses == expected.map { "\($0.name): \($0.status)" }, "The tasks are \(statuses), and not \(expected)")
      for task in expected { reached[task.status, default: 0] += 1 }
      let canContinue = session.view.actions.contains { $0.definition.name == "continue" }
      try expect(canContinue == model.isComplete, "Not completed, and continue: \(canContinue)")
    }
  }

  /// Requires that the form of the visible page begins with the answers that count.
  private func checkForm() throws {
    guard let form = session.view.input(of: "continue"), let page else { return }
    var questions = page.questions
    var answers = Value.object(model.answers.map { ($0.key, $0.value) })
    if let list = page.list, case .list(let pages, _) = list.kind {
      guard visible != page.name else { return }
      questions = pages[visible == page.itemScreen(0) ? 0 : 1]
      answers = pages.resolved(item: try item(of: list).answers).value
    }
    for question in questions {
      guard let answer = answers[question.name], !answer.isNull else { continue }
      let initial = form.fields.first { $0.name == question.name }?.initial
      try expect(initial == answer, "\(question.name) begins with \(initial ?? .null), and not with \(answer)")
    }
  }

  /// Returns an answer without the null members of items.
  private func normalized(_ value: Value, of question: GeneratedJourney.Question) -> Value {
    guard case .list = question.kind, value.kind == .array else { return value }
    return .array(
      value.items.map { item in
        guard item.kind == .map else { return item }
        let members = item.members.filter { !$0.value.isNull }
        return .object(members.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 })
      })
  }

  /// Requires that the answers that count make the same session in one request.
  private mutating func checkAllAtOnce() throws {
    // Without the answers that this version refuses.
    let counting = model.answers.filter { !$0.value.isNull }
    let model = ModelledAnswers(journey, counting)
    var other = try TestSession(app)
    let answers = counting.sorted { $0.key < $1.key }
    trace.append("a new session: answers \(Value.object(answers.map { ($0.key, $0.value) }))")
    try other.act("answers", .object(answers.map { ($0.key, $0.value) }))
    let next = model.next(nil)
    try expect(other.view.screen.name == next, "A new session is at \(other.view.screen.name), not \(next)")
    let state = other.state.nodes[0].state.encoding
    for question in journey.questions {
      let (found, expected) = (state[question.name] ?? .null, model.answers[question.name] ?? .null)
      try expect(found == expected, "In a new session \(question.name) is \(found), and not \(expected)")
    }
  }
}
