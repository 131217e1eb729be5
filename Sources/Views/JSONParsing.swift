// The client needs a parser of its own: that of the module Values uses Synchronization and Span, which need iOS 18.

/// The reason why a text is not a JSON value, as one sentence.
public struct JSONParsingError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
}

extension JSONValue {
  /// Reads a text that is exactly one JSON value (RFC 8259), with whitespace around it.
  ///
  /// Refuses a name that occurs twice in an object, a lone surrogate, a byte order mark, a number beyond the range of
  /// `Double`, and more than 128 levels of arrays and objects. A number such as `1.0` or `1e2`, which is whole and
  /// within ±2^53, becomes an integer.
  public init(parsing text: [UInt8]) throws(JSONParsingError) {
    // `String(validating:as:)` needs iOS 18. A decoded string has the bytes of its source only if these are
    // well-formed.
    guard String(decoding: text, as: UTF8.self).utf8.elementsEqual(text) else {
      throw JSONParsingError(description: "The text is not UTF-8.")
    }
    var parser = JSONParser(bytes: text)
    self = try parser.document()
  }

  /// Reads a text that is one JSON number; nil for any other text.
  package static func number(_ text: String) -> JSONValue? {
    guard let value = try? JSONValue(parsing: Array(text.utf8)), value.number != nil else { return nil }
    return value
  }
}

/// A cursor over the bytes of a JSON text that is well-formed UTF-8.
private struct JSONParser {
  /// Above the depth of what Usher sends.
  private static let maximumDepth = 128

  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(JSONParsingError) -> JSONValue {
    let value = try value(depth: 0)
    skipWhitespace()
    guard position == bytes.count else { throw unexpected() }
    return value
  }

  private mutating func value(depth: Int) throws(JSONParsingError) -> JSONValue {
    skipWhitespace()
    switch next {
    case UInt8(ascii: "{"): return .object(try members(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try elements(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .boolean(true))
    case UInt8(ascii: "f"): return try literal("false", .boolean(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  // MARK: Arrays and objects

  private mutating func elements(depth: Int) throws(JSONParsingError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try begin(depth)
    if take("]") { return elements }
    repeat { elements.append(try value(depth: depth)) } while take(",")
    guard take("]") else { throw unexpected() }
    return elements
  }

  private mutating func members(depth: Int) throws(JSONParsingError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    // Strings are equal by canonical equivalence, names of members by their bytes.
    var names: Set<[UInt8]> = []
    try begin(depth)
    if take("}") { return members }
    repeat {
      skipWhitespace()
      let name = try string()
      guard names.insert(Array(name.utf8)).inserted else { throw error("The name \"\(name)\" occurs twice") }
      guard take(":") else { throw unexpected() }
      members.append(JSONValue.Member(name, try value(depth: depth)))
    } while take(",")
    guard take("}") else { throw unexpected() }
    return members
  }

  private mutating func begin(_ depth: Int) throws(JSONParsingError) {
    guard depth <= Self.maximumDepth else { throw error("There are more than \(Self.maximumDepth) levels") }
    position += 1
  }

  // MARK: Strings

  private mutating func string() throws(JSONParsingError) -> String {
    guard take("\"", skipsWhitespace: false) else { throw unexpected() }
    var text: [UInt8] = []
    while true {
      let start = position
      while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
      text += bytes[start..<position]
      if take("\"", skipsWhitespace: false) { return String(decoding: text, as: UTF8.self) }
      guard take("\\", skipsWhitespace: false) else { throw unexpected() }
      text += try escaped()
    }
  }

  private mutating func escaped() throws(JSONParsingError) -> [UInt8] {
    guard let byte = next else { throw unexpected() }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      if UTF16.isLeadSurrogate(units[0]), take("\\", skipsWhitespace: false), take("u", skipsWhitespace: false) {
        units.append(try codeUnit())
      }
      let text = String(decoding: units, as: UTF16.self)
      guard text.utf16.elementsEqual(units) else { throw error("A surrogate has no counterpart") }
      return Array(text.utf8)
    default:
      position -= 1
      throw unexpected()
    }
  }

  /// Reads the four hexadecimal digits of a `\u` escape.
  private mutating func codeUnit() throws(JSONParsingError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw unexpected() }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  // MARK: Numbers and literals

  private mutating func number() throws(JSONParsingError) -> JSONValue {
    let start = position
    _ = take("-", skipsWhitespace: false)
    if take("0", skipsWhitespace: false) {
      if let byte = next, Self.isDigit(byte) { throw unexpected() }
    } else {
      try digits()
    }
    var isInteger = true
    if take(".", skipsWhitespace: false) {
      isInteger = false
      try digits()
    }
    if take("e", skipsWhitespace: false) || take("E", skipsWhitespace: false) {
      isInteger = false
      if !take("+", skipsWhitespace: false) { _ = take("-", skipsWhitespace: false) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else { throw error("The number is too large") }
    return Int64(safelyRepresenting: number).map { .integer($0) } ?? .double(number)
  }

  private mutating func digits() throws(JSONParsingError) {
    guard let byte = next, Self.isDigit(byte) else { throw unexpected() }
    while let byte = next, Self.isDigit(byte) { position += 1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private mutating func literal(_ name: String, _ value: JSONValue) throws(JSONParsingError) -> JSONValue {
    guard bytes[position...].starts(with: name.utf8) else { throw unexpected() }
    position += name.utf8.count
    return value
  }

  // MARK: Bytes

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Passes over a character if it comes next.
  private mutating func take(_ character: Unicode.Scalar, skipsWhitespace: Bool = true) -> Bool {
    if skipsWhitespace { skipWhitespace() }
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipWhitespace() {
    while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
  }

  private func unexpected() -> JSONParsingError {
    error(position < bytes.count ? "There is an unexpected character" : "The text ends unexpectedly")
  }

  private func error(_ reason: String) -> JSONParsingError {
    JSONParsingError(description: "\(reason) at byte \(position).")
  }
}
