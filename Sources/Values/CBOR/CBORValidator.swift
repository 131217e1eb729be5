/// Validates untrusted bytes as one item of the subset of CBOR that ``Value`` describes.
struct CBORValidator {
  let base: UnsafePointer<UInt8>
  let end: Int

  /// Validates the item at `at`, which lies inside `depth` containers, and returns its end.
  func item(at: Int, depth: Int) throws(ValueError) -> Int {
    let head = try head(at: at)
    switch head.major {
    case CBOR.unsigned, CBOR.negative:
      guard head.argument <= UInt64(Int64.max) else { throw ValueError(.outOfRange("Int64"), offset: at) }
      return head.next
    case CBOR.text:
      return try text(head, at: at)
    case CBOR.array:
      return try array(head, at: at, depth: depth)
    case CBOR.map:
      return try map(head, at: at, depth: depth)
    default:
      return head.next
    }
  }

  private func head(at: Int) throws(ValueError) -> CBOR.Head {
    guard at < end else { throw ValueError(.truncated, offset: at) }
    let first = base[at]
    let (major, info) = (first >> 5, first & 31)
    switch major {
    case CBOR.simple:
      if info >= 20, info <= 22 { return CBOR.head(base, at) }
      guard first == CBOR.doubleByte else { throw ValueError(.unsupported(first), offset: at) }
      guard end - at > 8 else { throw ValueError(.truncated, offset: end) }
      let head = CBOR.longHead(base, at)
      guard Double(bitPattern: head.argument).isFinite else { throw ValueError(.notFinite, offset: at) }
      return head
    case CBOR.unsigned, CBOR.negative, CBOR.text, CBOR.array, CBOR.map:
      if info < 24 { return CBOR.head(base, at) }
      guard info < 28 else { throw ValueError(.unsupported(first), offset: at) }
      let size = 1 << Int(info - 24)
      guard end - at > size else { throw ValueError(.truncated, offset: end) }
      let head = CBOR.longHead(base, at)
      let minimum: UInt64 = info == 24 ? 24 : 1 << UInt64(size * 4)
      guard head.argument >= minimum else { throw ValueError(.notShortest, offset: at) }
      return head
    default:
      throw ValueError(.unsupported(first), offset: at)
    }
  }

  @inline(__always)
  private func text(_ head: CBOR.Head, at: Int) throws(ValueError) -> Int {
    guard head.argument <= UInt64(end - head.next) else { throw ValueError(.truncated, offset: end) }
    guard UTF8Validation.isValid(base + head.next, count: head.count) else {
      throw ValueError(.invalidText, offset: at)
    }
    return head.next + head.count
  }

  private func array(_ head: CBOR.Head, at: Int, depth: Int) throws(ValueError) -> Int {
    guard depth < Value.maximumDepth else { throw ValueError(.tooDeep, offset: at) }
    // An element takes at least one byte, so an impossible count is refused before the loop.
    guard head.argument <= UInt64(end - head.next) else { throw ValueError(.truncated, offset: end) }
    var next = head.next
    for _ in 0..<head.count { next = try item(at: next, depth: depth + 1) }
    return next
  }

  private func map(_ head: CBOR.Head, at: Int, depth: Int) throws(ValueError) -> Int {
    guard depth < Value.maximumDepth else { throw ValueError(.tooDeep, offset: at) }
    guard head.argument <= UInt64(end - head.next) / 2 else { throw ValueError(.truncated, offset: end) }
    var filter = KeyFilter()
    var mayRepeat = false
    var next = head.next
    for _ in 0..<head.count {
      let key = try self.head(at: next)
      guard key.major == CBOR.text else { throw ValueError(.keyNotText, offset: next) }
      next = try text(key, at: next)
      if filter.insert(base + key.next, count: key.count) { mayRepeat = true }
      next = try item(at: next, depth: depth + 1)
    }
    if mayRepeat, let key = DuplicateKeys.first(base, map: at) {
      throw ValueError(.duplicateKey(key), offset: at)
    }
    return next
  }
}

/// A Bloom filter of 64 bits over the keys of one map.
///
/// Most maps have a few keys that differ in length or in their first, middle or last byte. The filter rules out a
/// duplicate among them with a few instructions a key.
struct KeyFilter {
  private var seen: UInt64 = 0

  /// Inserts a key. Returns whether an equal key may have been inserted before.
  @inline(__always)
  mutating func insert(_ key: UnsafePointer<UInt8>, count: Int) -> Bool {
    var hash = UInt64(truncatingIfNeeded: count) &* 11
    if count > 0 {
      hash &+= UInt64(key[0]) &* 31
      hash &+= UInt64(key[count >> 1]) &* 7
      hash &+= UInt64(key[count &- 1]) &* 17
    }
    let bit: UInt64 = 1 << (hash & 63)
    defer { seen |= bit }
    return seen & bit != 0
  }
}

/// The exact search for duplicate keys in a map, in linear time.
enum DuplicateKeys {
  /// The number of keys up to which all pairs are compared, which allocates nothing.
  private static let pairLimit = 12

  /// Returns the first key that equals an earlier one in the map at `map`, or nil.
  static func first(_ base: UnsafePointer<UInt8>, map: Int) -> String? {
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

  /// Searches with a hash table of positions (open addressing). Swift seeds the hash for each process, so that an
  /// attacker cannot choose keys that collide.
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
