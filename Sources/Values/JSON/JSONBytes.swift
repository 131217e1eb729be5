/// Tests on eight bytes of a string at once.
@usableFromInline
enum JSONBytes {
  @usableFromInline static let highBits: UInt64 = 0x8080_8080_8080_8080
  @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Whether one of the eight bytes is a quotation mark, a backslash or below U+0020. Each test sets the high bit of a
  /// byte that falls below a bound; `~bytes` leaves out those that had it already.
  @inlinable @inline(__always)
  static func needLook(_ bytes: UInt64) -> Bool {
    let control = (bytes &- ones &* 0x20) & ~bytes
    let quote = bytes ^ ones &* 0x22
    let slash = bytes ^ ones &* 0x5C
    let found = control | ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash)
    return found & highBits != 0
  }
}

extension JSONBytes {
  /// How many bytes at the start stand for themselves in a JSON string.
  @inlinable @inline(__always)
  static func plainPrefix(_ source: UnsafePointer<UInt8>, count: Int) -> Int {
    var at = 0
    while count &- at >= 8 {
      if needLook(UnsafeRawPointer(source).loadUnaligned(fromByteOffset: at, as: UInt64.self)) { break }
      at &+= 8
    }
    while at < count {
      let byte = source[at]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      at &+= 1
    }
    return at
  }
}
