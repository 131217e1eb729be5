import Navigation

enum Money {
  /// An amount as people write it, such as 1,250.50.
  static func text(_ amount: Double) -> Text {
    guard let cents = Int(exactly: (amount * 100).rounded()) else { return "\(amount)" }
    var digits = String(cents.magnitude / 100)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    let fraction = String(cents.magnitude % 100)
    return "\(cents < 0 ? "-" : "")\(digits).\(fraction.count < 2 ? "0" : "")\(fraction)"
  }
}
