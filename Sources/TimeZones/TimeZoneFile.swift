/// A reader of the time zones of the format TZif (RFC 8536).
package enum TimeZoneFile {
  /// Returns the seconds to add to UTC at an instant; nil if the data are malformed.
  package static func offset(in data: [UInt8], at seconds: Int64) -> Int? {
    guard let first = Header(data, at: 0) else { return nil }
    guard first.version >= 2 else { return first.offset(at: seconds, timeSize: 4, footer: nil) }
    // From version 2 on, a second part has times of 64 bits, and a rule for the time after them.
    guard let header = Header(data, at: first.end(timeSize: 4)) else { return nil }
    let footerStart = header.end(timeSize: 8) + 1
    var footer: TimeZoneRule?
    if footerStart < data.count {
      let text = data[footerStart...].prefix { $0 != 0x0A }
      footer = TimeZoneRule(String(decoding: text, as: UTF8.self))
    }
    return header.offset(at: seconds, timeSize: 8, footer: footer)
  }

  /// A header with the arrays that follow it (RFC 8536, section 3.1).
  private struct Header {
    let data: [UInt8]
    let start: Int
    let version: Int
    /// The counts of indicators, leap seconds, transitions, types and characters.
    let counts: [Int]

    init?(_ data: [UInt8], at start: Int) {
      guard start + 44 <= data.count, data[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
      self.data = data
      self.start = start
      version = data[start + 4] == 0 ? 1 : Int(data[start + 4]) - 0x30
      counts = (0..<6).map { Int(Self.integer(data, at: start + 20 + 4 * $0, size: 4)) }
      guard counts.allSatisfy({ (0...100_000).contains($0) }), counts[4] > 0 else { return nil }
    }

    func end(timeSize: Int) -> Int {
      start + 44 + counts[3] * (timeSize + 1) + counts[4] * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1]
        + counts[0]
    }

    func offset(at seconds: Int64, timeSize: Int, footer: TimeZoneRule?) -> Int? {
      guard end(timeSize: timeSize) <= data.count else { return nil }
      let times = start + 44
      let (types, records) = (times + counts[3] * timeSize, times + counts[3] * (timeSize + 1))
      var (low, high) = (0, counts[3])
      while low < high {
        let middle = (low + high) / 2
        let time = Self.integer(data, at: times + middle * timeSize, size: timeSize)
        if time <= seconds { low = middle + 1 } else { high = middle }
      }
      if low == counts[3], let footer { return footer.offset(at: seconds) }
      let type = low == 0 ? 0 : Int(data[types + low - 1])
      guard type < counts[4] else { return nil }
      return Int(Self.integer(data, at: records + type * 6, size: 4))
    }

    /// Reads a signed number, the highest byte first.
    private static func integer(_ data: [UInt8], at offset: Int, size: Int) -> Int64 {
      var bits: UInt64 = 0
      for byte in data[offset..<offset + size] { bits = bits << 8 | UInt64(byte) }
      return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
  }
}

/// The rule for the times after the last transition, such as `CET-1CEST,M3.5.0,M10.5.0/3` (RFC 8536, section 3.3.1).
struct TimeZoneRule {
  private var standard = 0
  private var daylight: (offset: Int, start: Change, end: Change)?

  /// A yearly change to or from daylight saving time.
  private struct Change {
    enum Day {
      /// A day from 1 to 365, without February 29.
      case julian(Int)
      /// A day from 0 to 365.
      case ordinal(Int)
      case week(month: Int, week: Int, day: Int)
    }

    var day: Day
    /// The seconds after midnight.
    var time: Int

    /// Returns the seconds since 1970 in local time.
    func seconds(inYear year: Int) -> Int {
      let newYear = CivilTime.days(year: year, month: 1, day: 1)
      let days: Int
      switch day {
      case .julian(let day):
        let leapDays = CivilTime.dayCount(ofMonth: 2, year: year) - 28
        days = newYear + day - 1 + (day >= 60 ? leapDays : 0)
      case .ordinal(let day): days = newYear + day
      case .week(let month, let week, let day):
        let first = CivilTime.days(year: year, month: month, day: 1)
        let firstWeekday = CivilTime.floorDivision(first + 4, 7).remainder
        let date = (day - firstWeekday + 7) % 7 + 7 * (week - 1)
        // The fifth week stands for the last one of the month.
        days = first + (date < CivilTime.dayCount(ofMonth: month, year: year) ? date : date - 7)
      }
      return days * 86400 + time
    }
  }

  func offset(at seconds: Int64) -> Int {
    guard let daylight else { return standard }
    let local = Int(seconds) + standard
    let year = CivilTime(seconds: Int64(local)).year
    let start = daylight.start.seconds(inYear: year)
    let end = daylight.end.seconds(inYear: year) - (daylight.offset - standard)
    // In the southern hemisphere the daylight saving time contains the new year.
    let isDaylight = start < end ? local >= start && local < end : local >= start || local < end
    return isDaylight ? daylight.offset : standard
  }

  init?(_ text: String) {
    var rest = Substring(text)
    guard Self.skipName(&rest), let offset = Self.time(&rest) else { return nil }
    standard = -offset
    guard !rest.isEmpty else { return }
    guard Self.skipName(&rest) else { return nil }
    var daylightOffset = standard + 3600
    if rest.first != ",", let offset = Self.time(&rest) { daylightOffset = -offset }
    guard let start = Self.change(&rest), let end = Self.change(&rest), rest.isEmpty else { return nil }
    daylight = (daylightOffset, start, end)
  }

  private static func skipName(_ rest: inout Substring) -> Bool {
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    rest.removeFirst(name.count)
    return name.count >= 3
  }

  private static func number(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest.removeFirst(digits.count)
    return digits.count <= 4 ? Int(digits) : nil
  }

  private static func take(_ character: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads hours with optional minutes and seconds.
  private static func time(_ rest: inout Substring) -> Int? {
    let isNegative = take("-", &rest)
    if !isNegative { _ = take("+", &rest) }
    guard let hours = number(&rest) else { return nil }
    var seconds = hours * 3600
    if take(":", &rest) {
      guard let minutes = number(&rest) else { return nil }
      seconds += minutes * 60
      if take(":", &rest) {
        guard let rest = number(&rest) else { return nil }
        seconds += rest
      }
    }
    return isNegative ? -seconds : seconds
  }

  private static func change(_ rest: inout Substring) -> Change? {
    guard take(",", &rest) else { return nil }
    let day: Change.Day
    if take("M", &rest) {
      guard let month = number(&rest), take(".", &rest), let week = number(&rest), take(".", &rest),
        let weekday = number(&rest), (1...12).contains(month), (1...5).contains(week), weekday <= 6
      else { return nil }
      day = .week(month: month, week: week, day: weekday)
    } else if take("J", &rest) {
      guard let number = number(&rest), (1...365).contains(number) else { return nil }
      day = .julian(number)
    } else {
      guard let number = number(&rest), number <= 365 else { return nil }
      day = .ordinal(number)
    }
    guard take("/", &rest) else { return Change(day: day, time: 7200) }
    guard let time = time(&rest) else { return nil }
    return Change(day: day, time: time)
  }
}
