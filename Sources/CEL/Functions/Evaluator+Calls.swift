extension Evaluator {
  /// Calls a standard function. The receiver of a member function is the first argument.
  mutating func call(_ function: Function, _ arguments: [CEL.Value]) throws(Failure) -> CEL.Value {
    switch function {
    case .dyn: return arguments[0]
    case .type: return .type(arguments[0].typeName)
    case .size: return .int(Int64(try size(arguments[0])))
    case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration:
      if let result = try convert(function, arguments[0]) { return result }
    case .getFullYear, .getMonth, .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getHours, .getMinutes,
      .getSeconds, .getMilliseconds:
      if let result = try timePart(function, arguments) { return result }
    case .join: if let result = try join(arguments) { return result }
    case .format:
      if case (.string(let template), .list(let values)) = (arguments[0], arguments[1]) {
        var formatter = Formatter(meter: meter)
        defer { meter = formatter.meter }
        return .string(try formatter.format(template, values))
      }
    default: if let result = try callString(function, arguments) { return result }
    }
    throw .noSuchOverload(function.rawValue, arguments.map(\.typeName))
  }

  private mutating func size(_ value: CEL.Value) throws(Failure) -> Int {
    switch value {
    case .string(let text):
      try meter.charge(bytes: text.utf8.count)
      return text.unicodeScalars.count
    case .bytes(let bytes): return bytes.count
    case .list(let elements): return elements.count
    case .map(let map): return map.count
    default: throw .noSuchOverload("size", [value.typeName])
    }
  }

  private mutating func join(_ arguments: [CEL.Value]) throws(Failure) -> CEL.Value? {
    guard case .list(let elements) = arguments[0] else { return nil }
    var separator = ""
    if arguments.count == 2 {
      guard case .string(let text) = arguments[1] else { return nil }
      separator = text
    }
    var result = ""
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else { throw .noSuchOverload("join", [.list, element.typeName]) }
      try meter.charge(1 + (separator.utf8.count + text.utf8.count) / 10)
      if index > 0 { result += separator }
      result += text
    }
    return .string(result)
  }

  mutating func matches(_ value: CEL.Value, _ pattern: Pattern) throws(Failure) -> CEL.Value {
    guard case .string(let text) = value else { throw .noSuchOverload("matches", [value.typeName, .string]) }
    return .bool(try pattern.matches(text, meter: &meter))
  }

  // MARK: Parts of timestamps and durations

  private mutating func timePart(_ function: Function, _ arguments: [CEL.Value]) throws(Failure) -> CEL.Value? {
    if case .duration(let duration) = arguments[0], arguments.count == 1 {
      switch function {
      case .getHours: return .int(duration.seconds / 3600)
      case .getMinutes: return .int(duration.seconds / 60)
      case .getSeconds: return .int(duration.seconds)
      // The part below a second, as the conformance tests require.
      case .getMilliseconds: return .int(duration.nanoseconds % CEL.Duration.nanosecondsPerSecond / 1_000_000)
      default: return nil
      }
    }
    guard case .timestamp(let timestamp) = arguments[0] else { return nil }
    var offset: Int64 = 0
    if arguments.count == 2 {
      guard case .string(let name) = arguments[1] else { return nil }
      offset = Int64(try offsetFromUTC(of: name, at: timestamp))
    }
    let time = CivilTime(seconds: timestamp.seconds + offset)
    switch function {
    case .getFullYear: return .int(Int64(time.year))
    case .getMonth: return .int(Int64(time.month - 1))
    case .getDate: return .int(Int64(time.day))
    case .getDayOfMonth: return .int(Int64(time.day - 1))
    case .getDayOfWeek: return .int(Int64(time.dayOfWeek))
    case .getDayOfYear: return .int(Int64(time.dayOfYear))
    case .getHours: return .int(Int64(time.hour))
    case .getMinutes: return .int(Int64(time.minute))
    case .getSeconds: return .int(Int64(time.second))
    case .getMilliseconds: return .int(Int64(timestamp.nanoseconds / 1_000_000))
    default: return nil
    }
  }

  /// Returns the seconds to add to UTC in a time zone, such as `-02:30`, `UTC` or `Europe/Rome`.
  private mutating func offsetFromUTC(of name: String, at timestamp: CEL.Timestamp) throws(Failure) -> Int {
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
