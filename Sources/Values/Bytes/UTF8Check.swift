/// Well-formedness of UTF-8 (RFC 3629 section 4): no overlong forms, no surrogates, nothing over U+10FFFF.
enum UTF8Check {
  static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    var at = asciiPrefix(bytes, count: count)
    while at < count {
      let first = bytes[at]
      if first < 0x80 {
        at += asciiPrefix(bytes + at, count: count - at)
        continue
      }
      // The first continuation byte has a narrower range after these four leads.
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

  /// How many bytes at the start are ASCII.
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
