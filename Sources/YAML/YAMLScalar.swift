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
      self = Self.based(text) ?? Self.decimal(text) ?? .string
    }
  }

  /// Reads an octal or hexadecimal number, which has no sign.
  private static func based(_ text: String) -> Self? {
    let radix = text.hasPrefix("0o") ? 8 : text.hasPrefix("0x") ? 16 : 0
    let digits = text.dropFirst(2)
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? 16) < radix }) else { return nil }
    return Int64(digits, radix: radix).map(Self.integer) ?? .integerOutOfRange
  }

  private static func decimal(_ text: String) -> Self? {
    let unsigned = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    if [".inf", ".Inf", ".INF"].contains(unsigned) { return .doubleOutOfRange }
    // Of these characters, a double of Swift has the forms of the core schema.
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text) else { return nil }
    if !text.contains(where: { ".eE".contains($0) }) { return Int64(text).map(Self.integer) ?? .integerOutOfRange }
    return number.isFinite ? .double(number) : .doubleOutOfRange
  }
}
