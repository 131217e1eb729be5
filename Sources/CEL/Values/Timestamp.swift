internal import TimeZones

extension CEL {
  /// An instant from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z (CEL specification, "Timestamps").
  public struct Timestamp: Sendable, Hashable, Comparable {
    /// The seconds since 1970-01-01T00:00:00Z.
    public let seconds: Int64
    /// The nanoseconds after ``seconds``, from 0 to 999,999,999.
    public let nanoseconds: Int32

    /// Creates an instant; nil outside of the years 1 to 9999, and for nanoseconds outside of their range.
    public init?(seconds: Int64, nanoseconds: Int32 = 0) {
      guard Timestamp.range.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }

    private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    public static func < (left: Self, right: Self) -> Bool {
      (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// Returns the later instant; nil if it is outside of the range.
    func adding(_ duration: CEL.Duration) -> Timestamp? {
      let (whole, rest) = duration.nanoseconds.quotientAndRemainder(dividingBy: CEL.Duration.nanosecondsPerSecond)
      let (carry, nanoseconds) = CivilTime.floorDivision(Int(nanoseconds) + Int(rest), 1_000_000_000)
      return Timestamp(seconds: seconds + whole + Int64(carry), nanoseconds: Int32(nanoseconds))
    }

    /// Returns the duration since another instant; nil if it is beyond the range of a duration.
    func duration(since other: Timestamp) -> CEL.Duration? {
      CEL.Duration(seconds: seconds - other.seconds, nanoseconds: Int64(nanoseconds - other.nanoseconds))
    }
  }
}

extension CEL.Timestamp: CustomStringConvertible {
  /// The instant in UTC (RFC 3339), such as `2009-02-13T23:31:30Z`.
  public var description: String {
    let time = CivilTime(seconds: seconds)
    let fraction = nanoseconds == 0 ? "" : "." + FractionDigits.text(UInt32(nanoseconds))
    let date = "\(Self.padded(time.year, 4))-\(Self.padded(time.month, 2))-\(Self.padded(time.day, 2))"
    return
      "\(date)T\(Self.padded(time.hour, 2)):\(Self.padded(time.minute, 2)):\(Self.padded(time.second, 2))\(fraction)Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Parses a date and time with an offset (RFC 3339, section 5.6); nil if it is malformed or outside of the range.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T") || reader.take("t"), let hour = reader.number(2), reader.take(":"),
      let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
      let nanoseconds = reader.take(".") ? reader.fraction() : 0
    else { return nil }
    guard (1...12).contains(month), day >= 1, day <= CivilTime.dayCount(ofMonth: month, year: year), hour < 24,
      minute < 60, second < 60
    else { return nil }
    var offset = 0
    if !reader.take("Z"), !reader.take("z") {
      guard let read = reader.offset(requiresSign: true) else { return nil }
      offset = read
    }
    guard reader.isAtEnd else { return nil }
    let days = CivilTime.days(year: year, month: month, day: day)
    let seconds = days * 86400 + hour * 3600 + minute * 60 + second - offset
    self.init(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
  }
}

/// A reader of texts with numbers of fixed lengths.
struct DigitReader {
  private let bytes: [UInt8]
  private var at = 0

  /// A text of more than 80 bytes counts as empty.
  init(_ text: String) { bytes = text.utf8.count <= 80 ? Array(text.utf8) : [] }

  var isAtEnd: Bool { at == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard at < bytes.count, bytes[at] == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  /// Reads a number with exactly this count of digits.
  mutating func number(_ count: Int) -> Int? {
    guard at + count <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[at..<at + count] {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    at += count
    return number
  }

  /// Reads the digits of a fraction of a second as nanoseconds. Digits after the ninth do not count.
  mutating func fraction() -> Int? {
    let start = at
    var (nanoseconds, unit) = (0, 100_000_000)
    while at < bytes.count, (0x30...0x39).contains(bytes[at]) {
      nanoseconds += Int(bytes[at] - 0x30) * unit
      unit /= 10
      at += 1
    }
    return at > start ? nanoseconds : nil
  }

  /// Reads an offset such as `+02:00` in seconds.
  mutating func offset(requiresSign: Bool) -> Int? {
    let isNegative = take("-")
    guard isNegative || take("+") || !requiresSign else { return nil }
    guard let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60 else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isNegative ? -seconds : seconds
  }
}
