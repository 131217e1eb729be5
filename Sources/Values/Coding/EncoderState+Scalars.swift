#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension EncoderState {
  /// Writes the commonest types without asking them to encode themselves.
  @inline(__always)
  mutating func scalar<Item>(_ value: Item, depth: Int) throws -> Bool {
    if Item.self == String.self {
      writer.text(unsafeBitCast(value, to: String.self))
    } else if Item.self == Int.self {
      writer.integer(Int64(unsafeBitCast(value, to: Int.self)))
    } else if Item.self == Bool.self {
      writer.boolean(unsafeBitCast(value, to: Bool.self))
    } else if Item.self == Value.self {
      try embed(unsafeBitCast(value, to: Value.self), depth: depth)
    } else if Item.self == Date.self {
      try date(unsafeBitCast(value, to: Date.self))
    } else {
      return false
    }
    return true
  }

  /// Copies a value, whose own levels and those around it must not be too many together.
  private mutating func embed(_ value: Value, depth: Int) throws {
    // Each level takes a byte at least, so a small value needs no look.
    if depth + Int(value.end - value.start) > Value.maximumDepth {
      let levels = value.withBase { CBOR.levels($0, Int(value.start)) }
      guard depth + levels <= Value.maximumDepth else { throw ValueError(.tooDeep) }
    }
    writer.append(encoded: value)
  }

  @inline(__always)
  mutating func integer<Number: FixedWidthInteger>(_ number: Number) throws {
    guard let number = Int64(exactly: number) else { throw ValueError(.outOfRange("Int64")) }
    writer.integer(number)
  }

  @inline(__always)
  mutating func double(_ number: Double) throws {
    guard number.isFinite else { throw ValueError(.notFinite) }
    writer.double(number)
  }
}
