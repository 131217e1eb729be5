/// A set of indices below a known bound; one of up to 64 needs no allocation.
struct IndexSet {
  private var first: UInt64 = 0
  private var rest: [UInt64]

  init(upTo bound: Int) {
    rest = bound > 64 ? [UInt64](repeating: 0, count: bound / 64) : []
  }

  func contains(_ index: Int) -> Bool {
    let word = index < 64 ? first : rest[index / 64 - 1]
    return word >> UInt64(index % 64) & 1 == 1
  }

  /// False for an index that is in the set already.
  mutating func insert(_ index: Int) -> Bool {
    let bit = UInt64(1) << UInt64(index % 64)
    if index < 64 {
      defer { first |= bit }
      return first & bit == 0
    }
    defer { rest[index / 64 - 1] |= bit }
    return rest[index / 64 - 1] & bit == 0
  }
}
