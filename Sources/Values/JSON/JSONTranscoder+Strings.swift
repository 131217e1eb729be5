/// Strings (RFC 8259 section 7).
extension JSONTranscoder {
  /// Reads the string at the cursor and writes it as text. Returns how many bytes its UTF-8 has.
  @inline(__always)
  mutating func string() throws(JSONError) -> Int {
    at &+= 1
    let from = at
    var high: UInt8 = 0
    while at < end {
      let byte = base[at]
      if byte == UInt8(ascii: "\"") {
        let size = at &- from
        guard high < 0x80 || UTF8Check.isValid(base + from, count: size) else {
          throw JSONError(.invalidText, offset: from)
        }
        out.text(base + from, count: size)
        at &+= 1
        return size
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: from) }
      guard byte >= 0x20 else { throw JSONError(.controlCharacter, offset: at) }
      high |= byte
      at &+= 1
      if high < 0x80 { skipPlain() }
    }
    throw JSONError(.truncated, offset: at)
  }

  /// Moves past eight bytes at a time in which nothing needs a look.
  @inline(__always)
  private mutating func skipPlain() {
    while end &- at >= 8 {
      let bytes = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: UInt64.self)
      if JSONBytes.needLook(bytes) || bytes & JSONBytes.highBits != 0 { return }
      at &+= 8
    }
  }

  /// Reads a string with escapes. It is unescaped into the output behind a head whose size is settled at the end.
  @inline(never)
  private mutating func escapedString(from: Int) throws(JSONError) -> Int {
    let head = out.count
    out.append(CBOR.text << 5)
    out.append(base + from, count: at &- from)
    while at < end {
      let byte = base[at]
      if byte == UInt8(ascii: "\"") {
        at &+= 1
        let size = out.count - head - 1
        guard UTF8Check.isValid(out.start + head + 1, count: size) else {
          throw JSONError(.invalidText, offset: from)
        }
        _ = out.setCount(size, ofContainerAt: head)
        return size
      }
      guard byte >= 0x20 else { throw JSONError(.controlCharacter, offset: at) }
      at &+= 1
      if byte == UInt8(ascii: "\\") { try escape() } else { out.append(byte) }
    }
    throw JSONError(.truncated, offset: at)
  }

  private mutating func escape() throws(JSONError) {
    guard at < end else { throw JSONError(.truncated, offset: at) }
    let byte = base[at]
    at &+= 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
    case UInt8(ascii: "b"): out.append(0x08)
    case UInt8(ascii: "f"): out.append(0x0C)
    case UInt8(ascii: "n"): out.append(0x0A)
    case UInt8(ascii: "r"): out.append(0x0D)
    case UInt8(ascii: "t"): out.append(0x09)
    case UInt8(ascii: "u"): try unicodeEscape(at: at - 2)
    default: throw JSONError(.invalidEscape, offset: at - 2)
    }
  }

  private mutating func unicodeEscape(at offset: Int) throws(JSONError) {
    var code = try hexadecimal(offset)
    if code & 0xFC00 == 0xD800 {
      guard end - at > 1, base[at] == UInt8(ascii: "\\"), base[at + 1] == UInt8(ascii: "u") else {
        throw JSONError(.loneSurrogate, offset: offset)
      }
      at += 2
      let low = try hexadecimal(at - 2)
      guard low & 0xFC00 == 0xDC00 else { throw JSONError(.loneSurrogate, offset: offset) }
      code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
    }
    guard let scalar = Unicode.Scalar(code) else { throw JSONError(.loneSurrogate, offset: offset) }
    for byte in UTF8.encode(scalar).unsafelyUnwrapped { out.append(byte) }
  }

  private mutating func hexadecimal(_ offset: Int) throws(JSONError) -> UInt32 {
    guard end - at >= 4 else { throw JSONError(.truncated, offset: end) }
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(base[at])).hexDigitValue, base[at] < 0x80 else {
        throw JSONError(.invalidEscape, offset: offset)
      }
      code = code << 4 | UInt32(digit)
      at += 1
    }
    return code
  }
}
