import TestSupport
import Values

/// A generated journey: the text of its flow, and a model of its rules that shares no code with the service.
struct GeneratedJourney {
  struct Question {
    enum Kind {
      case yesNo(choices: [String])
      /// A number from 0 to a limit, or to another answer in place of the limit.
      case number(limit: Int, atMost: String?)
      /// A text of at most some characters.
      case note(limit: Int)
      case several(choices: [String])
      case list(pages: [[Question]], limits: ClosedRange<Int>)
    }
    let name: String
    var kind: Kind
    var isOptional = false
    var condition: Condition?
  }

  /// A condition that reads an answer.
  struct Condition {
    enum Test { case isYes, isOver(Int), hasA, isGiven }
    let question: String
    let test: Test
  }

  struct Page {
    let name: String
    var questions: [Question]
    var condition: Condition?
    /// The number of the section, if the journey has a task list.
    var section: Int
    /// Whether the path ends here.
    let isExit: Bool
    /// Whether people read the page, and continue.
    var isOnlyRead: Bool { questions.isEmpty && !isExit }
    var list: Question? { questions.first { if case .list = $0.kind { true } else { false } } }
  }

  private(set) var pages: [Page] = []
  private(set) var hasTasks: Bool
  private(set) var version = 1

  init(_ random: inout Seeded) {
    hasTasks = Bool.random(using: &random)
    for index in 0..<Int.random(in: 3...6, using: &random) {
      let earlier = pages.flatMap(\.questions)
      pages.append(Self.page(index, after: earlier, section: index / 2, &random))
    }
  }

  var questions: [Question] { pages.flatMap(\.questions) }

  /// The names of all screens.
  var screens: Set<String> {
    var names: Set<String> = hasTasks ? ["tasks", "check", "sent"] : ["check", "sent"]
    for page in pages {
      names.insert(page.name)
      guard case .list(let pages, _)? = page.list?.kind else { continue }
      names.formUnion(pages.indices.map { page.itemScreen($0) })
    }
    return names
  }

  private static func page(
    _ number: Int, after earlier: [Question], section: Int, _ random: inout Seeded
  ) -> Page {
    let condition = Self.condition(on: earlier, &random)
    var questions: [Question] = []
    var isExit = false
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where condition != nil: isExit = true
    // One page at least asks something.
    case 8 where number == 0 || !earlier.isEmpty, 9 where number == 0 || !earlier.isEmpty: break
    case 1, 2: questions = [Self.list("l\(number)", &random)]
    default:
      for index in 0..<Int.random(in: 1...3, using: &random) {
        questions.append(Self.question("q\(number)\(index)", after: earlier + questions, &random))
      }
    }
    return Page(name: "p\(number)", questions: questions, condition: condition, section: section, isExit: isExit)
  }

  private static func question(
    _ name: String, after earlier: [Question], _ random: inout Seeded
  ) -> Question {
    let numbers = earlier.filter { if case .number = $0.kind { true } else { false } }
    let kind: Question.Kind
    var isOptional = false
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: kind = .yesNo(choices: ["yes", "no"])
    case 2:
      let other = Bool.random(using: &random) ? numbers.randomElement(using: &random)?.name : nil
      kind = .number(limit: 9, atMost: other)
    case 3: (kind, isOptional) = (.note(limit: 3), true)
    default: kind = .several(choices: ["a", "b"])
    }
    return Question(
      name: name, kind: kind, isOptional: isOptional, condition: Self.condition(on: earlier, &random))
  }

  private static func list(_ name: String, _ random: inout Seeded) -> Question {
    var pages = [[Question(name: "a", kind: .yesNo(choices: ["yes", "no"]))]]
    if Bool.random(using: &random) {
      pages[0].append(Question(name: "b", kind: .note(limit: 3), isOptional: true))
    }
    if Bool.random(using: &random) {
      let condition = Bool.random(using: &random) ? Condition(question: "a", test: .isYes) : nil
      pages.append([Question(name: "c", kind: .number(limit: 9, atMost: nil), condition: condition)])
    }
    return Question(name: name, kind: .list(pages: pages, limits: Int.random(in: 0...2, using: &random)...3))
  }

  private static func condition(on earlier: [Question], _ random: inout Seeded) -> Condition? {
    guard Bool.random(using: &random), let question = earlier.randomElement(using: &random) else { return nil }
    let test: Condition.Test =
      switch question.kind {
      case .yesNo: .isYes
      case .number: .isOver(Int.random(in: 0...6, using: &random))
      case .note, .list: .isGiven
      case .several: .hasA
      }
    return Condition(question: question.name, test: test)
  }

  // MARK: The flow

  /// The text of the flow.
  var flow: String {
    func declare(_ question: Question, _ indentation: String) -> String {
      let scope = indentation.count > 8 ? "item." : ""
      func typed(_ name: String) -> String { question.isOptional ? "type: [\(name), \"null\"]" : "type: \(name)" }
      func quoted(_ choices: [String]) -> String { choices.map { "\"\($0)\"" }.joined(separator: ", ") }
      var keys = ["title: \(question.name)"]
      switch question.kind {
      case .yesNo(let choices): keys += [typed("string"), "enum: [\(quoted(choices))]"]
      case .number(let limit, let other):
        keys += [typed("integer"), "minimum: 0", "maximum: \(other.map { "=\($0)" } ?? "\(limit)")"]
      case .note(let limit): keys += [typed("string"), "maxLength: \(limit)"]
      case .several(let choices): keys += ["type: array", "items: {type: string, enum: [\(quoted(choices))]}"]
      case .list: break
      }
      if let condition = question.condition { keys.append("when: '=\(condition.expression(scope))'") }
      return "\(indentation)\(question.name): {\(keys.joined(separator: ", "))}\n"
    }
    var (fields, lists, places) = ("", "", "")
    for page in pages {
      var keys: [String] =
        page.isExit ? ["exit: true"] : ["questions: [\(page.questions.map(\.name).joined(separator: ", "))]"]
      if let condition = page.condition { keys.append("when: '=\(condition.expression(""))'") }
      places += "        \(page.name): {title: \(page.name), \(keys.joined(separator: ", "))}\n"
      for question in page.questions {
        guard case .list(let pages, let limits) = question.kind else {
          fields += declare(question, "        ")
          continue
        }
        let names = pages.map { "[\($0.map(\.name).joined(separator: ", "))]" }.joined(separator: ", ")
        lists += "        \(question.name):\n          title: \(question.name)\n"
        lists += "          itemTitle: =string(item.number)\n          minItems: \(limits.lowerBound)\n"
        lists += "          maxItems: \(limits.upperBound)\n          pages: [\(names)]\n          questions:\n"
        for question in pages.flatMap({ $0 }) { lists += declare(question, "            ") }
      }
    }
    if hasTasks {
      places += "      sections:\n"
      for section in Set(pages.map(\.section)).sorted() {
        let names = pages.filter { $0.section == section }.map(\.name).joined(separator: ", ")
        places += "        s\(section): {title: s\(section), pages: [\(names)]}\n"
      }
    }
    let older = (1..<version).map { "\($0)" }.joined(separator: ", ")
    return """
      usher: 1
      app: generated
      version: \(version)
      \(older.isEmpty ? "" : "carry: [\(older)]")
      root: main
      coordinators:
        main:
          journey:
            questions: \(fields.isEmpty ? "{}" : "\n" + fields)
            lists: \(lists.isEmpty ? "{}" : "\n" + lists)
            pages:
      \(places)
            done: [{setStack: [sent]}, {perform: office.send, answers: true}]
          outcomes: {office.send: {done: [], failed: []}}
      services: {office: {send: {post: /answers}}}
      screens:
        sent: {title: Sent}

      """
  }
}

// MARK: Versions

extension GeneratedJourney {
  /// The kind of a change from one version to the next one.
  enum Change: String, CaseIterable {
    case addedPage, removedPage, swappedPages, requirement, limit, removedChoice, condition, itemField, sections
  }

  /// Returns the next version, with the kinds of its changes: one or more.
  ///
  /// - Parameter first: the number of the kind to try first.
  func next(from first: Int, _ random: inout Seeded) -> (journey: GeneratedJourney, changes: [Change]) {
    var next = self
    var changes: [Change] = []
    next.version += 1
    let kinds = Change.allCases
    for number in first..<first + kinds.count {
      guard changes.isEmpty || Int.random(in: 0..<8, using: &random) == 0 else { continue }
      let before = next.flow
      next.change(kinds[number % kinds.count], &random)
      if next.flow != before { changes.append(kinds[number % kinds.count]) }
    }
    return (next, changes)
  }

  private mutating func change(_ kind: Change, _ random: inout Seeded) {
    switch kind {
    case .addedPage:
      let index = Int.random(in: 0...pages.count, using: &random)
      let section = pages[min(index, pages.count - 1)].section
      let earlier = pages[..<index].flatMap(\.questions)
      let page = Self.page(version * 10, after: earlier, section: section, &random)
      pages.insert(page, at: index)
    case .removedPage:
      guard pages.count(where: { !$0.questions.isEmpty }) > 1 else { return }
      pages.remove(at: Int.random(in: pages.indices, using: &random))
    case .swappedPages:
      let index = Int.random(in: 0..<pages.count, using: &random)
      guard index + 1 < pages.count else { return }
      let sections = pages.map(\.section)
      pages.swapAt(index, index + 1)
      for index in pages.indices { pages[index].section = sections[index] }
    case .requirement: changeQuestion(\.withOtherRequirement, &random)
    case .limit: for _ in 1...6 { changeQuestion(\.withTighterLimit, &random) }
    case .removedChoice: changeQuestion(\.withoutChoice, &random)
    case .itemField: changeQuestion(\.withItemField, &random)
    case .condition:
      let index = Int.random(in: 0..<pages.count, using: &random)
      let condition = Self.condition(on: pages[..<index].flatMap(\.questions), &random)
      if pages[index].questions.isEmpty || pages[index].list != nil || Bool.random(using: &random) {
        pages[index].condition = condition
      } else {
        pages[index].questions[0].condition = condition
      }
    case .sections: hasTasks.toggle()
    }
    removeUnknownAnswers()
  }

  /// Changes the first of the questions, in a random order, that the change fits.
  private mutating func changeQuestion(_ change: KeyPath<Question, Question?>, _ random: inout Seeded) {
    var places: [(page: Int, question: Int)] = []
    for page in pages.indices {
      for question in pages[page].questions.indices { places.append((page, question)) }
    }
    for place in places.shuffled(using: &random) {
      guard let changed = pages[place.page].questions[place.question][keyPath: change] else { continue }
      pages[place.page].questions[place.question] = changed
      return
    }
  }

  /// Removes conditions and limits that read no earlier answer any more, and exits without a condition.
  private mutating func removeUnknownAnswers() {
    var earlier: Set<String> = []
    var kept: [Page] = []
    for var page in pages {
      if let condition = page.condition, !earlier.contains(condition.question) { page.condition = nil }
      if page.isExit, page.condition == nil { continue }
      for index in page.questions.indices {
        let question = page.questions[index]
        if let condition = question.condition, !earlier.contains(condition.question) {
          page.questions[index].condition = nil
        }
        if case .number(let limit, let other?) = question.kind, !earlier.contains(other) {
          page.questions[index].kind = .number(limit: limit, atMost: nil)
        }
        earlier.insert(question.name)
      }
      kept.append(page)
    }
    pages = kept
  }
}

extension GeneratedJourney.Question {
  private func with(_ kind: Kind) -> Self {
    var copy = self
    copy.kind = kind
    return copy
  }

  /// The question as a required one if it is optional, and the other way round; nil if it is always required.
  fileprivate var withOtherRequirement: Self? {
    switch kind {
    case .several, .list: return nil
    case .yesNo, .number, .note:
      var copy = self
      copy.isOptional.toggle()
      return copy
    }
  }

  /// Nil if the limit cannot be tighter.
  fileprivate var withTighterLimit: Self? {
    switch kind {
    case .number(let limit, nil) where limit > 4: with(.number(limit: 4, atMost: nil))
    case .note(let limit) where limit > 1: with(.note(limit: 1))
    case .list(let pages, let limits) where limits.upperBound > max(1, limits.lowerBound):
      with(.list(pages: pages, limits: limits.lowerBound...max(1, limits.lowerBound)))
    case .yesNo, .number, .note, .several, .list: nil
    }
  }

  /// Nil if all choices are necessary.
  fileprivate var withoutChoice: Self? {
    switch kind {
    case .yesNo(let choices) where choices.count > 1: with(.yesNo(choices: ["yes"]))
    case .several(let choices) where choices.count > 1: with(.several(choices: ["a"]))
    case .yesNo, .number, .note, .several, .list: nil
    }
  }

  /// The list with another question on the first page of an item; nil for a list that has it, and without items.
  fileprivate var withItemField: Self? {
    guard case .list(var pages, let limits) = kind, !pages[0].contains(where: { $0.name == "d" }) else { return nil }
    pages[0].append(Self(name: "d", kind: .yesNo(choices: ["yes", "no"])))
    return with(.list(pages: pages, limits: limits))
  }
}

// MARK: The rules

extension GeneratedJourney.Page {
  /// Returns the name of the screen of a page of an item.
  func itemScreen(_ number: Int) -> String { number == 0 ? "\(name)-item" : "\(name)-item-\(number + 1)" }
}

extension GeneratedJourney.Condition {
  func expression(_ scope: String) -> String {
    let name = scope + question
    return switch test {
    case .isYes: "\(name) == \"yes\""
    case .isOver(let limit): "\(name) != null && \(name) > \(limit)"
    case .hasA: "\(name) != null && \"a\" in \(name)"
    case .isGiven: "\(name) != null"
    }
  }

  func holds(_ answers: [String: Value]) -> Bool {
    let answer = answers[question] ?? .null
    return switch test {
    case .isYes: answer.text == "yes"
    case .isOver(let limit): (answer.int ?? -1) > Int64(limit)
    case .hasA: answer.items.contains { $0.text == "a" }
    case .isGiven: !answer.isNull
    }
  }
}

extension GeneratedJourney.Question {
  /// Returns the answer that counts; nil if there is none or it is not valid.
  func valid(_ given: Value?, _ answers: [String: Value]) -> Value? {
    guard let given, !given.isNull else { return isOptional ? Value.null : nil }
    switch kind {
    case .yesNo(let choices): return choices.contains { given.text == $0 } ? given : nil
    case .number(let limit, let other):
      guard let number = given.int else { return nil }
      let most = other.map { answers[$0]?.int ?? Int64.max } ?? Int64(limit)
      return number >= 0 && number <= most ? given : nil
    case .note(let limit): return (given.text?.count ?? Int.max) <= limit ? given : nil
    case .several(let choices):
      return given.items.allSatisfy { item in choices.contains { item.text == $0 } } ? given : nil
    case .list(let pages, let limits):
      guard limits.contains(given.items.count) else { return nil }
      var items: [Value] = []
      for item in given.items {
        let resolved = pages.resolved(item: item)
        guard resolved.faulty.isEmpty else { return nil }
        items.append(resolved.value)
      }
      return .array(items)
    }
  }
}

extension [[GeneratedJourney.Question]] {
  /// Returns the item with the answers that count, the asked questions, and those without a valid answer.
  func resolved(item given: Value) -> (value: Value, asked: [String], faulty: [String]) {
    var (answers, asked, faulty) = ([String: Value](), [String](), [String]())
    for question in joined() where question.condition?.holds(answers) ?? true {
      asked.append(question.name)
      if let answer = question.valid(given[question.name], answers) {
        answers[question.name] = answer
      } else {
        faulty.append(question.name)
      }
    }
    return (.object(joined().map { ($0.name, answers[$0.name] ?? .null) }), asked, faulty)
  }
}

/// The answers that count, by the rules of journeys.
struct ModelledAnswers {
  /// An asked page, with its questions that lack a valid answer.
  struct AskedPage {
    let page: GeneratedJourney.Page
    let faulty: [String]
    /// Whether people cannot continue from the page.
    var isOpen: Bool { !faulty.isEmpty || page.isExit }
  }

  var answers: [String: Value] = [:]
  private(set) var asked: [String] = []
  /// The asked pages in their order.
  private(set) var pages: [AskedPage] = []

  init(_ journey: GeneratedJourney, _ given: [String: Value]) {
    for page in journey.pages where page.condition?.holds(answers) ?? true {
      if page.isExit {
        pages.append(AskedPage(page: page, faulty: []))
        return
      }
      var faulty: [String] = []
      var isAsked = false
      for question in page.questions where question.condition?.holds(answers) ?? true {
        isAsked = true
        asked.append(question.name)
        if let answer = question.valid(given[question.name], answers) {
          answers[question.name] = answer
        } else {
          faulty.append(question.name)
        }
      }
      if isAsked || page.isOnlyRead { pages.append(AskedPage(page: page, faulty: faulty)) }
    }
  }

  /// Returns the first page that lacks a valid answer, is an exit, or has no questions and was not passed; or else the
  /// check page.
  ///
  /// - Parameter passed: nil for all pages without questions.
  func next(_ passed: Set<String>?) -> String {
    let open = pages.first { asked in
      let isNew = asked.page.isOnlyRead && passed.map { !$0.contains(asked.page.name) } ?? false
      return asked.isOpen || isNew
    }
    return open?.page.name ?? "check"
  }

  /// Whether the check page can be shown.
  var isComplete: Bool { !pages.contains(where: \.isOpen) }

  /// Returns the asked page after another one in its section, or else the task list. Without sections, returns the asked
  /// page after another one, or else the next one that lacks an answer.
  func page(after name: String, of journey: GeneratedJourney) -> String {
    let rest = journey.pages.drop { $0.name != name }
    let following = rest.dropFirst().first { candidate in
      (!journey.hasTasks || candidate.section == rest.first?.section)
        && pages.contains { $0.page.name == candidate.name }
    }
    return following?.name ?? (journey.hasTasks ? "tasks" : next(nil))
  }

  /// Returns the asked pages by their sections.
  var sections: [(number: Int, pages: [AskedPage])] {
    Set(pages.map(\.page.section)).sorted().map { number -> (number: Int, pages: [AskedPage]) in
      (number, pages.filter { $0.page.section == number })
    }
  }

  /// Returns the name and the status of each section that is asked.
  func tasks(_ given: [String: Value]) -> [(name: String, status: String)] {
    sections.map { section -> (name: String, status: String) in
      let questions = section.pages.flatMap(\.page.questions)
      let isStarted = questions.contains { asked.contains($0.name) && given[$0.name] != nil }
      let isCompleted = !section.pages.contains(where: \.isOpen)
      return ("s\(section.number)", isCompleted ? "Completed" : isStarted ? "In progress" : "Not started")
    }
  }

  /// The labels of the check page: the questions, and the numbers of the items.
  func labels(of journey: GeneratedJourney) -> [String] {
    pages.flatMap(\.page.questions).filter { asked.contains($0.name) }.flatMap { question -> [String] in
      guard case .list = question.kind else { return [question.name] }
      return [question.name] + (answers[question.name] ?? .null).items.indices.map { "\($0 + 1)" }
    }
  }
}

extension Value {
  /// The elements of an array; none of any other value.
  var items: [Value] { elements.map { $0 } }
}
