#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The bytes that a decoder and its containers read, by position in the root's buffer. Two words.
struct DecoderSource {
  let root: Value

  @inline(__always)
  func head(at: Int) -> CBOR.Head {
    root.withBase { CBOR.head($0, at) }
  }

  @inline(__always)
  func skip(_ at: Int) -> Int {
    root.withBase { CBOR.skip($0, at) }
  }

  @inline(__always)
  func isNull(at: Int) -> Bool {
    root.withBase { $0[at] == CBOR.nullByte }
  }

  /// The item at `at` as a value that shares the buffer.
  func value(at: Int) -> Value {
    Value(unchecked: root.storage, start: at, end: skip(at))
  }

  /// Decodes the item at `at`, the commonest types without asking them.
  @inline(__always)
  func item<Item: Decodable>(_ type: Item.Type, at: Int) throws -> Item {
    if Item.self == String.self { return unsafeBitCast(try text(at: at), to: Item.self) }
    if Item.self == Int.self { return unsafeBitCast(try integer(at: at, as: Int.self), to: Item.self) }
    if Item.self == Bool.self { return unsafeBitCast(try boolean(at: at), to: Item.self) }
    if Item.self == Value.self { return unsafeBitCast(value(at: at), to: Item.self) }
    if Item.self == Date.self { return unsafeBitCast(try date(at: at), to: Item.self) }
    return try Item(from: ItemDecoder(source: self, start: at))
  }

  @inline(__always)
  func boolean(at: Int) throws -> Bool {
    let byte = root.withBase { $0[at] }
    guard byte == CBOR.trueByte || byte == CBOR.falseByte else { throw mismatch("a boolean", at: at) }
    return byte == CBOR.trueByte
  }

  @inline(__always)
  func text(at: Int) throws -> String {
    let head = head(at: at)
    guard head.major == CBOR.text else { throw mismatch("text", at: at) }
    return root.withBase { base in
      String(decoding: UnsafeBufferPointer(start: base + head.next, count: head.count), as: UTF8.self)
    }
  }

  @inline(__always)
  func integer<Number: FixedWidthInteger>(at: Int, as type: Number.Type) throws -> Number {
    let head = head(at: at)
    guard head.major <= CBOR.negative else { throw mismatch("an integer", at: at) }
    let bits = Int64(bitPattern: head.argument)
    guard let number = Number(exactly: head.major == CBOR.negative ? ~bits : bits) else {
      throw ValueError(.outOfRange("\(type)"), path: path(to: at))
    }
    return number
  }

  func double(at: Int) throws -> Double {
    let head = head(at: at)
    switch head.major {
    case CBOR.unsigned: return Double(head.argument)
    case CBOR.negative: return Double(~Int64(bitPattern: head.argument))
    default:
      guard root.withBase({ $0[at] }) == CBOR.doubleByte else { throw mismatch("a number", at: at) }
      return Double(bitPattern: head.argument)
    }
  }

  func float(at: Int) throws -> Float {
    let number = Float(try double(at: at))
    guard number.isFinite else { throw ValueError(.outOfRange("Float"), path: path(to: at)) }
    return number
  }
}
