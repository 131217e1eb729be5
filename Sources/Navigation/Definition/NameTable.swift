internal import Values

/// Declared names, their versions and places, found by the bytes that a packed session has, without making a string of them.
struct NameTable: Sendable {
  private let rows: [(name: String, version: Int)]
  /// Places in `rows` by their hashes, open-addressed; -1 where there is none. A power of two, at most half full.
  private let slots: [Int32]

  /// - Parameter schemas: of which no two have one name.
  init(_ schemas: [SchemaDefinition]) {
    rows = schemas.map { ($0.name, $0.version) }
    var slots = [Int32](repeating: -1, count: 1 << (Int.bitWidth - (rows.count * 2).leadingZeroBitCount))
    for (place, row) in rows.enumerated() {
      var slot = Self.hash(row.name.utf8Span.span) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(place)
    }
    self.slots = slots
  }

  func version(at place: Int) -> Int { rows[place].version }

  subscript(name: String) -> Int? { self[name.utf8Span.span] }

  subscript(name: Span<UInt8>) -> Int? {
    var slot = Self.hash(name) & (slots.count - 1)
    while slots[slot] >= 0 {
      let place = Int(slots[slot])
      if name.hasSameBytes(as: rows[place].name.utf8Span.span) { return place }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// FNV-1a.
  private static func hash(_ name: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash >> 1)
  }
}
