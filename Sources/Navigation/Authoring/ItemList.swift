public import Values

extension Block {
  /// A list of items. Clients show a long one page by page.
  ///
  /// - Parameter pageSize: the number of items of a page, at least 1.
  public static func list(_ items: [Item], pageSize: Int = ItemList.pageSize) -> Block {
    .list(ItemList(count: items.count, pageSize: pageSize) { items[$0] })
  }

  /// A list with an item for each element. Only the items of the shown page are made.
  ///
  ///     .list(products) { .init($0.name, detail: $0.price, action: Open(product: Field(value: $0.id))) }
  public static func list<Element: Sendable>(
    _ elements: [Element], pageSize: Int = ItemList.pageSize, item: @escaping @Sendable (Element) -> Item
  ) -> Block {
    .list(ItemList(count: elements.count, pageSize: pageSize) { item(elements[$0]) })
  }

  /// An item of a list: a title, and what belongs to it.
  public struct Item: Sendable, Equatable {
    public let title: Text
    public let detail: Text?
    /// A picture of the item, which the title describes: a URL.
    public let image: String?
    /// The action that a tap on the item performs; nil if it performs none.
    public let action: ItemAction?

    public init(_ title: Text, detail: Text? = nil, image: String? = nil) {
      (self.title, self.detail, self.image, action) = (title, detail, image, nil)
    }

    /// Creates an item that performs an action of its screen, with this input.
    public init<A: Action>(_ title: Text, detail: Text? = nil, image: String? = nil, action: A) {
      (self.title, self.detail, self.image) = (title, detail, image)
      self.action = ItemAction(action)
    }
  }
}

/// The action of an item, with its input.
public struct ItemAction: Sendable, Equatable {
  let key: ActionKey
  /// The encoded action; nil if it cannot be encoded.
  public let input: Value?

  init<A: Action>(_ action: A) {
    key = ActionKey(A.self)
    input = try? Value(encoding: action)
  }

  /// Returns whether both are one action, with any input.
  public func isSameAction(as other: ItemAction) -> Bool { key == other.key }
}

/// The items of a list, in pages.
public struct ItemList: Sendable {
  /// The number of items of a page unless declared.
  public static let pageSize = 50

  public let count: Int
  public let pageSize: Int
  private let item: @Sendable (Int) -> Block.Item

  init(count: Int, pageSize: Int, item: @escaping @Sendable (Int) -> Block.Item) {
    self.count = count
    self.pageSize = max(1, pageSize)
    self.item = item
  }

  /// Returns the page that begins with an item, or the last one if there are not as many items.
  public func page(from start: Int) -> Page {
    let start = start < count ? max(0, start) : max(0, (count - 1) / pageSize * pageSize)
    let end = min(count, start + pageSize)
    return Page(
      start: start, items: (start..<end).map(item), next: end < count ? end : nil,
      previous: start > 0 ? max(0, start - pageSize) : nil)
  }

  public struct Page: Sendable {
    /// The place of the first item in the list.
    public let start: Int
    public let items: [Block.Item]
    /// The first item of the next page; nil for the last page.
    public let next: Int?
    /// The first item of the previous page; nil for the first page.
    public let previous: Int?
  }
}

extension ItemList: CustomStringConvertible {
  /// The number of items, and the first page of them.
  public var description: String { "\(count) items: \(page(from: 0).items)" }
}

extension ItemList: Equatable {
  public static func == (a: ItemList, b: ItemList) -> Bool {
    a.count == b.count && a.pageSize == b.pageSize && (0..<a.count).allSatisfy { a.item($0) == b.item($0) }
  }
}

/// The pages of a screen's lists that a client asks for: for each list, its place in the content and the first item.
///
/// As text, places and items stand in pairs: `0.50,2.100`.
public struct ListPages: Sendable {
  /// The first page of each list.
  public static let first = ListPages(starts: [])

  private let starts: [(block: Int, item: Int)]

  private init(starts: [(block: Int, item: Int)]) { self.starts = starts }

  /// Reads pages from text. Returns nil for any other text.
  public init?(_ text: String) {
    var starts: [(Int, Int)] = []
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      let numbers = pair.split(separator: ".", omittingEmptySubsequences: false).map { Self.number(String($0)) }
      guard numbers.count == 2, let block = numbers[0], let item = numbers[1] else { return nil }
      starts.append((block, item))
    }
    self.starts = starts
  }

  private static func number(_ text: String) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.count <= 9 ? Int(text) : nil
  }

  /// Returns the first item of the list at this place in the content.
  public func start(of block: Int) -> Int { starts.first { $0.block == block }?.item ?? 0 }

  /// Returns the text of the same pages, with another one of a list.
  public func text(showing item: Int, of block: Int) -> String {
    let others = starts.filter { $0.block != block }
    return (others + [(block, item)]).map { "\($0.block).\($0.item)" }.joined(separator: ",")
  }
}
