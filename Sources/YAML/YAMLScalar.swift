/// The types of plain scalars in the core schema of YAML 1.2 (section 10.3.2).
enum YAMLScalar: Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// An integer that Int64 cannot represent.
  case integerOutOfRange
  case double(Double)
  /// An infinity, not a number, or a number beyond the range of a double.
  case doubleOutOfRange
  case string

  /// Resolves a plain scalar.
  init(_ text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .boolean(true)
    case "false", "False", "FALSE": self = .boolean(false)
    case ".nan", ".NaN", ".NAN": self = .doubleOutOfRange
    default:
      let bytes = Array(text.utf8)
      self = Self.based(bytes) ?? Self.decimal(bytes, text) ?? .string
    }
  }

  /// Reads an octal or hexadecimal number, which has no sign.
  private static func based(_ bytes: [UInt8]) -> Self? {
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "0") else { return nil }
    let digits = bytes[2...]
    let radix: Int
    switch bytes[1] {
    case UInt8(ascii: "o") where digits.allSatisfy { (0x30...0x37).contains($0) }: radix = 8
    case UInt8(ascii: "x") where digits.allSatisfy { $0.isHexadecimalDigit }: radix = 16
    default: return nil
    }
    return Int64(String(decoding: digits, as: UTF8.self), radix: radix).map(Self.integer) ?? .integerOutOfRange
  }

  private static func decimal(_ bytes: [UInt8], _ text: String) -> Self? {
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    if [".inf", ".Inf", ".INF"].contains(String(decoding: rest, as: UTF8.self)) { return .doubleOutOfRange }
    let whole = skipDigits(&rest)
    if rest.isEmpty { return whole == 0 ? nil : Int64(text).map(Self.integer) ?? .integerOutOfRange }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = skipDigits(&rest)
      guard whole + fraction > 0 else { return nil }
    } else if whole == 0 {
      return nil
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard skipDigits(&rest) > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    return Double(text).flatMap { $0.isFinite ? .double($0) : nil } ?? .doubleOutOfRange
  }

  /// Consumes digits and returns their number.
  private static func skipDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
    let count = rest.prefix { (0x30...0x39).contains($0) }.count
    rest.removeFirst(count)
    return count
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self & 0xDF)
  }
}
