/// Strings (RFC 8259, section 7).
extension JSONTranscoder {
  /// Converts the string at the cursor. Returns the number of bytes of its UTF-8.
  @inline(__always)
  mutating func string() throws(JSONError) -> Int {
    at &+= 1
    let from = at
    var high: UInt8 = 0
    while at < end {
      let byte = base[at]
      if byte == UInt8(ascii: "\"") {
        let size = at &- from
        guard high < 0x80 || UnsafeBufferPointer(start: base + from, count: size).isUTF8 else {
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
    }
    throw JSONError(.truncated, offset: at)
  }

  /// Converts a string with escapes. Its size is known only at the end, which patches the head.
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
        guard UnsafeBufferPointer(start: out.start + head + 1, count: size).isUTF8 else {
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
      guard let digit = Hexadecimal.value(of: base[at]) else { throw JSONError(.invalidEscape, offset: offset) }
      code = code << 4 | UInt32(digit)
      at += 1
    }
    return code
  }
}

/// Numbers (RFC 8259, section 6).
extension JSONTranscoder {
  mutating func number() throws(JSONError) {
    let from = at
    let negative = base[at] == UInt8(ascii: "-")
    if negative { at &+= 1 }
    var digits = Digits()
    guard at < end else { throw JSONError(.truncated, offset: at) }
    let first = at
    try readDigits(into: &digits)
    if base[first] == UInt8(ascii: "0"), at - first > 1 { throw JSONError(.invalidNumber, offset: from) }
    guard at < end, base[at] == UInt8(ascii: ".") || base[at] | 0x20 == UInt8(ascii: "e") else {
      return try integer(digits, negative: negative, from: from)
    }
    if base[at] == UInt8(ascii: ".") {
      at &+= 1
      let point = at
      try readDigits(into: &digits)
      digits.exponent -= at - point
    }
    if at < end, base[at] | 0x20 == UInt8(ascii: "e") { try readExponent(into: &digits) }
    try double(digits, negative: negative, from: from)
  }

  /// The decimal digits of a number, `mantissa × 10^exponent` unless they overflowed.
  struct Digits {
    var mantissa: UInt64 = 0
    var exponent = 0
    var overflowed = false

    /// The digits of a whole number that was written with zeros behind a point; nil for any other number.
    var whole: Digits? {
      guard !overflowed, (-19..<0).contains(exponent) else { return nil }
      var whole = self
      while whole.exponent < 0 {
        let (quotient, remainder) = whole.mantissa.quotientAndRemainder(dividingBy: 10)
        guard remainder == 0 else { return nil }
        (whole.mantissa, whole.exponent) = (quotient, whole.exponent + 1)
      }
      return whole
    }
  }

  /// Reads one digit or more.
  @inline(__always)
  private mutating func readDigits(into digits: inout Digits) throws(JSONError) {
    let from = at
    while at < end {
      let digit = base[at] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      let (product, tooLarge) = digits.mantissa.multipliedReportingOverflow(by: 10)
      let (sum, stillTooLarge) = product.addingReportingOverflow(UInt64(digit))
      if tooLarge || stillTooLarge { digits.overflowed = true }
      digits.mantissa = sum
      at &+= 1
    }
    guard at > from else { throw JSONError(at < end ? .invalidNumber : .truncated, offset: at) }
  }

  private mutating func readExponent(into digits: inout Digits) throws(JSONError) {
    at &+= 1
    guard at < end else { throw JSONError(.truncated, offset: at) }
    let negative = base[at] == UInt8(ascii: "-")
    if negative || base[at] == UInt8(ascii: "+") { at &+= 1 }
    var power = Digits()
    try readDigits(into: &power)
    // Beyond the range of a double, the exponent only has to stay out of the exact path.
    let size = power.overflowed || power.mantissa > 1_000_000 ? 1_000_000 : Int(power.mantissa)
    digits.exponent += negative ? -size : size
  }

  private mutating func integer(_ digits: Digits, negative: Bool, from: Int) throws(JSONError) {
    let limit = UInt64(Int64.max) + (negative ? 1 : 0)
    guard !digits.overflowed, digits.mantissa <= limit else {
      let number = try doubleValue(of: digits, negative: negative, from: from)
      // The double next to a number just below the integers is the lowest integer itself.
      return out.double(number == -0x1p63 ? number.nextDown : number)
    }
    out.integer(Int64(truncatingIfNeeded: negative ? 0 &- digits.mantissa : digits.mantissa))
  }

  private mutating func double(_ digits: Digits, negative: Bool, from: Int) throws(JSONError) {
    if let whole = digits.whole { return try integer(whole, negative: negative, from: from) }
    let number = try doubleValue(of: digits, negative: negative, from: from)
    if let whole = Int64(wholeWithinDoubles: number) { out.integer(whole) } else { out.double(number) }
  }

  private func doubleValue(of digits: Digits, negative: Bool, from: Int) throws(JSONError) -> Double {
    let number: Double
    if !digits.overflowed, digits.mantissa <= 1 << 53, abs(digits.exponent) <= 22 {
      // Both factors are exact, so that the single rounding is correct (Clinger 1990).
      let power = Self.powersOfTen[abs(digits.exponent)]
      let size = Double(digits.mantissa)
      number = (negative ? -1 : 1) * (digits.exponent < 0 ? size / power : size * power)
    } else {
      let text = String(decoding: UnsafeBufferPointer(start: base + from, count: at - from), as: UTF8.self)
      guard let read = Double(text) else { throw JSONError(.invalidNumber, offset: from) }
      number = read
    }
    guard number.isFinite else { throw JSONError(.numberTooLarge, offset: from) }
    return number
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

extension Int64 {
  /// Converts a whole double within ±2^53, where every integer has its own double; nil for any other.
  init?(wholeWithinDoubles number: Double) {
    guard abs(number) <= 9_007_199_254_740_992 else { return nil }
    self.init(number)
    guard Double(self) == number else { return nil }
  }
}
