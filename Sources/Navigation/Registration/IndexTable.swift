/// Items by the indices of declarations.
///
/// A coordinator uses few of many declarations. With a slot for each of them, the memory of an app would grow with the
/// product of its coordinators and its declarations.
struct IndexTable<Item: Sendable>: Sendable {
  /// The number of declarations up to which each has a slot. A slot is faster than a lookup.
  private static var denseLimit: Int { 64 }

  /// By the index; empty if ``sparse`` has the items.
  private let slots: [Item?]
  private let sparse: [Int: Item]

  /// - Parameter count: the number of declarations.
  init(_ count: Int, _ items: [Item], index: (Item) -> Int?) {
    var found: [Int: Item] = [:]
    for item in items {
      if let index = index(item) { found[index] = item }
    }
    let isDense = count <= max(Self.denseLimit, 4 * found.count)
    slots = isDense ? (0..<count).map { found[$0] } : []
    sparse = isDense ? [:] : found
  }

  init<Named>(_ declarations: DeclarationTable<Named>, _ items: [Item], name: (Item) -> String) {
    self.init(declarations.count, items) { declarations.indexByName[name($0)] }
  }

  @inline(__always)
  subscript(index: Int) -> Item? { slots.isEmpty ? sparse[index] : slots[index] }

  /// The indices of all items, in their order.
  var indices: [Int] { slots.isEmpty ? sparse.keys.sorted() : slots.indices.filter { slots[$0] != nil } }

  @inline(__always)
  func firstIndex(where isSought: (Item) -> Bool) -> Int? {
    if slots.isEmpty { return sparse.first { isSought($0.value) }?.key }
    return slots.firstIndex { item in item.map(isSought) ?? false }
  }

  @inline(__always)
  func contains(_ index: Int) -> Bool { self[index] != nil }
}
