internal import Values

/// A number whose comparisons are exact.
enum Number: Sendable, Hashable {
  case integer(Int64)
  /// A number that is not an Int64: a fraction, or beyond the range.
  case double(Double)

  /// Returns nil for a value that is not a number.
  init?(_ value: Value) {
    if let integer = value.int {
      self = .integer(integer)
    } else if let double = value.double {
      self = Int64(exactly: double).map { .integer($0) } ?? .double(double)
    } else {
      return nil
    }
  }

  /// Whether the number has no fraction. 1.0 is an integer (JSON Schema Validation, section 6.1.1).
  var isWhole: Bool {
    switch self {
    case .integer: true
    case .double(let number): number.rounded() == number
    }
  }

  var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    }
  }

  /// Returns whether the number is a multiple of a positive one, both as the decimals that they are written with.
  func isMultiple(of divisor: Number) -> Bool {
    let (dividend, divisor) = (Decimal(self), Decimal(divisor))
    let shift = dividend.exponent - divisor.exponent
    if shift >= 0 { return dividend.remainder(shiftedBy: shift, dividedBy: divisor.digits) == 0 }
    // The digits are below 10^19, so that no greater power of ten divides them.
    guard shift >= -19 else { return dividend.digits == 0 }
    let (quotient, remainder) = dividend.digits.quotientAndRemainder(dividingBy: Decimal.powerOfTen(-shift))
    return remainder == 0 && quotient % divisor.digits == 0
  }
}

extension Number: Comparable {
  static func < (left: Number, right: Number) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    // A double lies beyond the range of Int64 or has a fraction, which rounding down removes.
    case (.integer(let left), .double(let right)): right >= 0x1p63 || right >= -0x1p63 && left <= floor(right)
    case (.double(let left), .integer(let right)): left < -0x1p63 || left < 0x1p63 && floor(left) < right
    }
  }

  /// Rounds a number down that lies in the range of Int64.
  private static func floor(_ number: Double) -> Int64 { Int64(number.rounded(.down)) }
}

/// The absolute value of a number as an integer and a power of ten.
private struct Decimal {
  var digits: UInt64 = 0
  var exponent = 0

  init(_ number: Number) {
    switch number {
    case .integer(let integer): digits = integer.magnitude
    case .double(let double): read(double.magnitude.description)
    }
  }

  /// Reads the shortest decimal that stands for a double, of at most 17 digits, such as `0.0075` or `1.5e-07`.
  private mutating func read(_ text: String) {
    let parts = text.split(separator: "e")
    if parts.count > 1 { exponent = Int(parts[1]) ?? 0 }
    var isFraction = false
    for byte in parts[0].utf8 {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else {
        digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      }
    }
  }

  /// Returns the remainder of the digits, with further zeros, by a divisor above 0.
  func remainder(shiftedBy zeroCount: Int, dividedBy divisor: UInt64) -> UInt64 {
    var remainder = digits % divisor
    for _ in 0..<zeroCount where remainder != 0 {
      let product = remainder.multipliedFullWidth(by: 10)
      remainder = divisor.dividingFullWidth((product.high, product.low)).remainder
    }
    return remainder
  }

  static func powerOfTen(_ exponent: Int) -> UInt64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
