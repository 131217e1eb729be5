/// Numbers (RFC 8259 section 6).
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

  /// The decimal digits of a number: `mantissa × 10^exponent`, if they all fit.
  struct Digits {
    var mantissa: UInt64 = 0
    var exponent = 0
    var overflowed = false
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
    // An exponent beyond any double's only has to stay out of the exact path.
    let size = power.overflowed || power.mantissa > 1_000_000 ? 1_000_000 : Int(power.mantissa)
    digits.exponent += negative ? -size : size
  }

  private mutating func integer(_ digits: Digits, negative: Bool, from: Int) throws(JSONError) {
    let limit = UInt64(Int64.max) + (negative ? 1 : 0)
    guard !digits.overflowed, digits.mantissa <= limit else {
      return try double(digits, negative: negative, from: from)
    }
    out.integer(Int64(truncatingIfNeeded: negative ? 0 &- digits.mantissa : digits.mantissa))
  }

  private mutating func double(_ digits: Digits, negative: Bool, from: Int) throws(JSONError) {
    let number: Double
    if !digits.overflowed, digits.mantissa <= 1 << 53, abs(digits.exponent) <= 22 {
      // Both factors are exact, so the one rounding is correct (Clinger 1990).
      let power = Self.powersOfTen[abs(digits.exponent)]
      let size = Double(digits.mantissa)
      number = (negative ? -1 : 1) * (digits.exponent < 0 ? size / power : size * power)
    } else {
      let text = String(decoding: UnsafeBufferPointer(start: base + from, count: at - from), as: UTF8.self)
      guard let read = Double(text) else { throw JSONError(.invalidNumber, offset: from) }
      number = read
    }
    guard number.isFinite else { throw JSONError(.numberTooLarge, offset: from) }
    if let whole = Int64(wholeWithinDoubles: number) { out.integer(whole) } else { out.double(number) }
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

extension Int64 {
  /// The integer that a double is, if it is whole and within ±2^53, where every integer has a double of its own.
  init?(wholeWithinDoubles number: Double) {
    guard abs(number) <= 9_007_199_254_740_992 else { return nil }
    self.init(number)
    guard Double(self) == number else { return nil }
  }
}
