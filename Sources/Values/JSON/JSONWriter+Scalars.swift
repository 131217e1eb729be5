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

  /// Writes a double in the fewest digits that read back as the same. One that is whole and within ±2^53 is written as
  /// an integer: 1.0 as `1`, -0.0 as `0`. Infinities and NaN, which JSON has no words for, are written as `null`.
  public mutating func double(_ number: Double) {
    if let whole = Int64(wholeWithinDoubles: number) { return integer(whole) }
    guard number.isFinite else { return null() }
    separate()
    bytes.append(number.description)
    needsComma = true
  }

  /// Writes a string, escaping only what RFC 8259 section 7 demands: quotation marks, backslashes and control
  /// characters.
  @inlinable
  public mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string(utf8: $0) }
  }

  /// Writes a string whose UTF-8 is known to be well-formed.
  @inlinable
  public mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
    separate()
    needsComma = true
    let count = text.count
    guard count > 0, let source = text.baseAddress else { return bytes.append(literal: "\"\"") }
    let plain = JSONBytes.plainPrefix(source, count: count)
    let target = bytes.reserve(count &+ 2)
    target[0] = UInt8(ascii: "\"")
    (target + 1).initialize(from: source, count: plain)
    bytes.length &+= plain &+ 1
    if plain < count { escaped(source + plain, count: count &- plain) }
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
  mutating func escaped(_ source: UnsafePointer<UInt8>, count: Int) {
    var at = 0
    while at < count {
      let plain = JSONBytes.plainPrefix(source + at, count: count - at)
      bytes.append(source + at, count: plain)
      at += plain
      guard at < count else { return }
      escape(source[at])
      at += 1
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
      bytes.append(Self.hexDigit(byte >> 4))
      bytes.append(Self.hexDigit(byte & 15))
    }
  }

  private static func hexDigit(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}
