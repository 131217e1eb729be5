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
/// - Continue, Change and Back lead to the pages of the rules, and no item is lost or doubled,
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
      Issue.record("WALK_SEED=\(seed) WALK_STEPS=1: \(error)\n\(trace)\n\(walk.journey.flow)")
    }
  }
}

/// A random walk through one generated journey.
private struct JourneyWalk {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let journey: GeneratedJourney
  /// The steps of the session under way.
  private(set) var trace: [String] = []
  private let app: AppDefinition
  private var random: Seeded
  private var session: TestSession
  /// The answers as they were given.
  private var given: [String: Value] = [:]
  private var isChecked = false
  /// The pages without questions that were passed, or asked when the check page was shown.
  private var passed: Set<String> = []
  private static let length = 40

  init(seed: UInt64) throws {
    random = Seeded(state: seed)
    let journey = GeneratedJourney(&random)
    self.journey = journey
    app = try FlowFolder.app(journey.flow)
    session = try TestSession(app)
  }

  mutating func run(_ steps: Int) throws {
    for _ in 0..<(steps / Self.length) {
      (trace, given, isChecked, passed) = ([], [:], false, [])
      session = try TestSession(app)
      try checkState()
      for _ in 0..<Self.length where visible != "sent" {
        try step()
        if visible != "sent" { try checkState() }
      }
      try checkAllAtOnce()
    }
  }

  private var visible: String { session.view.screen.name }
  private var names: [String] { session.view.stack.map { app.screens[$0.screen ?? 0].name } }
  private var model: ModelledAnswers { ModelledAnswers(journey, given) }
  /// The page to which Continue leads once the check page has been shown, and all answers at once.
  private var next: String { model.next(isChecked ? passed : nil) }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func step() throws {
    if chance(6), session.view.back != nil { return try goBack() }
    if chance(8) { return try answerAtOnce() }
    if visible == "check" { return try leaveCheckPage() }
    let name = visible.split(separator: "-")[0]
    guard let page = journey.pages.first(where: { $0.name == name }) else { throw Failure(description: visible) }
    if page.isExit { return }
    guard let list = page.list, case .list(let pages, let minimum) = list.kind else { return try answer(page) }
    if visible == page.name {
      try leaveListPage(page, list, minimum)
    } else {
      try answerItem(page, list, pages)
    }
  }

  // MARK: Steps

  private mutating func goBack() throws {
    let before = names
    trace.append("back")
    try session.back()
    try expect(names == Array(before.dropLast()), "Back leads from \(before) to \(names)")
  }

  private mutating func answer(_ page: GeneratedJourney.Page) throws {
    let input = inputs(of: page.questions)
    var all = given
    for question in page.questions { all[question.name] = input[question.name] }
    let resolved = ModelledAnswers(journey, all)
    let faulty = resolved.pages.first { $0.page.name == page.name }?.faulty ?? []
    guard try isAccepted("continue", input, unless: faulty) else { return }
    if page.questions.isEmpty { passed.insert(page.name) }
    for question in page.questions where resolved.asked.contains(question.name) {
      given[question.name] = input[question.name]
    }
    try expectContinued(from: page.name)
  }

  private mutating func leaveListPage(
    _ page: GeneratedJourney.Page, _ list: GeneratedJourney.Question, _ minimum: Int
  ) throws {
    var items = given[list.name]?.items ?? []
    let canAdd = session.view.actions.contains { $0.definition.name == "add" }
    try expect(canAdd == (items.count < GeneratedJourney.maximumItems), "\(items.count) items, and add: \(canAdd)")
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
      let resolved = (given[list.name] ?? .array([])).items.count
      let faulty = resolved < minimum ? [list.name] : []
      guard try isAccepted("continue", .emptyObject, unless: faulty) else { return }
      if given[list.name] == nil { given[list.name] = .array([]) }
      try expectContinued(from: page.name)
    }
  }

  private mutating func answerItem(
    _ page: GeneratedJourney.Page, _ list: GeneratedJourney.Question, _ pages: [[GeneratedJourney.Question]]
  ) throws {
    var items = given[list.name]?.items ?? []
    guard case .screen(_, let value)? = session.view.stack.last?.content, let index = value.encoding["item"]?.int else {
      throw Failure(description: "A page of an item without its number: \(visible)")
    }
    let position = Int(index)
    let known = value.encoding["draft"] ?? (position < items.count ? items[position] : .emptyObject)
    let number = visible.hasSuffix("-2") ? 1 : 0
    let input = inputs(of: pages[number])
    func merged(_ asked: [String]?) -> Value {
      let names = pages[number].map(\.name).filter { asked?.contains($0) ?? true }
      let others = known.members.filter { !names.contains($0.key) }.map { ($0.key, $0.value) }
      return .object(others + names.compactMap { name in input[name].map { (name, $0) } })
    }
    let resolved = pages.resolved(item: merged(nil))
    let item = merged(resolved.asked)
    guard try isAccepted("continue", input, unless: resolved.faulty.filter { pages[number].map(\.name).contains($0) })
    else { return }
    if number == 0, pages.count == 2, resolved.asked.contains("c") {
      return try expect(visible == "\(page.name)-item-2", "The first page of an item leads to \(visible)")
    }
    if position < items.count { items[position] = item } else { items.append(item) }
    given[list.name] = .array(items)
    try expect(
      visible == page.name || visible == next, "An item leads to \(visible), and not to \(page.name) or \(next)")
    noteCheck()
  }

  private mutating func leaveCheckPage() throws {
    guard !chance(5) else { return try act("submit", .emptyObject) }
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

  private mutating func answerAtOnce() throws {
    var members: [(String, Value)] = []
    for question in journey.questions where chance(2) {
      if let value = input(of: question) { members.append((question.name, value)) }
    }
    if chance(8) { members.append(("z", 1)) }
    let input = Value.object(members)
    let all = given.merging(members.map { ($0.0, $0.1) }) { $1 }
    let resolved = ModelledAnswers(journey, all)
    /// Returns the names of the wrong members.
    ///
    /// - Parameter isStrict: whether an item is wrong that has answers which are not asked, and is right without them.
    func wrong(isStrict: Bool) -> [String] {
      members.map(\.0).filter { name in
        guard let question = journey.questions.first(where: { $0.name == name }), resolved.asked.contains(name) else {
          return true
        }
        guard case .list(let pages, _) = question.kind, let items = input[name]?.items else {
          return question.valid(input[name], resolved.answers) == nil
        }
        return items.count > GeneratedJourney.maximumItems
          || items.contains { item in
            let (_, asked, faulty) = pages.resolved(item: item)
            return !faulty.isEmpty || isStrict && !item.members.allSatisfy { asked.contains($0.key) }
          }
      }
    }
    let undecided = resolved.undecided(of: journey, wrong(isStrict: false))
    let faulty = wrong(isStrict: true).filter { !undecided.contains($0) }
    guard try isAccepted("answers", input, unless: faulty) else { return }
    given = all
    try expect(visible == next, "All at once lead to \(visible), and not to \(next)")
    noteCheck()
  }

  private mutating func expectContinued(from page: String) throws {
    let expected = isChecked ? next : model.page(after: page, of: journey)
    try expect(visible == expected, "Continue leads from \(page) to \(visible), and not to \(expected)")
    noteCheck()
  }

  /// Notes that the check page is shown.
  private mutating func noteCheck() {
    guard visible == "check" else { return }
    isChecked = true
    passed.formUnion(model.pages.map(\.page).filter { $0.questions.isEmpty }.map(\.name))
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

  /// Requires that the session has the answers of the model, and shows pages that they ask.
  private func checkState() throws {
    let (model, state) = (model, session.state.nodes[0].state.encoding)
    for question in journey.questions {
      let (found, expected) = (state[question.name] ?? .null, model.answers[question.name] ?? .null)
      try expect(found == expected, "\(question.name) is \(found), and not \(expected)")
      let kept = normalized(state["journey"]?["kept"]?[question.name] ?? found, of: question)
      let wanted = normalized(given[question.name] ?? .null, of: question)
      try expect(kept == wanted, "\(question.name) was given as \(kept), and not \(wanted)")
    }
    for name in names {
      let page = name.split(separator: "-")[0]
      try expect(
        name == "check" ? model.next(nil) == "check" : model.pages.contains { $0.page.name == page },
        "\(name) is on the stack, and not asked")
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
    let model = model
    var other = try TestSession(app)
    let answers = model.answers.filter { !$0.value.isNull }.sorted { $0.key < $1.key }
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
