// Scans over runs of bytes, eight at a time. They are written out, since most runs are keys of a few bytes, for which a
// call into the C library costs more.

/// The comparison of bytes behind pointers.
enum Memory {
  /// Returns whether both runs hold the same `count` bytes.
  @inline(__always)
  static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
    var at = 0
    let (mine, theirs) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    while count &- at >= 8 {
      let a = mine.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      if a != theirs.loadUnaligned(fromByteOffset: at, as: UInt64.self) { return false }
      at &+= 8
    }
    while at < count {
      if left[at] != right[at] { return false }
      at &+= 1
    }
    return true
  }
}

extension Span<UInt8> {
  /// Returns whether both spans hold the same bytes.
  @inlinable
  public func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Returns whether the span holds a byte.
  @inlinable
  public func contains(_ byte: UInt8) -> Bool {
    for index in indices where self[index] == byte { return true }
    return false
  }
}

/// Well-formedness of UTF-8 (RFC 3629, section 4): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Validation {
  static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    var at = asciiPrefix(bytes, count: count)
    while at < count {
      let first = bytes[at]
      if first < 0x80 {
        at += asciiPrefix(bytes + at, count: count - at)
        continue
      }
      // Four lead bytes narrow the range of the first continuation byte.
      var low: UInt8 = 0x80
      var high: UInt8 = 0xBF
      let size: Int
      switch first {
      case 0xC2...0xDF: size = 2
      case 0xE0: (size, low) = (3, 0xA0)
      case 0xED: (size, high) = (3, 0x9F)
      case 0xE1...0xEF: size = 3
      case 0xF0: (size, low) = (4, 0x90)
      case 0xF1...0xF3: size = 4
      case 0xF4: (size, high) = (4, 0x8F)
      default: return false
      }
      guard count - at >= size, bytes[at + 1] >= low, bytes[at + 1] <= high else { return false }
      if size > 2, bytes[at + 2] & 0xC0 != 0x80 { return false }
      if size > 3, bytes[at + 3] & 0xC0 != 0x80 { return false }
      at += size
    }
    return true
  }

  /// Returns the number of leading ASCII bytes.
  @inline(__always)
  private static func asciiPrefix(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    var at = 0
    let raw = UnsafeRawPointer(bytes)
    while count &- at >= 8 {
      if raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { break }
      at &+= 8
    }
    while at < count, bytes[at] < 0x80 { at &+= 1 }
    return at
  }
}

/// Scans for the bytes that a JSON string escapes (RFC 8259, section 7).
@usableFromInline
enum JSONEscapes {
  @usableFromInline static let highBits: UInt64 = 0x8080_8080_8080_8080
  @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns whether one of eight bytes is a quotation mark, a backslash or below U+0020.
  ///
  /// Each test sets the high bit of a byte that falls below a bound; `~bytes` excludes bytes whose high bit was set
  /// before.
  @inlinable @inline(__always)
  static func areNeeded(in bytes: UInt64) -> Bool {
    let control = (bytes &- ones &* 0x20) & ~bytes
    let quote = bytes ^ ones &* 0x22
    let slash = bytes ^ ones &* 0x5C
    let found = control | ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash)
    return found & highBits != 0
  }

  /// Returns the number of leading bytes that need no escape.
  @inlinable @inline(__always)
  static func plainPrefix(_ source: UnsafePointer<UInt8>, count: Int) -> Int {
    var at = 0
    while count &- at >= 8 {
      if areNeeded(in: UnsafeRawPointer(source).loadUnaligned(fromByteOffset: at, as: UInt64.self)) { break }
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
