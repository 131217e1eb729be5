extension Value {
  /// The elements of an array one after the other, each sharing the buffer; none if the value is something else.
  public var elements: Elements {
    Elements(self)
  }

  /// A pass over the elements of an array.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private let array: Value
    private var position: Int
    private var remaining: Int

    init(_ array: Value) {
      let head = array.head
      self.array = array
      self.position = head.next
      self.remaining = head.major == CBOR.array ? head.count : 0
    }

    public var underestimatedCount: Int { remaining }

    public mutating func next() -> Value? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      let from = position
      position = array.withBase { CBOR.skip($0, from) }
      return Value(unchecked: array.storage, start: from, end: position)
    }
  }
}
