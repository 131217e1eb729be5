internal import Languages
internal import Synchronization
package import Values

/// The journey of a coordinator: its questions, and the pages that ask them in their order.
///
/// The path follows from the answers. A question is *asked* if the conditions of its page and its own hold; a page is
/// asked if one of its questions is. A condition reads the valid answers to questions before it. The answer to a
/// question that is not asked is kept, and is null for everything that reads it.
package struct JourneyDefinition: Sendable {
  package let pages: [JourneyPage]
  /// The title of the check page and its content above the answers.
  let check: CheckPage
  /// The page that the journey shows first, with its sections; nil without them.
  let tasks: JourneyTasks?
  /// Whether the pages begin with the block `progress`.
  let showsProgress: Bool
  /// Runs when a person sends the answers of the check page.
  let done: Reaction
  /// Returns the encoding of the coordinator by its Swift type; nil for a coordinator from files.
  let encoded: (@Sendable (AppValue) throws -> Value)?

  package struct CheckPage: Sendable {
    let name: String
    let title: Text
    let submit: Text
    let content: JourneyCode<[Block]>
    /// The actions beside those of the journey.
    let actions: [ActionDefinition]

    package init(
      _ name: String, title: Text, submit: Text, content: @escaping JourneyCode<[Block]>,
      actions: [ActionDefinition] = []
    ) {
      (self.name, self.title, self.submit, self.content) = (name, title, submit, content)
      self.actions = actions
    }
  }

  let questions: JourneyQuestions
  /// The index of the first question of each page.
  let firstQuestions: [Int]
  /// The indices of the pages that ask nothing, and that people continue from.
  let pagesWithoutQuestions: [Int]
  /// The names of the screens of all pages.
  let screenNames: Set<String>
  /// The pages by the names of their screens; that of an item has the index 0.
  let stepsOfScreens: [String: JourneyStep]
  /// The action that takes any number of answers, on each page.
  let take: ActionDefinition
  /// The name of ``take``.
  package static let takingName = "answers"

  package init(
    pages: [JourneyPage], check: CheckPage, tasks: JourneyTasks? = nil, showsProgress: Bool = true,
    encoded: (@Sendable (AppValue) throws -> Value)? = nil, done: @escaping Reaction
  ) {
    (self.pages, self.check, self.tasks, self.showsProgress) = (pages, check, tasks, showsProgress)
    (self.encoded, self.done) = (encoded, done)
    questions = JourneyQuestions(pages.flatMap(\.questions))
    firstQuestions = pages.indices.map { index in pages[..<index].reduce(0) { $0 + $1.questions.count } }
    pagesWithoutQuestions = pages.indices.filter { index in
      if case .questions(let questions) = pages[index].kind { questions.isEmpty } else { false }
    }
    screenNames = Set(pages.flatMap(\.screenNames) + [check.name, tasks?.name].compactMap(\.self))
    let steps =
      [(check.name, JourneyStep(page: pages.count))] + (tasks.map { [($0.name, .tasks)] } ?? [])
      + pages.enumerated().flatMap { $1.steps(at: $0) }
    stepsOfScreens = Dictionary(steps) { first, _ in first }
    take = ActionDefinition(
      Self.takingName, title: Text(.journeyCheck), role: .secondary,
      fields: FieldDeclarations(schema: InputSchema(fields: questions.map(\.journaled))), takesAnswers: true)
  }

  /// Returns the adaptation of the answers that another version of the app has stored.
  package static func adapted(_ coordinator: Value, _ names: [String]) -> [(String, Value)] {
    names.isEmpty ? [] : GivenAnswers.adapted(coordinator, names)
  }

  /// Returns a coordinator in Swift with the answers that another version of the app has stored.
  static func adapted(_ coordinator: Value, _ names: [String]) -> Value {
    let others = coordinator.members.filter { $0.key != GivenAnswers.property && !names.contains($0.key) }
    return .object(others.map { ($0.key, $0.value) } + GivenAnswers.adapted(coordinator, names))
  }

  /// Returns the key of a request with the answers of a coordinator: the same until one of them changes.
  package static func requestKey(of coordinator: Value) -> WorkKey {
    .answers(UInt64(bitPattern: coordinator[GivenAnswers.property]?["changedBy"]?.int ?? 0))
  }
}

/// Code of a journey that reads the answers.
package typealias JourneyCode<Result> = @Sendable (JourneyScope) throws -> Result

/// The values that the code of a journey reads: the source of ``JourneyAnswers`` and ``ItemAnswers``.
public struct JourneyScope: Sendable {
  /// The coordinator, with the valid answers to the questions before.
  package internal(set) var values: Value
  /// The answers of an item, with `number` (from 1) and `count`; nil outside of an item.
  package internal(set) var item: Value?
  /// Nil on a screen, whose values have the date.
  package let environment: SessionEnvironment?
  /// Notes the answers that code in Swift reads; nil where their page does not matter.
  var reads: ObservedReads?

  /// The date of the session.
  var today: CalendarDate {
    environment?.today ?? values[Value.today]?.text.flatMap { CalendarDate($0) } ?? .placeholder
  }
}

/// The answers of a page that code has read.
final class ObservedReads: Sendable {
  private let known: Set<String>
  private let read = Mutex<Set<String>>([])

  init(of names: Set<String>) { known = names }

  /// An empty name stands for a property that is not stored, which may read any answer.
  var names: Set<String> { read.withLock { $0 } }

  func note(_ property: PartialKeyPath<some Any>) {
    let name = property.storedName
    if name.isEmpty || known.contains(name) { read.withLock { _ = $0.insert(name) } }
  }
}

/// A page of a journey: a screen with the form of its questions, a list, or an exit.
package final class JourneyPage: Sendable {
  /// The name of the screen.
  let name: String
  let title: ScreenTitle
  let condition: JourneyCode<Bool>?
  /// Blocks above the form.
  let content: JourneyCode<[Block]>
  let kind: Kind
  /// Nil for a page whose answers count at once.
  let verification: JourneyVerification?
  /// The actions beside those of the journey.
  let actions: [ActionDefinition]
  /// The names of the screens of an item's pages; empty for a page without items.
  let itemScreenNames: [String]

  package enum Kind: Sendable {
    case questions([JourneyQuestion])
    case list(JourneyList)
    /// The end of a path without a report. No page after it is asked.
    case exit
  }

  package init(
    _ name: String, title: ScreenTitle, condition: JourneyCode<Bool>?,
    content: @escaping JourneyCode<[Block]>, verification: JourneyVerification? = nil,
    actions: [ActionDefinition] = [], _ kind: Kind
  ) {
    (self.name, self.title, self.condition, self.content, self.kind) = (name, title, condition, content, kind)
    (self.verification, self.actions) = (verification, actions)
    let itemPages = if case .list(let list) = kind { list.pages.indices } else { 0..<0 }
    itemScreenNames = itemPages.map { $0 == 0 ? "\(name)-item" : "\(name)-item-\($0 + 1)" }
  }

  /// The questions of the form; the list as one question.
  var questions: [JourneyQuestion] {
    switch kind {
    case .questions(let questions): questions
    case .list(let list): [JourneyQuestion(list)]
    case .exit: []
    }
  }

  var list: JourneyList? {
    if case
      .list(let list) = kind
    {
      list
    } else {
      nil
    }
  }

  /// The name of the screen that people see until a backend has answered.
  var waitScreenName: String { "\(name)-wait" }

  /// The page, the pages of an item and the wait by the names of their screens.
  ///
  /// - Parameter index: the index of the page.
  fileprivate func steps(at index: Int) -> [(String, JourneyStep)] {
    let ofItem = itemScreenNames.enumerated().map { ($1, JourneyStep(page: index, item: 0, itemPage: $0)) }
    let waiting = verification == nil ? [] : [(waitScreenName, JourneyStep(page: index, isWaiting: true))]
    return [(name, JourneyStep(page: index))] + ofItem + waiting
  }

  var screenNames: [String] {
    (list?.isCounted == true ? [] : [name]) + itemScreenNames + (verification == nil ? [] : [waitScreenName])
  }
}

/// The questions of a journey in the order of their pages. An object, because each resolution of the answers refers to
/// them.
final class JourneyQuestions: RandomAccessCollection, Sendable {
  private let all: [JourneyQuestion]
  let names: [String]
  /// The indices of the questions by their names.
  let positions: [String: Int]

  fileprivate init(_ all: [JourneyQuestion]) {
    self.all = all
    names = all.map(\.name)
    // The registration reports names that stand twice.
    positions = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { all.count }
  subscript(index: Int) -> JourneyQuestion { all[index] }
}

/// A question of a journey: a field, and what depends on other answers.
package struct JourneyQuestion: Sendable {
  /// The field, or the list that a page has instead.
  let subject: Subject
  /// Whether the question is asked, if its page is; nil for always.
  package var condition: JourneyCode<Bool>?
  /// The label; nil for the title of the field.
  package var title: JourneyCode<Text>?
  /// The limits from other answers.
  package var limits: [Limit] = []
  /// The answers that the field itself permits, and the journey does not.
  package var refusals: [Refusal] = []
  /// Whether the answer confirms the others: a change of another answer takes it away.
  package var isConfirmation = false
  /// The condition for the clients of a form, with the answers of the pages before; nil if the condition reads no answer
  /// of the same page, and for code in Swift.
  package var conditionOfForm: JourneyCode<FieldCondition>?
  /// Whether the condition is code in Swift, of which only its runs show which answers it reads.
  package var isInSwift = false

  /// Indirect, because each resolution of a journey copies its questions.
  indirect enum Subject: Sendable {
    case field(FieldSchema)
    case list(JourneyList)
  }

  package struct Limit: Sendable {
    /// Whether the limit reads an answer of the same page, which a form does not have yet; nil for code in Swift.
    let readsPage: Bool?
    /// Returns nil if the limit reads an answer that is not there.
    let make: JourneyCode<ScreenLimit.Kind?>

    package init(readsPage: Bool?, make: @escaping JourneyCode<ScreenLimit.Kind?>) {
      (self.readsPage, self.make) = (readsPage, make)
    }
  }

  /// A rule with its sentence. The values contain the answer.
  package struct Refusal: Sendable {
    let isRefused: JourneyCode<Bool>
    let sentence: JourneyCode<Text>

    package init(_ isRefused: @escaping JourneyCode<Bool>, sentence: @escaping JourneyCode<Text>) {
      (self.isRefused, self.sentence) = (isRefused, sentence)
    }
  }

  package init(_ field: FieldSchema) { subject = .field(field) }

  init(_ list: JourneyList) { subject = .list(list) }

  package var name: String {
    switch subject {
    case .field(let field): field.name
    case .list(let list): list.name
    }
  }

  /// A field that says whether the history hides the answer. A list is hidden if a question of its items is.
  var journaled: FieldSchema {
    switch subject {
    case .field(let field): field
    case .list(let list):
      FieldSchema(
        list.name, title: list.label, kind: TextKind(),
        isSensitive: list.questions.contains { $0.field?.isHidden ?? false })
    }
  }

  /// Nil for a list.
  var field: FieldSchema? { if case .field(let field) = subject { field } else { nil } }

  /// Returns an answer in the form in which it is stored, so that the same answer given again is no change. An answer
  /// that the field does not permit stays as it was given.
  ///
  /// - Parameter steps: the number of steps that the matches of patterns may still take.
  func stored(_ value: Value, _ steps: inout Int) -> Value {
    if value.isNull { return value }
    switch subject {
    case .field(let field):
      let cleaned = field.kind.cleaned(value)
      var failures: [InvalidInput.Failure] = []
      field.check(cleaned, &steps, into: &failures)
      return failures.isEmpty ? field.kind.stored(cleaned) : cleaned
    case .list(let list):
      // One item too many is enough for the refusal.
      return .array(
        value.elements.prefix(list.maximumCount + 1).map { item in
          .object(
            list.questions.compactMap { question in
              item[question.name].flatMap { $0.isNull ? nil : (question.name, question.stored($0, &steps)) }
            })
        })
    }
  }

  /// Whether the valid answers of its page have one to this question.
  package var isAlwaysAnswered: Bool { condition == nil && field?.isRequired ?? false }

  /// The title of the field or of the list.
  package var label: Text {
    switch subject {
    case .field(let field): field.title
    case .list(let list): list.label
    }
  }
}

/// A question with items, each of which answers further questions on one page or several.
package final class JourneyList: Sendable {
  let name: String
  package let label: Text
  /// The pages of an item.
  let pages: [ItemPage]
  let size: Size
  /// The label of an item, and its answer.
  let itemTitle: JourneyCode<Text>
  let itemDetail: JourneyCode<Text>?
  let sentences: Sentences

  package enum Size: Sendable {
    /// A list page adds and removes items.
    case range(ClosedRange<Int>)
    /// The pages of the items follow each other, as many as the answers say; nil for an answer that is not there.
    case exactly(JourneyCode<Int?>)
  }

  package struct ItemPage: Sendable {
    let title: ScreenTitle
    let questions: [JourneyQuestion]

    /// - Parameters:
    ///   - title: nil for that of the only question, or else that of the list.
    ///   - list: the title of the list.
    package init(title: ScreenTitle?, of list: Text, _ questions: [JourneyQuestion]) {
      let only = questions.count == 1 ? questions[0] : nil
      self.title = title ?? only?.title.map { .ofPage($0) } ?? .fixed(only?.label ?? list)
      self.questions = questions
    }
  }

  package struct Sentences: Sendable {
    /// Nil for a text of the service.
    let tooFew: JourneyCode<Text>?
    let tooMany: JourneyCode<Text>?

    package init(tooFew: JourneyCode<Text>?, tooMany: JourneyCode<Text>?) {
      (self.tooFew, self.tooMany) = (tooFew, tooMany)
    }
  }

  package init(
    _ name: String, title: Text, pages: [ItemPage], size: Size, itemTitle: @escaping JourneyCode<Text>,
    itemDetail: JourneyCode<Text>?, sentences: Sentences
  ) {
    (self.name, label, self.pages, self.size) = (name, title, pages, size)
    (self.itemTitle, self.itemDetail, self.sentences) = (itemTitle, itemDetail, sentences)
  }

  var questions: [JourneyQuestion] { pages.flatMap(\.questions) }

  /// The most items of a counted list.
  static let countLimit = 1000

  /// Whether the answers say how many items there are.
  var isCounted: Bool { if case .exactly = size { true } else { false } }
}
