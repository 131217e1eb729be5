extension ByteWriter {
  /// Sorts the members of the map at `at`, which ends the buffer, by the bytes of their keys.
  mutating func sortMap(at: Int) {
    sort(at: at, group: 2) { base, entry in CBOR.textBytes(base, entry.lowerBound) }
  }

  /// Sorts the elements of the array at `at`, which ends the buffer, by their bytes; `group` items make an element.
  mutating func sortArray(at: Int, group: Int) {
    sort(at: at, group: group) { base, entry in
      UnsafeBufferPointer(start: base + entry.lowerBound, count: entry.count)
    }
  }

  private mutating func sort(
    at: Int, group: Int,
    by key: (UnsafePointer<UInt8>, Range<Int>) -> UnsafeBufferPointer<UInt8>
  ) {
    let base = start
    let head = CBOR.head(base, at)
    var position = head.next
    var entries: [Range<Int>] = []
    while position < count {
      let from = position
      for _ in 0..<group { position = CBOR.skip(base, position) }
      entries.append(from..<position)
    }
    entries.sort { key(base, $0).lexicographicallyPrecedes(key(base, $1)) }
    var sorted = ByteWriter(capacity: count - head.next)
    for entry in entries { sorted.append(base + entry.lowerBound, count: entry.count) }
    truncate(to: head.next)
    insert(sorted, at: head.next)
  }
}
