/// Checks that bytes are an item of the subset before anything else reads them.
struct CBORValidator {
  let base: UnsafePointer<UInt8>
  let end: Int

  /// Checks the item at `at`, which lies inside `depth` containers, and says where it ends.
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
      let least: UInt64 = info == 24 ? 24 : 1 << UInt64(size * 4)
      guard head.argument >= least else { throw ValueError(.notShortest, offset: at) }
      return head
    default:
      throw ValueError(.unsupported(first), offset: at)
    }
  }

  @inline(__always)
  private func text(_ head: CBOR.Head, at: Int) throws(ValueError) -> Int {
    guard head.argument <= UInt64(end - head.next) else { throw ValueError(.truncated, offset: end) }
    guard UTF8Check.isValid(base + head.next, count: head.count) else { throw ValueError(.invalidText, offset: at) }
    return head.next + head.count
  }

  private func array(_ head: CBOR.Head, at: Int, depth: Int) throws(ValueError) -> Int {
    guard depth < Value.maximumDepth else { throw ValueError(.tooDeep, offset: at) }
    // Every element takes a byte at least, so a count that cannot be true is refused before the loop.
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
    if mayRepeat, let key = KeySet.firstDuplicate(base, map: at) {
      throw ValueError(.duplicateKey(key), offset: at)
    }
    return next
  }
}
