internal import Languages
internal import Values

/// A journey: questions on pages, a page to check the answers, and what sends them. Its coordinator keeps the answers in
/// optional properties, and declares the journey in its wiring; see ``Wiring/journey(_:done:)``.
///
///     static let journey = Journey<Self> {
///       Page("setting", title: "The home") {
///         Question(\.setting, Field("What kind of home is it?", showsAll: true))
///         Question(\.other, Field("Which kind?", length: 1...80)).when { $0.setting == .other }
///       }
///       Page("people", Items(\.people, "People", count: 1...30, title: { Text($0.name ?? "") }) {
///         Question(\.name, Field("Name", length: 1...80))
///       })
///     }
///
/// Closures read the answers before them, and nothing else; see ``JourneyAnswers``.
public struct Journey<Owner: Coordinator>: Sendable {
  let pages: [Page<Owner>]
  let tasks: JourneyTasks?
  private(set) var check = JourneyDefinition.CheckPage(
    "check", title: Text(.journeyCheck), submit: Text(.journeySubmit), content: { _ in [] })
  private(set) var showsProgress = true

  /// - Parameter pages: in their order.
  public init(@JourneyBuilder<Page<Owner>> pages: () -> [Page<Owner>]) {
    self.pages = pages()
    tasks = nil
  }

  /// Declares a journey that shows a task list first, from which people choose the order of the sections.
  ///
  ///     Journey<Self>(tasks: "tasks", title: "Your application") {
  ///       Section("you", title: "You") {
  ///         Page("name") { Question(\.name, Field("Name")) }
  ///       }
  ///       Section("plan", title: "Your plan") {
  ///         Page("kind") { Question(\.kind, Field("Kind")) }
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - name: the name of the screen of the task list, unique in the app.
  ///   - title: nil for a text of the service.
  ///   - content: blocks above the sections.
  ///   - sections: in their order.
  public init(
    tasks name: String, title: Text? = nil,
    content: @escaping @Sendable (JourneyAnswers<Owner>) -> [Block] = { _ in [] },
    @JourneyBuilder<Section<Owner>> sections: () -> [Section<Owner>]
  ) {
    var pages: [Page<Owner>] = []
    var lowered: [JourneyTasks.Section] = []
    for section in sections() {
      let start = pages.count
      pages += section.pages
      lowered.append(JourneyTasks.Section(section.name, title: section.title, pages: start..<pages.count))
    }
    self.pages = pages
    tasks = JourneyTasks(
      name, title: title ?? Text(.journeyTasks), content: { content(try JourneyAnswers($0)) }, sections: lowered)
  }

  /// Returns the journey with another check page. A text that is nil is one of the service.
  ///
  /// - Parameters:
  ///   - name: the name of its screen, unique in the app.
  ///   - submit: the label of the button that sends.
  ///   - actions: the actions beside those of the journey; see ``Page/actions(_:)``.
  ///   - content: blocks above the answers.
  public func check(
    _ name: String = "check", title: Text? = nil, submit: Text? = nil, actions: [any Action.Type] = [],
    content: @escaping @Sendable (JourneyAnswers<Owner>) -> [Block] = { _ in [] }
  ) -> Self {
    copy(of: self) {
      $0.check = JourneyDefinition.CheckPage(
        name, title: title ?? $0.check.title, submit: submit ?? $0.check.submit,
        content: { content(try JourneyAnswers($0)) }, actions: actions.map { ActionDefinition(type: $0) })
    }
  }

  /// Returns the journey with or without the block `progress` on its pages, which have it by default.
  public func progress(_ isShown: Bool) -> Self { copy(of: self) { $0.showsProgress = isShown } }
}

/// Pages of a ``Journey`` that belong together. The task list shows each section with its title, a status and a link.
public struct Section<Owner: Coordinator>: Sendable {
  let name: String
  let title: Text
  let pages: [Page<Owner>]

  /// - Parameters:
  ///   - name: unique in the journey. Clients open the section by its name.
  ///   - pages: in their order.
  public init(_ name: String, title: Text, @JourneyBuilder<Page<Owner>> pages: () -> [Page<Owner>]) {
    (self.name, self.title, self.pages) = (name, title, pages())
  }
}

/// A page of a ``Journey``: a screen with a form, a list of items, blocks alone, or an exit.
public struct Page<Owner: Coordinator>: Sendable {
  private let name: String
  private var title: ScreenTitle
  private var condition: JourneyCode<Bool>?
  private var blocks: JourneyCode<[Block]> = { _ in [] }
  private var verification: JourneyVerification?
  private var actions: [ActionDefinition] = []
  private let kind: JourneyPage.Kind
  /// Whether the author declares the page without questions.
  private var hasBlocksAlone = false
  /// Faults of its declaration, each with the name of the question.
  private let faults: [(question: String, fault: WiringFault)]

  private init(
    _ name: String, _ title: ScreenTitle, _ kind: JourneyPage.Kind,
    _ faults: [(question: String, fault: WiringFault)] = []
  ) {
    (self.name, self.title, self.kind, self.faults) = (name, title, kind, faults)
  }

  /// Declares a page with a form.
  ///
  /// - Parameters:
  ///   - name: the name of the screen, unique in the app.
  ///   - title: nil for that of the first question.
  public init(
    _ name: String, title: Text? = nil,
    @JourneyBuilder<Question<JourneyAnswers<Owner>>> questions: () -> [Question<JourneyAnswers<Owner>>]
  ) {
    let questions = questions().map { $0.definition }
    let first = questions.first
    self.init(
      name, title.map { .fixed($0) } ?? first?.title.map { .ofPage($0) } ?? .fixed(first?.label ?? ""),
      .questions(questions), questions.flatMap { $0.faults() })
  }

  /// Declares a page with a list of items. If the answers say how many items there are, the pages of the items take its
  /// place.
  ///
  /// - Parameters:
  ///   - name: the name of the screen, unique in the app. The pages of an item are `name-item`, `name-item-2` and so on.
  ///   - title: nil for that of the list.
  public init(_ name: String, title: Text? = nil, _ items: Items<Owner>) {
    self.init(name, .fixed(title ?? items.list.label), .list(items.list), items.faults)
  }

  /// Declares a page that asks nothing: people read it and continue.
  ///
  /// - Parameters:
  ///   - name: the name of the screen, unique in the app.
  ///   - content: what people read; see also ``content(_:)``.
  public init(_ name: String, title: Text, content: [Block] = []) {
    self.init(name, .fixed(title), .questions([]))
    blocks = { _ in content }
    hasBlocksAlone = true
  }

  /// Declares the end of a branch without a request: people can only go back. No page after it is asked.
  ///
  /// - Parameters:
  ///   - name: the name of the screen, unique in the app.
  ///   - content: what people read.
  public init(exit name: String, title: Text, content: [Block] = []) {
    self.init(name, .fixed(title), .exit)
    blocks = { _ in content }
  }

  /// Returns the page, asked only while a condition on the answers of earlier pages holds.
  public func when(_ condition: @escaping @Sendable (JourneyAnswers<Owner>) -> Bool) -> Self {
    copy(of: self) { $0.condition = { condition(try JourneyAnswers($0)) } }
  }

  /// Returns the page with a title that depends on earlier answers.
  public func title(_ title: @escaping @Sendable (JourneyAnswers<Owner>) -> Text) -> Self {
    copy(of: self) { $0.title = .ofPage { title(try JourneyAnswers($0)) } }
  }

  /// Returns the page with blocks above the form or the items.
  public func content(_ content: @escaping @Sendable (JourneyAnswers<Owner>) -> [Block]) -> Self {
    copy(of: self) { $0.blocks = { content(try JourneyAnswers($0)) } }
  }

  /// Returns the page whose answers an effect verifies before they count.
  ///
  ///     Page("start") { Question(\.parcel, Field("Number of the parcel")) }
  ///       .verified(by: FindParcel.self) { answers in answers.parcel.map { FindParcel(parcel: $0) } }
  ///
  /// The wiring declares the effect with ``Wiring/performs(_:mayRefuse:done:failed:)``. `done` runs once the answers
  /// are taken, and may replace them or answer other questions. Both handlers may refuse the answers with
  /// ``Navigator/refuse(_:field:)``, also without `mayRefuse`. After any other failure, people may try again.
  ///
  /// - Parameters:
  ///   - title: the title of the screen until the outcome; nil for a text of the service.
  ///   - request: makes the effect from the answers of the page and those before; nil if there is nothing to ask. An
  ///     effect with the values that were accepted last is not requested again.
  public func verified<E: Effect>(
    by effect: E.Type, title: Text? = nil, _ request: @escaping @Sendable (JourneyAnswers<Owner>) -> E?
  ) -> Self {
    copy(of: self) {
      $0.verification = JourneyVerification(E.name, title: title) { (scope: JourneyScope) -> Draft? in
        request(try JourneyAnswers(scope)).map { Draft($0, named: E.name) }
      }
    }
  }

  /// Returns the page with actions beside those of the journey, which take none of the typed values. The wiring handles
  /// them with ``Wiring/on(_:hidden:disabled:do:)``.
  public func actions(_ actions: [any Action.Type]) -> Self {
    copy(of: self) { $0.actions = actions.map { ActionDefinition(type: $0) } }
  }

  var definition: JourneyPage {
    JourneyPage(
      name, title: title, condition: condition, content: blocks, verification: verification, actions: actions, kind)
  }

  var questions: [JourneyQuestion] { definition.questions }

  /// Returns the faults of the declaration, each with its page and question.
  ///
  /// - Parameter outcomes: the names of the effects whose outcomes the coordinator handles.
  func wiringFaults(_ outcomes: Set<String>) -> [WiringFaults.Fault] {
    var found = faults.map { (location: "\(name) › \($0.question)", fault: $0.fault) }
    var (hasForm, showsActions) = (false, true)
    switch kind {
    case .questions(let questions):
      hasForm = !questions.isEmpty
      if questions.isEmpty, !hasBlocksAlone { found.append((name, .pageWithoutQuestion)) }
    case .list(let list): showsActions = !list.isCounted
    case .exit: showsActions = false
    }
    if let effect = verification?.effect {
      if !hasForm { found.append((name, .verificationWithoutForm)) }
      if !outcomes.contains(effect) { found.append(("\(name) › \(effect)", .verificationWithoutOutcome)) }
    }
    if !actions.isEmpty, !showsActions { found.append((name, .actionsWithoutPage)) }
    return found.map { WiringFaults.Fault(location: $0.location, $0.fault) }
  }
}

/// A question with items, each of which answers further questions: the property has an array of a type of optional
/// properties.
///
///     struct Person: Codable { var name: String?, started: CalendarDate? }
///
///     Items(
///       \.people, "People with symptoms", count: 1...30, tooFew: "Add at least one person.",
///       title: { Text($0.name ?? "") }
///     ) {
///       Question(\.name, Field("Name", length: 1...80))
///       Question(\.started, Field("First day with symptoms"))
///     }
public struct Items<Owner: Coordinator>: Sendable {
  let list: JourneyList
  fileprivate let faults: [(question: String, fault: WiringFault)]

  /// Declares a list to which people add items.
  ///
  /// - Parameters:
  ///   - property: a stored property of the coordinator, which is encoded under its own name.
  ///   - label: the title of the list page, and the label on the check page.
  ///   - count: the minimum and maximum number of items.
  ///   - tooFew: the sentence for people about a missing item; nil for one of the service.
  ///   - tooMany: the sentence for people about an item too many; nil for one of the service.
  ///   - title: how an item is shown.
  ///   - detail: the text beside the title.
  ///   - pageTitle: the title of the pages of an item; nil for that of the only question of a page, or else the label.
  ///   - questions: the questions of an item, on one page or on several ``ItemPage``s.
  public init<Item: Codable & Sendable>(
    _ property: KeyPath<Owner, [Item]?>, _ label: Text, count: ClosedRange<Int>, tooFew: Text? = nil,
    tooMany: Text? = nil, title: @escaping @Sendable (ItemAnswers<Owner, Item>) -> Text,
    detail: (@Sendable (ItemAnswers<Owner, Item>) -> Text)? = nil,
    pageTitle: (@Sendable (ItemAnswers<Owner, Item>) -> Text)? = nil,
    @ItemBuilder<Owner, Item> questions: () -> [ItemPage<Owner, Item>]
  ) {
    self.init(
      property.storedName, label, .range(count), tooFew, tooMany, title, detail, pageTitle, questions())
  }

  /// Declares a list whose number of items follows from earlier answers. The pages of the items follow each other.
  ///
  /// - Parameter count: nil while the answer is not there, so that the list is not asked.
  public init<Item: Codable & Sendable>(
    _ property: KeyPath<Owner, [Item]?>, _ label: Text, count: @escaping @Sendable (JourneyAnswers<Owner>) -> Int?,
    title: @escaping @Sendable (ItemAnswers<Owner, Item>) -> Text,
    detail: (@Sendable (ItemAnswers<Owner, Item>) -> Text)? = nil,
    pageTitle: (@Sendable (ItemAnswers<Owner, Item>) -> Text)? = nil,
    @ItemBuilder<Owner, Item> questions: () -> [ItemPage<Owner, Item>]
  ) {
    self.init(
      property.storedName, label, .exactly { count(try JourneyAnswers($0)) }, nil, nil, title, detail, pageTitle,
      questions())
  }

  private init<Item: Codable & Sendable>(
    _ name: String, _ label: Text, _ size: JourneyList.Size, _ tooFew: Text?, _ tooMany: Text?,
    _ title: @escaping @Sendable (ItemAnswers<Owner, Item>) -> Text,
    _ detail: (@Sendable (ItemAnswers<Owner, Item>) -> Text)?,
    _ pageTitle: (@Sendable (ItemAnswers<Owner, Item>) -> Text)?, _ pages: [ItemPage<Owner, Item>]
  ) {
    func made(_ text: @escaping @Sendable (ItemAnswers<Owner, Item>) -> Text) -> JourneyCode<Text> {
      { text(try ItemAnswers($0)) }
    }
    func constant(_ text: Text) -> JourneyCode<Text> { { _ in text } }
    list = JourneyList(
      name, title: label,
      pages: pages.map { page in
        let questions = page.questions.map { $0.definition }
        return JourneyList.ItemPage(title: pageTitle.map { .ofPage(made($0)) }, of: label, questions)
      },
      size: size, itemTitle: made(title), itemDetail: detail.map { made($0) },
      sentences: JourneyList.Sentences(tooFew: tooFew.map { constant($0) }, tooMany: tooMany.map { constant($0) }))
    let questions = list.questions
    let repeated = questions.map { $0.name }.repeated.map { question in
      (question: "\(name) › \(question)", fault: WiringFault.repeatedQuestion)
    }
    let empty = list.pages.contains { $0.questions.isEmpty } || list.pages.isEmpty
    faults =
      JourneyQuestion(list).faults() + questions.flatMap { $0.faults(in: name) } + repeated
      + (empty ? [(question: name, fault: .pageWithoutQuestion)] : [])
  }
}

/// One of several pages of an item.
public struct ItemPage<Owner: Coordinator, Item: Codable & Sendable>: Sendable {
  fileprivate let questions: [Question<ItemAnswers<Owner, Item>>]
  /// Whether the questions stand outside of an explicit page.
  fileprivate let isImplicit: Bool

  public init(
    @JourneyBuilder<Question<ItemAnswers<Owner, Item>>> questions: () -> [Question<ItemAnswers<Owner, Item>>]
  ) {
    self.init(questions(), isImplicit: false)
  }

  fileprivate init(_ questions: [Question<ItemAnswers<Owner, Item>>], isImplicit: Bool) {
    (self.questions, self.isImplicit) = (questions, isImplicit)
  }
}

/// The sections or pages of a journey, or the questions of a page, one after the other.
@resultBuilder
public enum JourneyBuilder<Element> {
  public static func buildExpression(_ element: Element) -> Element { element }
  public static func buildBlock(_ elements: Element...) -> [Element] { elements }
}

/// The questions of an item: all on one page, or on an ``ItemPage`` each.
@resultBuilder
public enum ItemBuilder<Owner: Coordinator, Item: Codable & Sendable> {
  public static func buildExpression(_ question: Question<ItemAnswers<Owner, Item>>) -> ItemPage<Owner, Item> {
    ItemPage([question], isImplicit: true)
  }

  public static func buildExpression(_ page: ItemPage<Owner, Item>) -> ItemPage<Owner, Item> { page }

  public static func buildBlock(_ pages: ItemPage<Owner, Item>...) -> [ItemPage<Owner, Item>] {
    var merged: [ItemPage<Owner, Item>] = []
    for page in pages {
      if page.isImplicit, let last = merged.last, last.isImplicit {
        merged[merged.count - 1] = ItemPage(last.questions + page.questions, isImplicit: true)
      } else {
        merged.append(page)
      }
    }
    return merged
  }
}

extension JourneyQuestion {
  /// The faults of the declaration in Swift.
  ///
  /// - Parameter list: the list of whose items the question is; nil for one of the journey.
  fileprivate func faults(in list: String? = nil) -> [(question: String, fault: WiringFault)] {
    let reserved = list == nil ? [GivenAnswers.property] : ["number", "count"]
    let location = [list, name].compactMap(\.self).joined(separator: " › ")
    return (name.isEmpty || reserved.contains(name) ? [(location, .unstoredQuestion)] : [])
      + (field?.isSecret == true ? [(location, .secretQuestion)] : [])
  }
}
