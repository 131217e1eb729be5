/// Validates untrusted bytes as one item of the subset of CBOR that ``Value`` describes.
struct CBORValidator {
  let base: UnsafePointer<UInt8>
  let end: Int
  let maximumDepth: Int

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
    guard UnsafeBufferPointer(start: base + head.next, count: head.count).isUTF8 else {
      throw ValueError(.invalidText, offset: at)
    }
    return head.next + head.count
  }

  private func array(_ head: CBOR.Head, at: Int, depth: Int) throws(ValueError) -> Int {
    guard depth < maximumDepth else { throw ValueError(.tooDeep, offset: at) }
    // An element takes at least one byte, so an impossible count is refused before the loop.
    guard head.argument <= UInt64(end - head.next) else { throw ValueError(.truncated, offset: end) }
    var next = head.next
    for _ in 0..<head.count { next = try item(at: next, depth: depth + 1) }
    return next
  }

  private func map(_ head: CBOR.Head, at: Int, depth: Int) throws(ValueError) -> Int {
    guard depth < maximumDepth else { throw ValueError(.tooDeep, offset: at) }
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
  /// Returns the first key that occurs a second time. Keys are compared by their bytes.
  static func first(_ base: UnsafePointer<UInt8>, map: Int) -> String? {
    let head = CBOR.head(base, map)
    var keys: Set<[UInt8]> = []
    var at = head.next
    for _ in 0..<head.count {
      guard keys.insert(Array(CBOR.textBytes(base, at))).inserted else { return CBOR.string(base, at) }
      at = CBOR.skip(base, CBOR.skip(base, at))
    }
    return nil
  }
}
