extension Value {
  /// The members of a map in their order, each sharing the buffer; none if the value is something else.
  public var members: Members {
    Members(self)
  }

  /// The value under `key`, or nil if the value is no map or has no such key. Keys are compared byte by byte.
  public subscript(key: String) -> Value? {
    let head = head
    guard head.major == CBOR.map else { return nil }
    var key = key
    return key.withUTF8 { wanted in
      withBase { base in
        var at = head.next
        for _ in 0..<head.count {
          let text = CBOR.textBytes(base, at)
          let value = text.baseAddress.unsafelyUnwrapped + text.count - base
          at = CBOR.skip(base, value)
          if text.count == wanted.count,
            wanted.isEmpty
              || Memory.areEqual(
                text.baseAddress.unsafelyUnwrapped, wanted.baseAddress.unsafelyUnwrapped, count: text.count)
          {
            return Value(unchecked: storage, start: value, end: at)
          }
        }
        return nil
      }
    }
  }

  /// One member of a map.
  public struct Member: Sendable {
    /// The key as a value of kind text, for comparing and copying without making a string.
    public let keyValue: Value
    public let value: Value

    /// The key.
    public var key: String { keyValue.text ?? "" }
  }

  /// A pass over the members of a map.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    private let map: Value
    private var position: Int
    private var remaining: Int

    init(_ map: Value) {
      let head = map.head
      self.map = map
      self.position = head.next
      self.remaining = head.major == CBOR.map ? head.count : 0
    }

    public var underestimatedCount: Int { remaining }

    public mutating func next() -> Member? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      let from = position
      let (value, end) = map.withBase { base in
        let value = CBOR.skip(base, from)
        return (value, CBOR.skip(base, value))
      }
      position = end
      return Member(
        keyValue: Value(unchecked: map.storage, start: from, end: value),
        value: Value(unchecked: map.storage, start: value, end: end))
    }
  }
}
