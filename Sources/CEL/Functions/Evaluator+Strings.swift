internal import Patterns

/// The functions of strings. Offsets and lengths count Unicode code points.
extension Evaluator {
  /// Returns nil if the function has no form for the arguments.
  mutating func callString(_ function: Function, _ arguments: [CEL.Value]) throws(Failure) -> CEL.Value? {
    guard case .string(let text) = arguments[0] else { return nil }
    try meter.charge(bytes: text.utf8.count)
    if arguments.count == 1 { return try transform(function, text) }
    if case .int(let first) = arguments[1] {
      switch (function, arguments.count) {
      case (.charAt, 2): return try character(of: text, at: first)
      case (.substring, 2): return try substring(of: text, from: first, to: nil)
      case (.substring, 3):
        guard case .int(let end) = arguments[2] else { return nil }
        return try substring(of: text, from: first, to: end)
      default: return nil
      }
    }
    guard case .string(let other) = arguments[1] else { return nil }
    try meter.charge(bytes: other.utf8.count)
    switch function {
    case .contains: return .bool(ByteSearch(Array(other.utf8)).first(in: Array(text.utf8)) != nil)
    case .startsWith: return .bool(text.utf8.starts(with: other.utf8))
    case .endsWith: return .bool(text.utf8.reversed().starts(with: other.utf8.reversed()))
    case .matches:
      let pattern: Pattern
      do throws(PatternFault) {
        pattern = try Pattern(other)
      } catch {
        // The pattern may be large without its counts.
        try meter.charge(Automaton.sizeLimit)
        throw .invalidPattern(error.message)
      }
      try meter.charge(pattern.instructionCount)
      return .bool(try pattern.matches(text, meter: &meter))
    case .indexOf, .lastIndexOf:
      guard arguments.count == 3 else { return try index(function, of: other, in: text, start: nil) }
      guard case .int(let start) = arguments[2] else { return nil }
      return try index(function, of: other, in: text, start: start)
    case .split:
      guard arguments.count == 3 else { return try split(text, other, limit: -1) }
      guard case .int(let limit) = arguments[2] else { return nil }
      return try split(text, other, limit: limit)
    case .replace: return try replace(text, other, arguments.dropFirst(2))
    default: return nil
    }
  }

  private func transform(_ function: Function, _ text: String) throws(Failure) -> CEL.Value? {
    switch function {
    case .lowerAscii:
      return .string(String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    case .upperAscii:
      return .string(String(decoding: text.utf8.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 }, as: UTF8.self))
    case .reverse: return .string(Self.text(text.unicodeScalars.reversed()))
    case .trim:
      let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
      let count = start.reversed().drop { $0.properties.isWhitespace }.count
      return .string(Self.text(start.prefix(count)))
    case .quote: return .string(Self.quoted(text))
    default: return nil
    }
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{07}": result += "\\a"
      case "\u{08}": result += "\\b"
      case "\u{0C}": result += "\\f"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0B}": result += "\\v"
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  // MARK: Offsets

  private func character(of text: String, at offset: Int64) throws(Failure) -> CEL.Value {
    let scalars = text.unicodeScalars
    guard offset >= 0, let index = scalars.index(scalars.startIndex, offsetBy: Int(offset), limitedBy: scalars.endIndex)
    else { throw outOfRange(offset, in: text) }
    return .string(index == scalars.endIndex ? "" : String(scalars[index]))
  }

  private func substring(of text: String, from start: Int64, to end: Int64?) throws(Failure) -> CEL.Value {
    let scalars = text.unicodeScalars
    guard start >= 0, let lower = scalars.index(scalars.startIndex, offsetBy: Int(start), limitedBy: scalars.endIndex)
    else { throw outOfRange(start, in: text) }
    guard let end else { return .string(String(scalars[lower...])) }
    guard end >= start,
      let upper = scalars.index(lower, offsetBy: Int(end - start), limitedBy: scalars.endIndex)
    else { throw outOfRange(end, in: text) }
    return .string(String(scalars[lower..<upper]))
  }

  private func outOfRange(_ offset: Int64, in text: String) -> Failure {
    .invalidArgument(
      "The offset \(offset) is outside of the string, which has \(text.unicodeScalars.count) characters.")
  }

  private func index(
    _ function: Function, of other: String, in text: String, start: Int64?
  ) throws(Failure) -> CEL.Value {
    let search = ByteSearch(Array(other.utf8))
    let scalars = text.unicodeScalars
    var origin = function == .indexOf ? 0 : text.utf8.count
    if let start {
      guard start >= 0,
        let index = scalars.index(scalars.startIndex, offsetBy: Int(start), limitedBy: scalars.endIndex)
      else { throw outOfRange(start, in: text) }
      origin = text.utf8.distance(from: text.startIndex, to: index)
    }
    let bytes = Array(text.utf8)
    let found = function == .indexOf ? search.first(in: bytes, from: origin) : search.last(in: bytes, through: origin)
    guard let found else { return .int(-1) }
    // Each code point has one byte that is not a continuation byte.
    return .int(Int64(bytes[..<found].count { $0 & 0xC0 != 0x80 }))
  }

  // MARK: Parts

  private mutating func split(_ text: String, _ separator: String, limit: Int64) throws(Failure) -> CEL.Value {
    guard limit != 0 else { return .list([]) }
    let maximum = limit < 0 ? Int.max : Int(limit)
    if separator.isEmpty {
      let scalars = Array(text.unicodeScalars)
      try meter.charge(scalars.count)
      var parts = scalars.prefix(maximum - 1).map { CEL.Value.string(String($0)) }
      if scalars.count > parts.count { parts.append(.string(Self.text(scalars.dropFirst(parts.count)))) }
      return .list(parts)
    }
    var (parts, start): ([CEL.Value], Int) = ([], 0)
    let (bytes, search) = (Array(text.utf8), ByteSearch(Array(separator.utf8)))
    while parts.count < maximum - 1, let found = search.first(in: bytes, from: start) {
      try meter.charge(1)
      parts.append(.string(String(decoding: bytes[start..<found], as: UTF8.self)))
      start = found + separator.utf8.count
    }
    parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    return .list(parts)
  }

  private mutating func replace(
    _ text: String, _ old: String, _ arguments: ArraySlice<CEL.Value>
  ) throws(Failure) -> CEL.Value? {
    guard case .string(let new)? = arguments.first else { return nil }
    var limit = Int.max
    if arguments.count == 2 {
      guard case .int(let count)? = arguments.last else { return nil }
      limit = count < 0 ? .max : Int(count)
    }
    let (bytes, replacement) = (Array(text.utf8), Array(new.utf8))
    var (result, start, count): ([UInt8], Int, Int) = ([], 0, 0)
    let search = ByteSearch(Array(old.utf8))
    while count < limit, let found = search.first(in: bytes, from: start) {
      try meter.charge(1 + replacement.count / 10)
      result += bytes[start..<found] + replacement
      count += 1
      start = found + old.utf8.count
      guard old.isEmpty else { continue }
      // An empty text occurs before each code point and at the end.
      guard start < bytes.count else { break }
      repeat {
        result.append(bytes[start])
        start += 1
      } while start < bytes.count && bytes[start] & 0xC0 == 0x80
    }
    return .string(String(decoding: result + bytes[start...], as: UTF8.self))
  }
}
