/// The exact search for a key that occurs twice in a map, in linear time.
enum KeySet {
  /// Up to this many keys are compared in pairs, which needs no memory.
  private static let pairLimit = 12

  /// The first key that an earlier one equals. `map` is the position of the map's head.
  static func firstDuplicate(_ base: UnsafePointer<UInt8>, map: Int) -> String? {
    let head = CBOR.head(base, map)
    guard head.count > 1 else { return nil }
    let duplicate = head.count <= pairLimit ? inPairs(base, head) : hashed(base, head)
    return duplicate.map { CBOR.string(base, $0) }
  }

  private static func inPairs(_ base: UnsafePointer<UInt8>, _ head: CBOR.Head) -> Int? {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: head.count) { keys -> Int? in
      var at = head.next
      for index in 0..<head.count {
        for earlier in 0..<index where areEqual(base, keys[earlier], at) { return at }
        keys.initializeElement(at: index, to: at)
        let text = CBOR.textBytes(base, at)
        at = CBOR.skip(base, at + headSize(base, at) + text.count)
      }
      return nil
    }
  }

  /// Open addressing over positions. The hash is seeded for each process, so keys cannot be chosen to collide.
  private static func hashed(_ base: UnsafePointer<UInt8>, _ head: CBOR.Head) -> Int? {
    var size = 32
    while size < head.count * 2 { size *= 2 }
    var table = [Int](repeating: -1, count: size)
    var at = head.next
    for _ in 0..<head.count {
      let text = CBOR.textBytes(base, at)
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(text))
      var slot = hasher.finalize() & (size - 1)
      while table[slot] >= 0 {
        if areEqual(base, table[slot], at) { return at }
        slot = (slot + 1) & (size - 1)
      }
      table[slot] = at
      at = CBOR.skip(base, at + headSize(base, at) + text.count)
    }
    return nil
  }

  private static func headSize(_ base: UnsafePointer<UInt8>, _ at: Int) -> Int {
    CBOR.head(base, at).next - at
  }

  @inline(__always)
  private static func areEqual(_ base: UnsafePointer<UInt8>, _ left: Int, _ right: Int) -> Bool {
    let (left, right) = (CBOR.textBytes(base, left), CBOR.textBytes(base, right))
    guard left.count == right.count, let mine = left.baseAddress, let theirs = right.baseAddress else { return false }
    return Memory.areEqual(mine, theirs, count: left.count)
  }
}
