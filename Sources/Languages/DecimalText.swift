/// Whole numbers of a smallest unit, such as cents, written with decimal places.
package enum DecimalText {
  package static func write(_ number: Int64, decimals: Int, separator: String = ".") -> String {
    guard decimals > 0 else { return String(number) }
    let digits = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
    return (number < 0 ? "-" : "") + padded.dropLast(decimals) + separator + padded.suffix(decimals)
  }
}
