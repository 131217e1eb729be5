extension Value {
  /// What a value is.
  public enum Kind: String, Sendable {
    case null, boolean, integer, double, text, array, map
  }

  /// What the value is.
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

  /// Whether the value is null.
  public var isNull: Bool { firstByte == CBOR.nullByte }

  /// The boolean, or nil if the value is something else.
  public var bool: Bool? {
    switch firstByte {
    case CBOR.trueByte: true
    case CBOR.falseByte: false
    default: nil
    }
  }

  /// The integer, or nil if the value is something else; a double is never an integer, whole or not.
  public var int: Int64? {
    let head = head
    switch head.major {
    case CBOR.unsigned: return Int64(bitPattern: head.argument)
    case CBOR.negative: return ~Int64(bitPattern: head.argument)
    default: return nil
    }
  }

  /// The number, or nil if the value is none. An integer beyond ±2^53 is rounded to the nearest double.
  public var double: Double? {
    if firstByte == CBOR.doubleByte { return Double(bitPattern: head.argument) }
    return int.map { Double($0) }
  }

  /// The text, or nil if the value is something else.
  public var text: String? {
    guard firstByte >> 5 == CBOR.text else { return nil }
    return withBase { CBOR.string($0, Int(start)) }
  }

  /// How many elements or members the value has; 0 if it is neither an array nor a map.
  public var count: Int {
    let head = head
    return head.major == CBOR.array || head.major == CBOR.map ? head.count : 0
  }

  @inline(__always)
  var firstByte: UInt8 { withBase { $0[Int(start)] } }

  @inline(__always)
  var head: CBOR.Head { withBase { CBOR.head($0, Int(start)) } }
}
