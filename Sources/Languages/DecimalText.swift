/// Numbers as people write them: whole numbers of a smallest unit, such as cents, with decimal places, and typed numbers.
package enum DecimalText {
  /// The most decimal places that a number of 64 bits fills. A service may send a client more.
  package static let mostDecimals = 18

  package static func write(_ number: Int64, decimals: Int, separator: String = ".") -> String {
    guard decimals > 0 else { return String(number) }
    let decimals = min(decimals, mostDecimals)
    let digits = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
    return (number < 0 ? "-" : "") + padded.dropLast(decimals) + separator + padded.suffix(decimals)
  }

  /// Returns a typed number as JSON writes it: without spaces and leading zeros, and with a zero before its point. A
  /// number control of a browser accepts 07 and .5. Returns any other text without its spaces.
  package static func json(_ typed: String) -> String {
    var rest = Substring(typed.filter { !$0.isWhitespace })
    let sign = rest.hasPrefix("-") ? "-" : ""
    rest = rest.dropFirst(sign.count)
    let number = rest.drop { $0 == "0" }
    guard number.count < rest.count || number.hasPrefix(".") else { return sign + rest }
    let hasDigit = number.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    return sign + (hasDigit ? "" : "0") + number
  }

  /// Returns a typed amount as a whole number of its smallest unit, in the digits of JSON; nil for a text that is none.
  package static func smallestUnits(_ typed: String, decimals: Int) -> String? {
    let parts = json(typed).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    let whole = parts[0].hasPrefix("-") ? parts[0].dropFirst() : parts[0]
    guard !whole.isEmpty, parts.count == 1 || !fraction.isEmpty, fraction.utf8.count <= decimals,
      (whole + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return json(parts[0] + fraction + String(repeating: "0", count: decimals - fraction.utf8.count))
  }

  /// Whether a typed text has a point, and is not a whole number with a fraction of zero such as 1.0. With three zeros it
  /// may be: 2.000 is two thousand in many languages, and two in JSON.
  package static func isFraction(_ typed: String) -> Bool {
    // With an exponent, only the value tells: 1.5e1 is 15.
    guard let point = typed.firstIndex(of: "."), !typed.contains(where: { $0 == "e" || $0 == "E" }) else {
      return false
    }
    let fraction = typed[typed.index(after: point)...].filter { !$0.isWhitespace }
    return fraction.isEmpty || fraction.count == 3 || !fraction.allSatisfy { $0 == "0" }
  }
}
