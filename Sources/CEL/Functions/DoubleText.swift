/// The texts of doubles.
enum DoubleText {
  /// Returns the shortest text that stands for the number: `1`, `0.0045`, `1e+21`, `NaN` or `-Infinity`.
  ///
  /// As in JavaScript, an exponent follows from 1e21 upward and below 1e-6.
  static func shortest(_ number: Double) -> String {
    if let name = specialName(number) { return name }
    if number == 0 { return number.sign == .minus ? "-0" : "0" }
    let (digits, exponent) = shortestDigits(number.magnitude)
    let sign = number < 0 ? "-" : ""
    guard (-6..<21).contains(exponent) else {
      let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
      return "\(sign)\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(exponent.magnitude)"
    }
    if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
    let whole = digits.prefix(exponent + 1)
    let zeros = String(repeating: "0", count: max(0, exponent + 1 - digits.count))
    let fraction = digits.dropFirst(exponent + 1)
    return sign + whole + zeros + (fraction.isEmpty ? "" : "." + fraction)
  }

  static func specialName(_ number: Double) -> String? {
    if number.isNaN { return "NaN" }
    return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : nil
  }

  /// Returns the digits without zeros at the ends, and the exponent of the first one.
  private static func shortestDigits(_ number: Double) -> (digits: String, exponent: Int) {
    // The standard library writes 123.456, 5e-324 or 1.5e+20, with the fewest digits.
    let parts = number.description.split(separator: "e")
    let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = halves.count > 1 ? halves[1] : ""
    var digits = halves[0] + fraction
    var exponent = halves[0].count - 1 + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    while digits.count > 1, digits.first == "0" {
      digits.removeFirst()
      exponent -= 1
    }
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    return (String(digits), exponent)
  }

  /// Parses a decimal number such as `-84.32e7`, `NaN` or `-Infinity`; nil for any other text.
  static func parse(_ text: String) -> Double? {
    switch text {
    case "NaN", "nan": return .nan
    case "Infinity", "+Infinity", "inf", "+inf", "Inf", "+Inf": return .infinity
    case "-Infinity", "-inf", "-Inf": return -.infinity
    default: break
    }
    // The standard library reads hexadecimal numbers and payloads of NaN too.
    guard text.utf8.count <= 1100,
      text.utf8.allSatisfy({ $0.isDigit || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) })
    else { return nil }
    return Double(text)
  }
}

/// The exact decimal digits of a finite double. A double is a binary fraction, so its decimal expansion ends.
struct ExactDecimal {
  private var digits: [UInt8]
  /// The number of digits after the decimal point.
  private var fractionCount: Int

  /// - Parameter number: A finite number of at least 0.
  init(_ number: Double) {
    var significand = number.significandBitPattern
    if number.exponentBitPattern != 0 { significand |= 1 << Double.significandBitCount }
    var exponent = max(1, Int(number.exponentBitPattern)) - 1023 - Double.significandBitCount
    let zeros = significand == 0 ? 0 : significand.trailingZeroBitCount
    significand >>= UInt64(zeros)
    exponent += zeros
    // Multiplied by 2 for each binary digit before the point, or by 5 for each one after it (1/2 = 5/10).
    var limbs = DecimalLimbs(significand)
    if significand != 0 {
      for _ in 0..<max(0, exponent) / 24 { limbs.multiply(by: 1 << 24) }
      for _ in 0..<max(0, exponent) % 24 { limbs.multiply(by: 2) }
      for _ in 0..<max(0, -exponent) / 12 { limbs.multiply(by: 244_140_625) }
      for _ in 0..<max(0, -exponent) % 12 { limbs.multiply(by: 5) }
    }
    digits = limbs.digits
    fractionCount = significand == 0 ? 0 : max(0, -exponent)
  }

  /// Returns the number with this count of digits after the point.
  func fixed(_ precision: Int) -> String {
    var rounded = self
    rounded.round(toFraction: precision)
    let missing = precision + 1 - rounded.digits.count
    if missing > 0 { rounded.digits.insert(contentsOf: repeatElement(0, count: missing), at: 0) }
    let text = rounded.digits.map { Character(Unicode.Scalar($0 + 0x30)) }
    return String(text.dropLast(precision)) + (precision == 0 ? "" : "." + String(text.suffix(precision)))
  }

  /// Returns the number with one digit before the point and an exponent of at least two digits.
  func scientific(_ precision: Int) -> String {
    guard digits != [0] else { return ExactDecimal(0).fixed(precision) + "e+00" }
    var rounded = self
    rounded.round(toFraction: precision - (digits.count - 1 - fractionCount))
    // A carry, as from 9.99 to 10.0, adds a digit.
    if rounded.digits.count > precision + 1 { rounded.digits.removeLast(); rounded.fractionCount -= 1 }
    let exponent = rounded.digits.count - 1 - rounded.fractionCount
    let text = rounded.digits.map { Character(Unicode.Scalar($0 + 0x30)) }
    let fraction = precision == 0 ? "" : "." + String(text.dropFirst())
    let magnitude = String(exponent.magnitude)
    let padded = magnitude.count < 2 ? "0" + magnitude : magnitude
    return "\(text[0])\(fraction)e\(exponent < 0 ? "-" : "+")\(padded)"
  }

  /// Rounds half to even. A negative count rounds digits before the point.
  private mutating func round(toFraction count: Int) {
    let surplus = fractionCount - count
    fractionCount = count
    guard surplus > 0 else {
      digits += repeatElement(0, count: -surplus)
      return
    }
    if surplus > digits.count { digits.insert(contentsOf: repeatElement(0, count: surplus - digits.count), at: 0) }
    let removed = digits.suffix(surplus)
    digits.removeLast(surplus)
    if digits.isEmpty { digits = [0] }
    let isAboveHalf = removed.first.map { $0 > 5 || $0 == 5 && removed.dropFirst().contains { $0 != 0 } } ?? false
    let isHalf = removed.first == 5 && !removed.dropFirst().contains { $0 != 0 }
    guard isAboveHalf || isHalf && (digits.last ?? 0) % 2 == 1 else { return }
    var index = digits.count - 1
    while index >= 0, digits[index] == 9 {
      digits[index] = 0
      index -= 1
    }
    if index >= 0 { digits[index] += 1 } else { digits.insert(1, at: 0) }
  }
}

/// A large whole number in groups of nine decimal digits, the lowest group first.
private struct DecimalLimbs {
  private static let base: UInt64 = 1_000_000_000
  private var limbs: [UInt64]

  init(_ number: UInt64) {
    limbs = [number % Self.base, number / Self.base % Self.base, number / Self.base / Self.base]
  }

  mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in limbs.indices {
      let product = limbs[index] * factor + carry
      limbs[index] = product % Self.base
      carry = product / Self.base
    }
    if carry > 0 { limbs.append(carry) }
  }

  /// The digits without zeros at the start.
  var digits: [UInt8] {
    var digits: [UInt8] = []
    for limb in limbs.reversed() {
      var unit = Self.base / 10
      while unit > 0 {
        digits.append(UInt8(limb / unit % 10))
        unit /= 10
      }
    }
    let significant = digits.drop { $0 == 0 }
    return significant.isEmpty ? [0] : Array(significant)
  }
}
