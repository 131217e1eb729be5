internal import Values

/// The answers as people have given them, whether they count now or not.
struct GivenAnswers {
  private let questions: JourneyQuestions
  /// By the indices of the questions; nil without an answer.
  private var values: [Value?]
  /// Whether the check page has been shown.
  let isChecked: Bool
  /// The names of the pages without questions that people have left with Continue, or that were asked when the check page
  /// was shown.
  private(set) var passed: [String]
  /// The revision of the step that has changed the answers last; 0 before.
  private var changedBy: Int64
  /// The last accepted request about each page that asks a backend, by the name of the page.
  private(set) var verified: Value
  /// The answers that a backend verifies now.
  var pending: PendingAnswers?

  /// The property of a coordinator for the answers that do not count, and for what else a journey keeps.
  static let property = "journey"

  init(_ journey: JourneyDefinition, of coordinator: Value) {
    questions = journey.questions
    let stored = coordinator[Self.property]
    let kept = stored?["kept"]
    values = zip(questions, questions.names).map { question, name in
      guard let value = Self.answer(to: name, kept, coordinator), !value.isNull else { return nil }
      return question.given(value)
    }
    isChecked = stored?["checked"]?.bool ?? false
    passed = stored?["passed"]?.elements.compactMap(\.text) ?? []
    changedBy = stored?["changedBy"]?.int ?? 0
    verified = stored?["verified"] ?? .emptyObject
    pending = PendingAnswers(stored?["pending"])
  }

  /// Returns an answer as it was given.
  ///
  /// - Parameter kept: the answers that do not count.
  private static func answer(to question: String, _ kept: Value?, _ coordinator: Value) -> Value? {
    kept?[question] ?? coordinator[question]
  }

  /// Returns the members of the stored property without the answers.
  ///
  /// - Parameter changes: the members that replace those of their names.
  private static func notes(_ stored: Value?, with changes: [String: Value] = [:]) -> [(String, Value?)] {
    ["checked", "changedBy", "passed", "verified", "pending"].map { name in (name, changes[name] ?? stored?[name]) }
  }

  /// - Parameter others: the other members of the property that are not null.
  private static func property(kept: [(String, Value)], _ others: [(String, Value?)]) -> [(String, Value)] {
    let members =
      (kept.isEmpty ? [] : [("kept", Value.object(kept))])
      + others.compactMap { name, value in value.map { (name, $0) } }
    return members.isEmpty ? [] : [(property, .object(members))]
  }

  /// Returns the answers that another version of the app has stored. All of them wait for this version to resolve them.
  static func adapted(_ coordinator: Value, _ names: [String]) -> [(String, Value)] {
    let stored = coordinator[property]
    let kept = stored?["kept"]
    let given = names.compactMap { name -> (String, Value)? in
      guard let value = answer(to: name, kept, coordinator), !value.isNull else { return nil }
      return (name, value)
    }
    return names.map { ($0, .null) } + property(kept: given, notes(stored))
  }

  /// Returns the coordinator with a note that the check page has been shown; nil if it has the note.
  ///
  /// - Parameter pages: the names of the pages without questions that are asked, which count as passed from then on.
  static func checked(_ coordinator: Value, passing pages: [String]) -> Value? {
    let stored = coordinator[property]
    if stored?["checked"]?.bool == true { return nil }
    let kept = stored?["kept"]?.members.map { ($0.key, $0.value) } ?? []
    let before = stored?["passed"]?.elements.compactMap(\.text) ?? []
    let passed = before + pages.filter { !before.contains($0) }
    var changes: [String: Value] = ["checked": true]
    if !passed.isEmpty { changes["passed"] = .array(passed.map { Value($0) }) }
    let others = coordinator.members.filter { $0.key != Self.property }.map { ($0.key, $0.value) }
    return .object(others + property(kept: kept, notes(stored, with: changes)))
  }

  subscript(name: String) -> Value? { questions.positions[name].flatMap { values[$0] } }

  /// The answer to the question at an index.
  subscript(question: Int) -> Value? { values[question] }

  /// Returns the number of items of a list as they were given, without reading the other answers.
  static func count(ofItemsIn list: JourneyList, _ coordinator: Value) -> Int {
    answer(to: list.name, coordinator[property]?["kept"], coordinator)?.count ?? 0
  }

  /// Returns the items of a list as they were given.
  func items(of list: JourneyList) -> [Value] { self[list.name]?.elements.map { $0 } ?? [] }

  /// All answers as an object.
  var all: Value { .object(zip(questions.names, values).compactMap { name, value in value.map { (name, $0) } }) }

  /// Takes answers; null removes one. A change takes the confirmations away that are not among the answers.
  mutating func take(_ answers: [(name: String, value: Value)], in environment: SessionEnvironment) {
    let before = values
    // People who give other answers do not wait any more for those before.
    pending = nil
    for (name, value) in answers {
      if let index = questions.positions[name] { values[index] = value.isNull ? nil : value }
    }
    guard values != before else { return }
    changedBy = Int64(bitPattern: environment.stamp.revision)
    for (index, question) in questions.enumerated() where question.isConfirmation {
      if !answers.contains(where: { $0.name == question.name }) { values[index] = nil }
    }
  }

  /// Notes that people have passed a page without questions.
  mutating func pass(_ page: String) {
    if !passed.contains(page) { passed.append(page) }
  }

  /// Notes the request about a page that a backend has accepted.
  mutating func accept(_ request: Value, about page: String) {
    verified = .object(verified.members.filter { $0.key != page }.map { ($0.key, $0.value) } + [(page, request)])
  }

  /// Returns the answers as they are read from their coordinator: the default of a question without an answer counts as
  /// given.
  func withDefaults(of resolution: JourneyResolution) -> GivenAnswers {
    var given = self
    for (index, answer) in resolution.answers.enumerated() where values[index] == nil {
      if let answer, !answer.isNull { given.values[index] = questions[index].given(answer) }
    }
    return given
  }

  /// Returns the coordinator with the answers of a resolution, and with those that do not count beside them.
  func stored(in coordinator: Value, _ resolution: JourneyResolution) -> Value {
    var members = questions.others(in: coordinator)
    var kept: [(String, Value)] = []
    for (index, name) in questions.names.enumerated() {
      let answer = resolution.answers[index] ?? .null
      members.append((name, answer))
      if let value = values[index], value != answer, value != answer.given { kept.append((name, value)) }
    }
    return .object(
      members
        + Self.property(
          kept: kept,
          [
            ("checked", isChecked ? true : nil), ("changedBy", changedBy == 0 ? nil : Value(changedBy)),
            ("passed", passed.isEmpty ? nil : Value.array(passed.map { Value($0) })),
            ("verified", verified == .emptyObject ? nil : verified), ("pending", pending?.encoding),
          ]))
  }
}

extension GivenAnswers: Equatable {
  static func == (a: Self, b: Self) -> Bool {
    a.values == b.values && a.isChecked == b.isChecked && a.passed == b.passed && a.changedBy == b.changedBy
      && a.verified == b.verified && a.pending == b.pending
  }
}

extension JourneyQuestion {
  /// Returns a stored answer as it was given.
  fileprivate func given(_ answer: Value) -> Value { if case .list = subject { answer.given } else { answer } }
}

extension JourneyQuestions {
  /// Returns the members of a coordinator that belong to no question.
  func others(in coordinator: Value) -> [(String, Value)] {
    var others: [(String, Value)] = []
    for member in coordinator.members {
      let name = member.key
      if name != GivenAnswers.property, positions[name] == nil { others.append((name, member.value)) }
    }
    return others
  }
}

extension Value {
  /// The items of a list as they are given: without the members that are null. Any other value itself.
  fileprivate var given: Value {
    guard kind == .array, elements.contains(where: { $0.members.contains { $0.value.isNull } }) else { return self }
    return .array(
      elements.map { item in .object(item.members.filter { !$0.value.isNull }.map { ($0.key, $0.value) }) })
  }
}
