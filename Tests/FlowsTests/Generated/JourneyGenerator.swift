import TestSupport
import Values

/// A generated journey: the text of its flow, and a model of its rules that shares no code with the service.
struct GeneratedJourney {
  struct Question {
    enum Kind {
      case yesNo
      /// A number from 0 to 9, and at most another answer.
      case number(atMost: String?)
      /// An optional text of at most three characters.
      case note
      case several
      case list(pages: [[Question]], minimum: Int)
    }
    let name: String
    let kind: Kind
    let condition: Condition?
  }

  /// A condition that reads an answer.
  struct Condition {
    enum Test { case isYes, isOver(Int), hasA, isGiven }
    let question: String
    let test: Test
  }

  struct Page {
    let name: String
    let questions: [Question]
    let condition: Condition?
    /// Whether the path ends here. Another page without questions is one that people read and pass.
    let isExit: Bool
    var list: Question? { questions.first { if case .list = $0.kind { true } else { false } } }
  }

  static let maximumItems = 3
  let pages: [Page]

  init(_ random: inout Seeded) {
    var earlier: [Question] = []
    pages = (0..<Int.random(in: 3...6, using: &random)).map { index in
      let condition = Self.condition(on: earlier, &random)
      var questions: [Question] = []
      var isExit = false
      switch Int.random(in: 0..<9, using: &random) {
      case 0 where condition != nil: isExit = true
      // One page at least asks something.
      case 8 where index == 0 || !earlier.isEmpty: break
      case 1, 2: questions = [Self.list("l\(index)", &random)]
      default:
        for number in 0..<Int.random(in: 1...3, using: &random) {
          questions.append(Self.question("q\(index)\(number)", after: earlier + questions, &random))
        }
      }
      earlier += questions
      return Page(name: "p\(index)", questions: questions, condition: condition, isExit: isExit)
    }
  }

  var questions: [Question] { pages.flatMap(\.questions) }

  private static func question(
    _ name: String, after earlier: [Question], _ random: inout Seeded
  ) -> Question {
    let numbers = earlier.filter { if case .number = $0.kind { true } else { false } }
    let kind: Question.Kind =
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: .yesNo
      case 2: .number(atMost: Bool.random(using: &random) ? numbers.randomElement(using: &random)?.name : nil)
      case 3: .note
      default: .several
      }
    return Question(name: name, kind: kind, condition: condition(on: earlier, &random))
  }

  private static func list(_ name: String, _ random: inout Seeded) -> Question {
    var pages = [[Question(name: "a", kind: .yesNo, condition: nil)]]
    if Bool.random(using: &random) { pages[0].append(Question(name: "b", kind: .note, condition: nil)) }
    if Bool.random(using: &random) {
      let condition = Bool.random(using: &random) ? Condition(question: "a", test: .isYes) : nil
      pages.append([Question(name: "c", kind: .number(atMost: nil), condition: condition)])
    }
    let minimum = Int.random(in: 0...2, using: &random)
    return Question(name: name, kind: .list(pages: pages, minimum: minimum), condition: nil)
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
      var keys: [String] = []
      switch question.kind {
      case .yesNo: keys = ["type: string", #"enum: ["yes", "no"]"#]
      case .number(let limit): keys = ["type: integer", "minimum: 0", "maximum: \(limit.map { "=\($0)" } ?? "9")"]
      case .note: keys = [#"type: [string, "null"]"#, "maxLength: 3"]
      case .several: keys = ["type: array", "items: {type: string, enum: [a, b]}"]
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
        guard case .list(let pages, let minimum) = question.kind else {
          fields += declare(question, "        ")
          continue
        }
        let names = pages.map { "[\($0.map(\.name).joined(separator: ", "))]" }.joined(separator: ", ")
        lists +=
          "        \(question.name):\n          itemTitle: =string(item.number)\n          minItems: \(minimum)\n"
        lists += "          maxItems: \(Self.maximumItems)\n          pages: [\(names)]\n          questions:\n"
        for question in pages.flatMap({ $0 }) { lists += declare(question, "            ") }
      }
    }
    return """
      usher: 1
      app: generated
      root: main
      coordinators:
        main:
          journey:
            questions: \(fields.isEmpty ? "{}" : "\n" + fields)
            lists: \(lists.isEmpty ? "{}" : "\n" + lists)
            pages:
      \(places)
            done: [{setStack: [sent]}]
      screens:
        sent: {title: Sent}

      """
  }
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
    let given = given.flatMap { $0.isNull ? nil : $0 }
    switch kind {
    case .yesNo: return given.flatMap { ["yes", "no"].contains($0.text) ? $0 : nil }
    case .number(let limit):
      guard let given, let number = given.int else { return nil }
      let most = limit.flatMap { answers[$0]?.int } ?? (limit == nil ? 9 : Int64.max)
      return (0...max(0, most)).contains(number) && number <= most ? given : nil
    case .note: return given == nil ? .null : given.flatMap { ($0.text?.count ?? 9) <= 3 ? $0 : nil }
    case .several: return given
    case .list(let pages, let minimum):
      guard let given, (minimum...GeneratedJourney.maximumItems).contains(given.items.count) else { return nil }
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
  var answers: [String: Value] = [:]
  private(set) var asked: [String] = []
  /// The questions without a valid answer, by the asked pages in their order.
  private(set) var pages: [(page: GeneratedJourney.Page, faulty: [String])] = []

  init(_ journey: GeneratedJourney, _ given: [String: Value]) {
    for page in journey.pages where page.condition?.holds(answers) ?? true {
      if page.isExit {
        pages.append((page, []))
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
      if isAsked || page.questions.isEmpty { pages.append((page, faulty)) }
    }
  }

  /// Returns the first page that lacks a valid answer, is an exit, or has no questions and was not passed; or else the
  /// check page.
  ///
  /// - Parameter passed: nil for all pages without questions.
  func next(_ passed: Set<String>?) -> String {
    let page = pages.first { page, faulty in
      let isNew = page.questions.isEmpty && passed.map { !$0.contains(page.name) } ?? false
      return !faulty.isEmpty || page.isExit || isNew
    }
    return page?.page.name ?? "check"
  }

  /// Returns the questions that are not asked, and of which a wrong answer, or an undecided one, decides that.
  func undecided(of journey: GeneratedJourney, _ wrong: [String]) -> Set<String> {
    var (undecided, open) = (Set<String>(), Set<String>())
    var isEndOpen = false
    for page in journey.pages {
      let isPageOpen = isEndOpen || page.condition.map { open.contains($0.question) } ?? false
      if page.isExit { isEndOpen = isPageOpen }
      for question in page.questions {
        if asked.contains(question.name) {
          if wrong.contains(question.name) { open.insert(question.name) }
        } else if isPageOpen || question.condition.map({ open.contains($0.question) }) ?? false {
          open.insert(question.name)
          undecided.insert(question.name)
        }
      }
    }
    return undecided
  }

  /// Returns the asked page after another one, or else the next one that lacks an answer.
  func page(after name: String, of journey: GeneratedJourney) -> String {
    let names = journey.pages.map(\.name)
    let rest = names.drop { $0 != name }.dropFirst()
    return rest.first { candidate in pages.contains { $0.page.name == candidate } } ?? next(nil)
  }
}

extension Value {
  /// The elements of an array; none of any other value.
  var items: [Value] { elements.map { $0 } }
}
