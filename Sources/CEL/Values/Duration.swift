extension CEL {
  /// A span of time with the precision of a nanosecond, within ±292 years.
  public struct Duration: Sendable, Hashable, Comparable {
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates a duration; nil beyond ±292 years.
    public init?(seconds: Int64, nanoseconds: Int64 = 0) {
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: Duration.nanosecondsPerSecond)
      let (sum, overflow2) = whole.addingReportingOverflow(nanoseconds)
      guard !overflow, !overflow2 else { return nil }
      self.nanoseconds = sum
    }

    static let nanosecondsPerSecond: Int64 = 1_000_000_000

    /// The whole seconds, rounded toward 0.
    public var seconds: Int64 { nanoseconds / Duration.nanosecondsPerSecond }

    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
  }
}

extension CEL.Duration: CustomStringConvertible {
  /// The duration in seconds, such as `90s` or `-1.5s`, as in the JSON of protocol buffers.
  public var description: String {
    let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let fraction = rest == 0 ? "" : "." + FractionDigits.text(UInt32(rest))
    return "\(nanoseconds < 0 ? "-" : "")\(seconds)\(fraction)s"
  }

  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ns", 1), ("us", 1000), ("µs", 1000), ("μs", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("m", 60_000_000_000), ("h", 3_600_000_000_000),
  ]

  /// Parses a text such as `1h30m` or `-1.5s` (the syntax of time.ParseDuration of Go); nil if it is malformed or too
  /// large.
  public init?(_ text: String) {
    var rest = Substring(text)
    let isNegative = rest.first == "-"
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    if rest == "0" {
      self.init(nanoseconds: 0)
      return
    }
    var total: Int64 = 0
    while !rest.isEmpty {
      let whole = rest.prefix { $0.isASCII && $0.isNumber }
      rest.removeFirst(whole.count)
      var fraction = Substring()
      if rest.first == "." {
        rest.removeFirst()
        fraction = rest.prefix { $0.isASCII && $0.isNumber }
        rest.removeFirst(fraction.count)
      }
      guard !whole.isEmpty || !fraction.isEmpty, whole.count <= 19 else { return nil }
      let name = rest.prefix { $0 != "." && !($0.isASCII && $0.isNumber) }
      rest.removeFirst(name.count)
      guard let unit = Self.units.first(where: { $0.name == name }) else { return nil }
      guard let count = whole.isEmpty ? 0 : Int64(whole) else { return nil }
      let (product, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
      let (sum, overflow2) = total.addingReportingOverflow(product)
      let (sum2, overflow3) = sum.addingReportingOverflow(Self.part(fraction, of: unit.nanoseconds))
      guard !overflow, !overflow2, !overflow3 else { return nil }
      total = sum2
    }
    self.init(nanoseconds: isNegative ? -total : total)
  }

  /// Returns the nanoseconds of a decimal fraction of a unit, rounded down.
  private static func part(_ digits: Substring, of unit: Int64) -> Int64 {
    var (result, divisor): (Int64, Int64) = (0, 1)
    // A unit has at most 13 digits, so that the product stays within 64 bits for five digits at a time.
    for digit in digits.utf8.prefix(13) {
      divisor *= 10
      guard divisor <= unit else { break }
      result += unit / divisor * Int64(digit - 0x30) + unit % divisor * Int64(digit - 0x30) / divisor
    }
    return result
  }
}

/// The digits of a fraction of a second.
enum FractionDigits {
  /// Returns the digits without the zeros at the end: `5` for 500,000,000 nanoseconds.
  static func text(_ nanoseconds: UInt32) -> String {
    var digits = String(nanoseconds)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return digits
  }
}
