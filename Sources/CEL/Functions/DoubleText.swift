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
