/// Writes JSON text (RFC 8259), without whitespace, into bytes.
///
/// It puts the commas: a value, key or opening bracket that follows a finished value gets one before it. Whether
/// brackets and keys pair up is left to the caller.
///
///     var json = JSONWriter()
///     json.beginObject()
///     json.key(literal: "product")
///     json.integer(1)
///     json.endObject()
///     json.finish()  // {"product":1}
public struct JSONWriter: ~Copyable {
  /// What has been written. Text may be appended here directly; it does not count as a value.
  public var bytes: ByteWriter

  @usableFromInline var needsComma = false

  /// Makes a writer with room for `capacity` bytes.
  @inlinable
  public init(capacity: Int = 0) {
    bytes = ByteWriter(capacity: capacity)
  }

  /// Makes a writer with room for `capacity` bytes or more; see ``ByteWriter/init(pooled:)``.
  public init(pooled capacity: Int) {
    bytes = ByteWriter(pooled: capacity)
  }

  /// The text as an array.
  @inlinable
  public consuming func finish() -> [UInt8] {
    bytes.finish()
  }

  /// The text where it was written.
  public consuming func detached() -> DetachedBytes { bytes.detached() }

  @inlinable @inline(__always)
  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  @inlinable @inline(__always)
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  @inlinable @inline(__always)
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  @inlinable @inline(__always)
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes a key known at compile time, of characters that need no escape.
  @inlinable @inline(__always)
  public mutating func key(literal key: StaticString) {
    let count = key.utf8CodeUnitCount
    var target = bytes.reserve(count &+ 4)
    if needsComma {
      target.pointee = UInt8(ascii: ",")
      target += 1
      bytes.length &+= 1
    }
    target.pointee = UInt8(ascii: "\"")
    (target + 1).initialize(from: key.utf8Start, count: count)
    target[count &+ 1] = UInt8(ascii: "\"")
    target[count &+ 2] = UInt8(ascii: ":")
    bytes.length &+= count &+ 3
    needsComma = false
  }

  /// Writes a key.
  @inlinable
  public mutating func key(_ key: String) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes JSON text known at compile time that is one value, or several with commas between them.
  @inlinable @inline(__always)
  public mutating func literal(_ json: StaticString) {
    separate()
    bytes.append(literal: json)
    needsComma = true
  }

  /// Writes JSON text that was made before: one value, or several values or members with commas between them.
  @inlinable
  public mutating func fragment(_ json: [UInt8]) {
    separate()
    bytes.append(json)
    needsComma = true
  }

  @inlinable @inline(__always)
  mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  @inlinable @inline(__always)
  mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  @inlinable @inline(__always)
  mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }
}
