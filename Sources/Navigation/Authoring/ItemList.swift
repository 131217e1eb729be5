public import Values

extension Block {
  /// A list of items. Clients show a long one page by page.
  ///
  /// - Parameter pageSize: the number of items of a page, from 1 to ``ItemList/maximumPageSize``.
  public static func list(_ items: [Item], pageSize: Int = ItemList.pageSize) -> Block {
    .list(ItemList(count: items.count, pageSize: pageSize, .made(items)))
  }

  /// A list with an item for each element. Only the items of the shown page are made.
  ///
  ///     .list(products) { .init(Text($0.name), action: Open.self, ["product": .text($0.id)]) }
  public static func list<Element: Sendable>(
    _ elements: [Element], pageSize: Int = ItemList.pageSize, item: @escaping @Sendable (Element) -> Item
  ) -> Block {
    .list(ItemList(count: elements.count, pageSize: pageSize, .make { item(elements[$0]) }))
  }

  /// An item of a list: a title, and what belongs to it.
  public struct Item: Sendable, Equatable {
    public let title: Text
    public let detail: Text?
    /// A picture of the item, which the title describes: a URL.
    public let image: String?
    /// The action that a tap on the item performs; nil if it performs none.
    public let action: ItemAction?
  }
}

extension Block.Item {
  public init(_ title: Text, detail: Text? = nil, image: String? = nil) {
    self.init(title: title, detail: detail, image: image, action: nil)
  }

  /// Creates an item that performs an action of its screen.
  ///
  ///     .init("Tea", detail: "3.00", action: Order.self, ["drink": "tea", "cups": 1])
  ///
  /// - Parameter input: the values of the action's fields, by their names.
  public init<A: Action>(
    _ title: Text, detail: Text? = nil, image: String? = nil, action: A.Type, _ input: ItemInput = [:]
  ) {
    let action = ItemAction(type: A.self, declaration: ObjectIdentifier(A.self), input: input)
    self.init(title: title, detail: detail, image: image, action: action)
  }

  /// An item that performs an action that is not a Swift type.
  package init(
    _ title: Text, detail: Text? = nil, image: String? = nil, action: ActionDefinition, _ input: ItemInput
  ) {
    let action = ItemAction(type: nil, declaration: action.key.declaration, input: input)
    self.init(title: title, detail: detail, image: image, action: action)
  }

  fileprivate var hasValue: Bool { title.isValue || detail?.isValue ?? false }

  fileprivate consuming func written(by writer: TextWriter) -> Block.Item {
    guard writer.changesTexts(haveValue: hasValue) else { return self }
    return Block.Item(
      title: writer.written(title), detail: detail.map { writer.written($0) }, image: image, action: action)
  }
}

/// The action of an item, with its input.
public struct ItemAction: Sendable, Equatable {
  /// Nil for an action that is not a Swift type.
  let type: (any Action.Type)?
  /// The ``ActionKey/declaration`` of the action.
  let declaration: ObjectIdentifier
  public let input: ItemInput

  /// Returns whether both are one action, with any input.
  public func isSameAction(as other: ItemAction) -> Bool { declaration == other.declaration }

  func performs(_ action: ActionDefinition) -> Bool { action.key.declaration == declaration }

  public static func == (a: ItemAction, b: ItemAction) -> Bool { a.isSameAction(as: b) && a.input == b.input }
}

/// The input of an item's action: the values of its fields, by their names.
///
/// A list has many items, and encoding an action for each would take twice the time of the rest of the view. The first
/// item of a list is checked against the declaration of the action.
public struct ItemInput: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// The value of a field.
  public enum Argument: Sendable, Equatable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
  {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    /// Several choices.
    case list([String])

    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    public init(arrayLiteral elements: String...) { self = .list(elements) }

    public var value: Values.Value {
      switch self {
      case .text(let text): Values.Value(text)
      case .integer(let number): Values.Value(number)
      case .number(let number): Values.Value(finite: number) ?? .null
      case .flag(let flag): Values.Value(flag)
      case .list(let texts): .array(texts.map { Values.Value($0) })
      }
    }
  }

  public struct Member: Sendable, Equatable {
    public let name: String
    public let argument: Argument
  }

  public let members: [Member]

  public init(dictionaryLiteral members: (String, Argument)...) { self.init(members) }

  package init(_ members: [(String, Argument)]) { self.members = members.map { Member(name: $0, argument: $1) } }

  /// The input as an object.
  public var value: Values.Value { .object(members.map { ($0.name, $0.argument.value) }) }
}

/// The items of a list, in pages.
public struct ItemList: Sendable, CustomStringConvertible, Equatable {
  /// The number of items of a page unless declared.
  public static let pageSize = 50
  /// The most items of a page. A larger page would delay the requests of others: the thread that writes it serves them,
  /// too.
  public static let maximumPageSize = 500

  public let count: Int
  public let pageSize: Int
  private let source: Source

  fileprivate enum Source: Sendable {
    case made([Block.Item])
    /// The items are made when they are shown, with their texts as the writer writes them.
    case make(@Sendable (Int) -> Block.Item, TextWriter = .identity)
  }

  fileprivate init(count: Int, pageSize: Int, _ source: Source) {
    self.count = count
    self.pageSize = min(max(1, pageSize), Self.maximumPageSize)
    self.source = source
  }

  /// The first item; nil for an empty list.
  var first: Block.Item? { count > 0 ? self[0] : nil }

  /// Returns an item by its index.
  ///
  /// - Precondition: the list has as many items.
  public subscript(index: Int) -> Block.Item {
    switch source {
    case .made(let items): items[index]
    case .make(let make, let writer): make(index).written(by: writer)
    }
  }

  /// Whether an item has a text that stands for a value, or is not made yet.
  var mayHaveValue: Bool {
    switch source {
    case .made(let items):
      // In place, because a copy of an item costs more than its bytes.
      let span = items.span
      for index in span.indices where span[index].hasValue { return true }
      return false
    case .make: return true
    }
  }

  /// Returns the list with its texts in a language. An item that is not made yet gets them when it is.
  func written(by writer: TextWriter) -> ItemList {
    switch source {
    case .made(let items):
      ItemList(count: count, pageSize: pageSize, .made(items.map { $0.written(by: writer) }))
    case .make(let make, _): ItemList(count: count, pageSize: pageSize, .make(make, writer))
    }
  }

  /// All items, if they are made already.
  public var made: [Block.Item]? { if case .made(let items) = source { items } else { nil } }

  /// Returns the page that begins with an item, or the last one if there are not as many items.
  public func page(from start: Int) -> Page {
    let start = start < count ? max(0, start) : max(0, (count - 1) / pageSize * pageSize)
    let end = min(start + pageSize, count)
    return Page(
      list: self, indices: start..<end, next: end < count ? end : nil,
      previous: start > 0 ? max(0, start - pageSize) : nil)
  }

  public struct Page: Sendable {
    fileprivate let list: ItemList
    /// The indices of the items in the list.
    public let indices: Range<Int>
    /// The first item of the next page; nil for the last page.
    public let next: Int?
    /// The first item of the previous page; nil for the first page.
    public let previous: Int?

    public var items: [Block.Item] {
      var items: [Block.Item] = []
      items.reserveCapacity(indices.count)
      forEach { items.append($0) }
      return items
    }

    /// Calls a closure with each item. A list whose items are made for their page makes them one by one.
    public func forEach(_ body: (Block.Item) -> Void) {
      switch list.source {
      case .made(let items): for index in indices { body(items[index]) }
      case .make(let make, let writer): for index in indices { body(make(index).written(by: writer)) }
      }
    }
  }

  /// The number of items, and the first page of them.
  public var description: String { "\(count) items: \(page(from: 0).items)" }

  public static func == (a: ItemList, b: ItemList) -> Bool {
    a.count == b.count && a.pageSize == b.pageSize && (0..<a.count).allSatisfy { a[$0] == b[$0] }
  }
}

/// The pages of a screen's lists that a client asks for: for each list, its position in the content and the first item.
///
/// As text, positions and items stand in pairs: `0.50,2.100`.
public struct ListPages: Sendable {
  fileprivate let starts: [(block: Int, item: Int)]

  /// Reads pages from text. Returns nil for any other text.
  public init?(_ text: String) {
    var starts: [(Int, Int)] = []
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      let numbers = pair.split(separator: ".", omittingEmptySubsequences: false).map {
        $0.utf8.count <= 9 ? Int(digits: $0) : nil
      }
      guard numbers.count == 2, let block = numbers[0], let item = numbers[1] else { return nil }
      starts.append((block, item))
    }
    self.starts = starts
  }
}

/// Pages that a client asks for; nil for the first page of each list.
extension ListPages? {
  /// Returns the first item of the list at this position in the content.
  public func start(of block: Int) -> Int { self?.starts.first { $0.block == block }?.item ?? 0 }

  /// Returns the text of the same pages, with another one of a list.
  public func text(showing item: Int, of block: Int) -> String {
    let others = self?.starts.filter { $0.block != block } ?? []
    return (others + [(block, item)]).map { "\($0.block).\($0.item)" }.joined(separator: ",")
  }
}
