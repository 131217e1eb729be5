/// A writer of JSON text (RFC 8259) without whitespace.
///
/// The writer sets the commas: one before a value, key or opening bracket that follows a complete value. The caller
/// pairs brackets and keys.
///
///     var json = JSONWriter()
///     json.beginObject()
///     json.member("product", 1)
///     json.endObject()
///     json.finish()  // {"product":1}
public struct JSONWriter: ~Copyable {
  /// The text. Bytes appended here directly do not count as a value.
  public var bytes: ByteWriter

  @usableFromInline var needsComma = false

  /// Creates a writer with room for `capacity` bytes.
  @inlinable
  public init(capacity: Int = 0) {
    bytes = ByteWriter(capacity: capacity)
  }

  /// Creates a writer with a pooled buffer; see ``ByteWriter/init(pooled:)``.
  public init(pooled capacity: Int) {
    bytes = ByteWriter(pooled: capacity)
  }

  /// Returns the text as an array.
  @inlinable
  public consuming func finish() -> [UInt8] {
    bytes.finish()
  }

  /// Returns the text without a copy; the caller frees it.
  public consuming func detached() -> DetachedBytes { bytes.detached() }

  @inlinable @inline(__always)
  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  @inlinable @inline(__always)
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  @inlinable @inline(__always)
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  @inlinable @inline(__always)
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes a key known at compile time, whose characters need no escape.
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

  /// Writes JSON text known at compile time: one value, or several with commas between them.
  @inlinable @inline(__always)
  public mutating func literal(_ json: StaticString) {
    separate()
    bytes.append(literal: json)
    needsComma = true
  }

  /// Writes prepared JSON text: one value, or several values or members with commas between them.
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

/// Members of objects, whose names are known at compile time and need no escape. A value that is nil becomes `null`.
extension JSONWriter {
  @inlinable @inline(__always)
  public mutating func beginObject(_ name: StaticString) {
    key(literal: name)
    beginObject()
  }

  @inlinable @inline(__always)
  public mutating func beginArray(_ name: StaticString) {
    key(literal: name)
    beginArray()
  }

  @inlinable
  public mutating func member(_ name: StaticString, _ text: String?) {
    key(literal: name)
    if let text { string(text) } else { null() }
  }

  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ number: Int?) {
    key(literal: name)
    if let number { integer(number) } else { null() }
  }

  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ value: Value?) {
    key(literal: name)
    if let value { self.value(value) } else { null() }
  }
}

extension JSONWriter {
  @inlinable
  public mutating func null() { literal("null") }

  @inlinable
  public mutating func boolean(_ flag: Bool) {
    if flag { literal("true") } else { literal("false") }
  }

  @inlinable
  public mutating func integer(_ number: Int) { integer(Int64(number)) }

  @inlinable
  public mutating func integer(_ number: Int64) {
    separate()
    bytes.append(decimal: number)
    needsComma = true
  }

  /// Writes a double in the fewest digits that parse to the same double.
  ///
  /// A whole double within ±2^53 becomes an integer: 1.0 `1`, -0.0 `0`. Infinities and NaN, for which JSON has no
  /// notation, become `null`.
  public mutating func double(_ number: Double) {
    if let whole = Int64(wholeWithinDoubles: number) { return integer(whole) }
    guard number.isFinite else { return null() }
    separate()
    bytes.append(number.description)
    needsComma = true
  }

  /// Writes a string. Escapes only quotation marks, backslashes and control characters (RFC 8259, section 7).
  @inlinable
  public mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string(utf8: $0) }
  }

  /// Writes a string of well-formed UTF-8.
  @inlinable
  public mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
    separate()
    needsComma = true
    let count = text.count
    guard count > 0, let source = text.baseAddress else { return bytes.append(literal: "\"\"") }
    let plain = text.plainPrefix
    let target = bytes.reserve(count &+ 2)
    target[0] = UInt8(ascii: "\"")
    (target + 1).initialize(from: source, count: plain)
    bytes.length &+= plain &+ 1
    if plain < count { escaped(UnsafeBufferPointer(rebasing: text[plain...])) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a string of ASCII characters that need no escape.
  @inlinable @inline(__always)
  public mutating func string(plain text: Span<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(text)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  @usableFromInline @inline(never)
  mutating func escaped(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      if byte.needsJSONEscape { escape(byte) } else { bytes.append(byte) }
    }
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): bytes.append(literal: "\\\"")
    case UInt8(ascii: "\\"): bytes.append(literal: "\\\\")
    case 0x08: bytes.append(literal: "\\b")
    case 0x09: bytes.append(literal: "\\t")
    case 0x0A: bytes.append(literal: "\\n")
    case 0x0C: bytes.append(literal: "\\f")
    case 0x0D: bytes.append(literal: "\\r")
    default:
      bytes.append(literal: "\\u00")
      bytes.append(Hexadecimal.digit(of: byte >> 4))
      bytes.append(Hexadecimal.digit(of: byte & 15))
    }
  }
}

extension JSONWriter {
  /// Writes a value from its bytes.
  public mutating func value(_ value: Value) {
    value.withBase { base in _ = item(base, Int(value.start)) }
  }

  /// Writes the item at `at` and returns its end.
  private mutating func item(_ base: UnsafePointer<UInt8>, _ at: Int) -> Int {
    let head = CBOR.head(base, at)
    switch head.major {
    case CBOR.unsigned: integer(Int64(bitPattern: head.argument))
    case CBOR.negative: integer(~Int64(bitPattern: head.argument))
    case CBOR.text:
      string(utf8: UnsafeBufferPointer(start: base + head.next, count: head.count))
      return head.next + head.count
    case CBOR.array:
      beginArray()
      var next = head.next
      for _ in 0..<head.count { next = item(base, next) }
      endArray()
      return next
    case CBOR.map:
      beginObject()
      var next = head.next
      for _ in 0..<head.count {
        next = item(base, next)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        next = item(base, next)
      }
      endObject()
      return next
    default:
      simple(base[at], head)
    }
    return head.next
  }

  private mutating func simple(_ first: UInt8, _ head: CBOR.Head) {
    switch first {
    case CBOR.trueByte: boolean(true)
    case CBOR.falseByte: boolean(false)
    case CBOR.doubleByte: double(Double(bitPattern: head.argument))
    default: null()
    }
  }
}

extension Value: CustomStringConvertible {
  /// The value as JSON text.
  public var description: String { String(decoding: json, as: UTF8.self) }

  /// The value as JSON text. A whole double loses its fraction, as by ``JSONWriter/double(_:)``.
  public var json: [UInt8] {
    var writer = JSONWriter(capacity: Int(end - start) * 2)
    writer.value(self)
    return writer.finish()
  }
}
