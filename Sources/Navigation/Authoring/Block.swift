package import Languages

/// One piece of the content of a screen, for clients that draw any app.
public enum Block: Sendable, Equatable {
  case text(Text)
  case heading(Text)
  /// Labels with values, such as the lines of an order.
  case facts([Fact])
  /// See ``list(_:pageSize:)``.
  case list(ItemList)
  /// See ``table(_:title:rows:)``.
  case table(Table)
  /// See ``progress(step:of:title:)``.
  case progress(Progress)
  /// See ``section(_:isOpen:_:)``.
  case section(Section)
  /// `source` is a URL; `alternative` describes the image.
  case image(source: String, alternative: Text)
  case notice(Text, tone: Tone = .info)
  /// A link out of the app; `href` is a URL.
  case link(Text, href: String)
  /// The answers of a journey, each with its actions.
  case answers([Answer])

  public struct Fact: Sendable, Equatable {
    public let label: Text
    public let value: Text

    public init(_ label: Text, _ value: Text) {
      self.label = label
      self.value = value
    }
  }

  public enum Tone: String, Sendable { case info, success, warning, error }

  // MARK: Progress

  /// The position of a screen in a flow, such as step 2 of 4.
  ///
  /// - Parameters:
  ///   - step: from 1; a number outside of the flow becomes the nearest step.
  ///   - count: the number of steps, at least 1.
  public static func progress(step: Int, of count: Int, title: Text? = nil) -> Block {
    let count = max(1, count)
    return .progress(Progress(step: min(max(1, step), count), count: count, title: title))
  }

  public struct Progress: Sendable, Equatable {
    public let step: Int
    public let count: Int
    public let title: Text?
  }

  // MARK: Tables

  /// A table, which has no pages: show more than a few dozen rows as a list.
  ///
  ///     .table(["Day", "Amount"], rows: payments.map { [.date($0.day), .money($0.cents, currency: "EUR")] })
  ///
  /// - Parameter rows: the cells of each row. A missing cell is empty, and one without a column is left out.
  public static func table(_ columns: [Text], title: Text? = nil, rows: [[Text]]) -> Block {
    .table(Table(columns: columns, title: title, rows: rows))
  }

  public struct Table: Sendable, Equatable {
    public let columns: [Text]
    public let title: Text?
    /// Each row has a cell for each column.
    public let rows: [[Text]]

    fileprivate init(columns: [Text], title: Text?, rows: [[Text]]) {
      (self.columns, self.title) = (columns, title)
      self.rows = rows.map { row in columns.indices.map { $0 < row.count ? row[$0] : "" } }
    }
  }

  // MARK: Limits

  /// The maximum number of parts of the content of a screen: the items on a page of each list, the cells of tables, facts
  /// and other blocks. A page with 10,000 items takes a second of a thread that serves others.
  public static let partLimit = 10_000

  /// The number of parts that a page shows of the block.
  var partCount: Int {
    switch self {
    case .facts(let facts): facts.count
    case .list(let list): min(list.count, list.pageSize)
    case .table(let table): (table.rows.count + 1) * table.columns.count
    case .section(let section): 1 + section.content.partCount
    case .answers(let answers): answers.count
    case .text, .heading, .progress, .image, .notice, .link: 1
    }
  }

  // MARK: Sections

  /// Content that people expand and collapse.
  ///
  /// - Parameters:
  ///   - isOpen: whether the content is expanded at first.
  ///   - content: the blocks. A section among them becomes a heading and its blocks.
  public static func section(_ title: Text, isOpen: Bool = false, _ content: [Block]) -> Block {
    .section(Section(title: title, isOpen: isOpen, content: content.flatMap(\.unfolded)))
  }

  public struct Section: Sendable, Equatable {
    public let title: Text
    public let isOpen: Bool
    public let content: [Block]
  }

  /// A section as a heading and its blocks; any other block itself.
  fileprivate var unfolded: [Block] {
    guard case .section(let section) = self else { return [self] }
    return [.heading(section.title)] + section.content
  }

  /// The number of positions that the block takes in the content of its screen. The positions count the blocks of
  /// sections, too, so that a list has the same position whether or not a client knows sections.
  public var positionCount: Int {
    guard case .section(let section) = self else { return 1 }
    return 1 + section.content.count
  }

  // MARK: Clients that do not know a block

  /// A type of block, with its name in JSON.
  public enum Kind: String, Sendable, CaseIterable {
    case text, heading, facts, list, table, progress, section, image, notice, link, answers
  }

  public var kind: Kind {
    switch self {
    case .text: .text
    case .heading: .heading
    case .facts: .facts
    case .list: .list
    case .table: .table
    case .progress: .progress
    case .section: .section
    case .image: .image
    case .notice: .notice
    case .link: .link
    case .answers: .answers
    }
  }

  /// The block as English text, for a client that cannot show it.
  public var plainText: String { plainText(in: .english) }

  /// Returns the block as text, for a client that cannot show it.
  ///
  /// - Parameter language: the language of the words that the service adds.
  package func plainText(in language: ServiceLanguage) -> String {
    switch self {
    case .text(let text), .heading(let text), .notice(let text, _): text.string
    case .facts(let facts):
      facts.map { "\($0.label.string.asLabel(in: language)) \($0.value.string)" }.joined(separator: "\n")
    case .list(let list): list.plainText(in: language)
    case .table(let table): table.plainText(in: language)
    case .progress(let progress): progress.plainText(in: language)
    case .section(let section):
      ([section.title.string] + section.content.map { $0.plainText(in: language) }).joined(separator: "\n")
    case .image(_, let alternative): alternative.string
    case .link(let text, let href): "\(text.string.asLabel(in: language)) \(href)"
    case .answers(let answers): answers.map { $0.plainText(in: language) }.joined(separator: "\n")
    }
  }

  /// Returns the block, or blocks that a client knows instead. There are as many as the ``positionCount`` of the block.
  ///
  /// - Parameters:
  ///   - kinds: the types of block that the client knows. Every client knows `text`.
  ///   - language: the language of the words that the service adds.
  package func shown(knowing kinds: Set<Kind>, in language: ServiceLanguage = .english) -> [Block] {
    if case .section(let section) = self {
      let content = section.content.shown(knowing: kinds, in: language)
      return kinds.contains(.section)
        ? [.section(Section(title: section.title, isOpen: section.isOpen, content: content))]
        : Block.heading(section.title).shown(knowing: kinds, in: language) + content
    }
    if kinds.contains(kind) { return [self] }
    if case .table(let table) = self, kinds.contains(.facts), table.columns.count == 2, table.title == nil {
      return [.facts(table.rows.map { Fact($0[0], $0[1]) })]
    }
    return [.text(Text(plainText(in: language)))]
  }
}

extension Block {
  /// Whether a text of the block may stand for a value.
  fileprivate var mayHaveValue: Bool {
    switch self {
    case .text(let text), .heading(let text), .notice(let text, _), .image(_, let text), .link(let text, _):
      text.value != nil
    case .facts(let facts): facts.contains { $0.value.value != nil || $0.label.value != nil }
    case .list(let list): list.mayHaveValue
    case .table(let table):
      table.title?.value != nil || table.columns.contains { $0.value != nil }
        || table.rows.contains { $0.contains { $0.value != nil } }
    case .progress(let progress): progress.title?.value != nil
    case .section(let section): section.title.value != nil || section.content.contains { $0.mayHaveValue }
    case .answers(let answers): answers.contains { $0.label.value != nil || $0.value.value != nil }
    }
  }

  fileprivate func written(by writer: TextWriter) -> Block {
    switch self {
    case .text(let text): .text(writer.written(text))
    case .heading(let text): .heading(writer.written(text))
    case .facts(let facts): .facts(facts.map { Fact(writer.written($0.label), writer.written($0.value)) })
    case .list(let list): .list(list.written(by: writer))
    case .table(let table):
      .table(
        table.columns.map { writer.written($0) }, title: table.title.map { writer.written($0) },
        rows: table.rows.map { row in row.map { writer.written($0) } })
    case .progress(let progress):
      .progress(step: progress.step, of: progress.count, title: progress.title.map { writer.written($0) })
    case .section(let section):
      .section(
        writer.written(section.title), isOpen: section.isOpen, section.content.map { $0.written(by: writer) })
    case .image(let source, let alternative): .image(source: source, alternative: writer.written(alternative))
    case .notice(let text, let tone): .notice(writer.written(text), tone: tone)
    case .link(let text, let href): .link(writer.written(text), href: href)
    case .answers(let answers): .answers(answers.map { $0.written(by: writer) })
    }
  }
}

extension Block {
  /// An answer of a journey: its question, the answer as people read it, and what people can do with it.
  public struct Answer: Sendable, Equatable {
    public let label: Text
    /// Empty for a question without an answer.
    public let value: Text
    public let actions: [Action]

    /// An action with its input.
    public struct Action: Sendable, Equatable {
      public let title: Text
      public let action: ItemAction

      init(_ title: Text, _ action: ActionDefinition, _ input: [(String, ItemInput.Argument)]) {
        self.title = title
        self.action = ItemAction(type: nil, declaration: action.key.declaration, input: ItemInput(input))
      }

      private init(_ title: Text, _ action: ItemAction) { (self.title, self.action) = (title, action) }

      fileprivate func written(by writer: TextWriter) -> Action { Action(writer.written(title), action) }
    }

    init(_ label: Text, _ value: Text, _ actions: [Action]) {
      (self.label, self.value, self.actions) = (label, value, actions)
    }

    /// Whether the row is that of a question without an answer. An item of a list may have no detail.
    package var isMissing: Bool {
      value.string.isEmpty && !actions.contains { $0.action.input.members.contains { $0.name == "item" } }
    }

    fileprivate func plainText(in language: ServiceLanguage) -> String {
      "\(label.string.asLabel(in: language)) \(value.string)"
    }

    fileprivate func written(by writer: TextWriter) -> Answer {
      Answer(writer.written(label), writer.written(value), actions.map { $0.written(by: writer) })
    }
  }
}

extension [Block] {
  /// Writes the texts of the blocks. Blocks that stay as they are cost no memory.
  mutating func write(by writer: TextWriter) {
    for index in indices where writer.changesTexts(haveValue: self[index].mayHaveValue) {
      self[index] = self[index].written(by: writer)
    }
  }

  /// The number of parts that a page shows of the blocks.
  var partCount: Int {
    reduce(0) { $0 + $1.partCount }
  }

  /// Returns the blocks for a client that knows these types; see ``Block/shown(knowing:in:)``.
  package func shown(knowing kinds: Set<Block.Kind>, in language: ServiceLanguage = .english) -> [Block] {
    flatMap { $0.shown(knowing: kinds, in: language) }
  }

  /// The answers of a journey.
  public var answers: [Block.Answer] {
    flatMap { block -> [Block.Answer] in if case .answers(let answers) = block { answers } else { [] } }
  }

  /// The actions of answers.
  var answerActions: [ItemAction] { answers.flatMap { $0.actions.map(\.action) } }

  /// The lists, also those in sections, each with its position in the content.
  public var lists: [(position: Int, list: ItemList)] {
    var lists: [(Int, ItemList)] = []
    var position = 0
    for block in self {
      switch block {
      case .list(let list): lists.append((position, list))
      case .section(let section):
        lists += section.content.lists.map { (position + 1 + $0.position, $0.list) }
      default: break
      }
      position += block.positionCount
    }
    return lists
  }
}

extension ItemList {
  /// Returns the first page as text.
  fileprivate func plainText(in language: ServiceLanguage) -> String {
    let items = page(from: 0).items
    let lines = items.map { item in item.title.string + (item.detail.map { "\(language.colon) \($0.string)" } ?? "") }
    let part = language(.listPart, ["shown": .integer(items.count), "count": .integer(count)])
    return (lines + (items.count < count ? [part] : [])).joined(separator: "\n")
  }
}

extension Block.Progress {
  fileprivate func plainText(in language: ServiceLanguage) -> String {
    let (step, count) = (TextArgument.Value.integer(step), TextArgument.Value.integer(count))
    guard let title else { return language(.step, ["step": step, "count": count]) }
    return language(.stepTitled, ["step": step, "count": count, "title": .text(title.string)])
  }
}

extension Block.Table {
  fileprivate func plainText(in language: ServiceLanguage) -> String {
    let lines = rows.map { row in
      zip(columns, row).map { "\($0.string.asLabel(in: language)) \($1.string)" }.joined(separator: ", ")
    }
    return ((title.map { [$0.string] } ?? []) + lines).joined(separator: "\n")
  }
}
