extension ByteWriter {
  /// Appends an integer in ASCII decimal, without padding.
  @inlinable
  public mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: number.magnitude)
  }

  /// Appends an integer in ASCII decimal, without padding.
  @inlinable
  public mutating func append(decimal number: Int) {
    append(decimal: Int64(number))
  }

  /// Appends an integer in ASCII decimal, without padding.
  @inlinable
  public mutating func append(decimal number: UInt64) {
    var digits = 1
    var bound: UInt64 = 10
    // No number has more than 20 digits.
    while number >= bound, digits < 20 {
      digits &+= 1
      bound &*= 10
    }
    let target = reserve(digits)
    var rest = number
    var place = digits
    while place > 1 {
      place &-= 1
      let shorter = rest / 10
      target[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- shorter &* 10)
      rest = shorter
    }
    target[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
    length &+= digits
  }

  /// Appends an integer in little-endian order, as many bytes as its type has.
  @inlinable @inline(__always)
  public mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number) {
    let size = MemoryLayout<Number>.size
    UnsafeMutableRawPointer(reserve(size)).storeBytes(of: number.littleEndian, as: Number.self)
    length &+= size
  }

  /// Appends an unsigned LEB128 varint, 1 to 10 bytes, in its shortest form.
  @inlinable @inline(__always)
  public mutating func append(varint number: UInt64) {
    if number < 0x80 { return append(UInt8(truncatingIfNeeded: number)) }
    let target = reserve(10)
    var rest = number
    var size = 0
    while rest >= 0x80 {
      target[size] = UInt8(truncatingIfNeeded: rest) | 0x80
      rest >>= 7
      size &+= 1
    }
    target[size] = UInt8(truncatingIfNeeded: rest)
    length &+= size &+ 1
  }
}
