/// A token of the grammar (CEL specification, "Syntax").
struct Token {
  enum Kind: Equatable {
    case identifier(String)
    /// A field name in backticks.
    case quotedIdentifier(String)
    /// The digits of an integer, without a sign.
    case integer(UInt64)
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    /// A keyword: `true`, `false`, `null` or `in`.
    case keyword(String)
    case mark(String)
    case end
  }

  let kind: Kind
  let offset: Int

  /// The token in an error.
  var description: String {
    switch kind {
    case .identifier(let name), .keyword(let name): name
    case .quotedIdentifier(let name): "`\(name)`"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)u"
    case .double(let number): "\(number)"
    case .string: "a string"
    case .bytes: "bytes"
    case .mark(let mark): mark
    case .end: "the end"
    }
  }

  static let keywords: Set<String> = ["true", "false", "null", "in"]

  /// The words that the specification reserves, so that they are not variables.
  static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while",
  ]
}
