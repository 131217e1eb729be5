/// The comparison of bytes behind pointers, eight at a time. It is written out, since most runs are keys of a few bytes,
/// for which a call into the C library costs more.
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

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are well-formed UTF-8 (RFC 3629, section 4).
  var isUTF8: Bool { (try? UTF8Span(validating: span)) != nil }
}

extension UInt8 {
  /// Whether a JSON string escapes the character (RFC 8259, section 7): quotation marks, backslashes and controls.
  @inlinable var needsJSONEscape: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number of leading bytes that a JSON string does not escape.
  @inlinable var plainPrefix: Int { firstIndex(where: \.needsJSONEscape) ?? count }
}
