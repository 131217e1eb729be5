/// A JSON value. An object keeps the order of its members, and an integer within `Int64` keeps every digit.
public enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A finite number that is not whole, or beyond ±2^53.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  public struct Member: Sendable, Hashable {
    public let name: String
    public let value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

// MARK: - Contents

extension JSONValue {
  /// The member of that name; nil if there is none, or if the value is not an object.
  public subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

  /// The members of an object; empty for any other value.
  public var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// The elements of an array; empty for any other value.
  public var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  public var string: String? { if case .string(let text) = self { text } else { nil } }

  public var bool: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The number. An integer beyond ±2^53 is rounded to the nearest double.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  public var isNull: Bool { self == .null }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral flag: Bool) { self = .boolean(flag) }
  public init(integerLiteral number: Int64) { self = .integer(number) }
  public init(floatLiteral number: Double) { self = .double(number) }
  public init(stringLiteral text: String) { self = .string(text) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members.map { Member($0, $1) }) }
}

// MARK: - Writing

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text (RFC 8259) without whitespace. A double without a JSON notation, such as infinity, becomes
  /// `null`.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += "\(number)"
    case .double(let number):
      if let whole = Int64(safelyRepresenting: number) {
        text += "\(whole)"
      } else {
        text += number.isFinite ? "\(number)" : "null"
      }
    case .string(let string): Self.write(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension Int64 {
  /// The integer that a double stands for; nil unless the double is whole and within ±2^53, where no two integers share
  /// a double.
  init?(safelyRepresenting number: Double) {
    guard abs(number) <= 9_007_199_254_740_992, let whole = Int64(exactly: number) else { return nil }
    self = whole
  }
}
