import Navigation

enum Money {
  /// An amount as people write it, such as 1,250.50.
  static func text(_ amount: Double) -> Text {
    let cents = Int((amount * 100).rounded())
    var digits = String(abs(cents) / 100)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    let fraction = String(abs(cents) % 100)
    return "\(cents < 0 ? "-" : "")\(digits).\(fraction.count < 2 ? "0" : "")\(fraction)"
  }
}
