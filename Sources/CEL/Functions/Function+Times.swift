internal import TimeZones

/// The parts of timestamps and durations.
extension Function {
  static let timeParts = [
    part("getFullYear") { time, _ in time.year },
    part("getMonth") { time, _ in time.month - 1 },
    part("getDate") { time, _ in time.day },
    part("getDayOfMonth") { time, _ in time.day - 1 },
    part("getDayOfWeek") { time, _ in time.dayOfWeek },
    part("getDayOfYear") { time, _ in time.dayOfYear },
    part("getHours", ofDuration: { $0.seconds / 3600 }) { time, _ in time.hour },
    part("getMinutes", ofDuration: { $0.seconds / 60 }) { time, _ in time.minute },
    part("getSeconds", ofDuration: { $0.seconds }) { time, _ in time.second },
    // The part of a duration below a second, as the conformance tests require.
    part("getMilliseconds", ofDuration: { $0.nanoseconds % CEL.Duration.nanosecondsPerSecond / 1_000_000 }) {
      _, nanoseconds in nanoseconds / 1_000_000
    },
  ]

  /// - Parameter ofTime: returns the part of a date and time, and of the nanoseconds after it.
  private static func part(
    _ name: String, ofDuration: (@Sendable (CEL.Duration) -> Int64)? = nil,
    ofTime: @escaping @Sendable (CivilTime, Int) -> Int
  ) -> Function {
    let forms = [Signature.member([.timestamp], .int), .member([.timestamp, .string], .int)]
    return Function(name, ofDuration == nil ? forms : forms + [.member([.duration], .int)]) {
      (evaluator, arguments) throws(Failure) in
      switch arguments[0] {
      case .timestamp(let timestamp):
        let zone = arguments.count == 2 ? arguments[1].text : "UTC"
        let offset = try evaluator.offsetFromUTC(of: zone, at: timestamp)
        let time = CivilTime(seconds: timestamp.seconds + Int64(offset))
        return .int(Int64(ofTime(time, Int(timestamp.nanoseconds))))
      case .duration(let duration): return .int(ofDuration?(duration) ?? 0)
      default: return arguments[0]
      }
    }
  }

  /// Whether the function is a part of a time, in a time zone if it has an argument.
  var isPartOfTime: Bool { forms.contains { $0.parameters == [.timestamp, .string] } }
}

extension Evaluator {
  /// Returns the seconds to add to UTC in a time zone, such as `-02:30`, `UTC` or `Europe/Rome`.
  fileprivate mutating func offsetFromUTC(of name: String, at timestamp: CEL.Timestamp) throws(Failure) -> Int {
    if name == "UTC" || name == "Z" { return 0 }
    var reader = DigitReader(name)
    if let offset = reader.offset(requiresSign: false), reader.isAtEnd { return offset }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // A name that could leave the folder of the time zones does not reach the host.
    let isValid =
      name.utf8.count <= 64
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isIdentifierStart || $0.isDigit || $0 == 0x2B || $0 == 0x2D }
      }
    guard isValid, let data = timeZoneData?(name) else { throw .unknownTimeZone(String(name.prefix(64))) }
    try meter.charge(bytes: data.count)
    guard let offset = TimeZoneFile.offset(in: data, at: timestamp.seconds) else { throw .unknownTimeZone(name) }
    return offset
  }
}
