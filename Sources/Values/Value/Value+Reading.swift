extension Value {
  /// The kinds of values.
  public enum Kind: String, Sendable {
    case null, boolean, integer, double, text, array, map
  }

  /// The kind of the value.
  public var kind: Kind {
    let first = firstByte
    switch first >> 5 {
    case CBOR.unsigned, CBOR.negative: return .integer
    case CBOR.text: return .text
    case CBOR.array: return .array
    case CBOR.map: return .map
    default: return first == CBOR.nullByte ? .null : first == CBOR.doubleByte ? .double : .boolean
    }
  }

  public var isNull: Bool { firstByte == CBOR.nullByte }

  /// The boolean, or nil for another kind.
  public var bool: Bool? {
    switch firstByte {
    case CBOR.trueByte: true
    case CBOR.falseByte: false
    default: nil
    }
  }

  /// The integer, or nil for another kind; even a whole double is not an integer.
  public var int: Int64? {
    let head = head
    switch head.major {
    case CBOR.unsigned: return Int64(bitPattern: head.argument)
    case CBOR.negative: return ~Int64(bitPattern: head.argument)
    default: return nil
    }
  }

  /// The number, or nil for another kind. An integer beyond ±2^53 is rounded to the nearest double.
  public var double: Double? {
    if firstByte == CBOR.doubleByte { return Double(bitPattern: head.argument) }
    return int.map { Double($0) }
  }

  /// The text, or nil for another kind.
  public var text: String? {
    guard firstByte >> 5 == CBOR.text else { return nil }
    return withBase { CBOR.string($0, Int(start)) }
  }

  /// The number of elements or members; 0 for a scalar.
  public var count: Int {
    let head = head
    return head.major == CBOR.array || head.major == CBOR.map ? head.count : 0
  }

  @inline(__always)
  var firstByte: UInt8 { withBase { $0[Int(start)] } }

  @inline(__always)
  var head: CBOR.Head { withBase { CBOR.head($0, Int(start)) } }
}

extension Value {
  /// The elements of an array in their order, which share the buffer; empty for another kind.
  public var elements: Elements { Elements(self) }

  /// The sequence of the elements of an array.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private let container: Value
    private var position: Int
    private var remaining: Int

    /// - Parameter size: the number of items of each element.
    init(_ container: Value, major: UInt8 = CBOR.array, size: Int = 1) {
      let head = container.head
      self.container = container
      self.position = head.next
      self.remaining = head.major == major ? head.count * size : 0
    }

    public var underestimatedCount: Int { remaining }

    public mutating func next() -> Value? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      let from = position
      position = container.withBase { CBOR.skip($0, from) }
      return Value(unchecked: container.storage, start: from, end: position)
    }
  }
}

extension Value {
  /// The members of a map in their order, which share the buffer; empty for another kind.
  public var members: Members { Members(self) }

  /// The value of `key`, or nil if the value is not a map or lacks the key. Keys are compared byte by byte.
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

  /// A member of a map.
  public struct Member: Sendable {
    /// The key as a text value, which is compared and copied without a string.
    public let keyValue: Value
    public let value: Value

    /// The key.
    public var key: String { keyValue.text ?? "" }
  }

  /// The sequence of the members of a map.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    /// The keys and the values in turn.
    private var items: Elements

    init(_ map: Value) { items = Elements(map, major: CBOR.map, size: 2) }

    public var underestimatedCount: Int { items.underestimatedCount / 2 }

    public mutating func next() -> Member? {
      guard let key = items.next(), let value = items.next() else { return nil }
      return Member(keyValue: key, value: value)
    }
  }
}

extension Value {
  /// Returns whether a text in the value, or the name of a member, contains this one.
  public func contains(_ text: String) -> Bool {
    bytes.contains(text.utf8)
  }
}
