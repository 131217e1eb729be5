/// Items by the indices of declarations.
///
/// A coordinator uses few of many declarations. With a place for each of them, the memory of an app would grow with the
/// product of its coordinators and its declarations.
struct IndexTable<Item: Sendable>: Sendable {
  /// The number of declarations up to which each has a place. It is faster than a lookup.
  private static var denseLimit: Int { 64 }

  /// By the index; empty if ``sparse`` has the items.
  private let places: [Item?]
  private let sparse: [Int: Item]

  /// - Parameter count: the number of declarations.
  init(_ count: Int, _ items: [Item], index: (Item) -> Int?) {
    var found: [Int: Item] = [:]
    for item in items {
      if let index = index(item) { found[index] = item }
    }
    let isDense = count <= max(Self.denseLimit, 4 * found.count)
    places = isDense ? (0..<count).map { found[$0] } : []
    sparse = isDense ? [:] : found
  }

  @inline(__always)
  subscript(index: Int) -> Item? { places.isEmpty ? sparse[index] : places[index] }

  /// The indices of all items, in their order.
  var indices: [Int] { places.isEmpty ? sparse.keys.sorted() : places.indices.filter { places[$0] != nil } }

  @inline(__always)
  func firstIndex(where isSought: (Item) -> Bool) -> Int? {
    if places.isEmpty { return sparse.first { isSought($0.value) }?.key }
    return places.firstIndex { item in item.map(isSought) ?? false }
  }

  @inline(__always)
  func contains(_ index: Int) -> Bool { self[index] != nil }
}
