/// A token of the grammar (CEL specification, "Syntax").
struct Token {
  enum Kind: Equatable {
    case identifier(String)
    /// A field name in backticks.
    case quotedIdentifier(String)
    /// The digits of an integer, without a sign.
    case integer(UInt64)
    /// Any other literal.
    case literal(CEL.Value)
    /// An operator, with `in`, or a bracket.
    case mark(String)
    case end
  }

  let kind: Kind
  let offset: Int

  /// The token in an error.
  var description: String {
    switch kind {
    case .identifier(let name): name
    case .quotedIdentifier(let name): "`\(name)`"
    case .integer(let number): "\(number)"
    case .literal(.uint(let number)): "\(number)u"
    case .literal(.double(let number)): "\(number)"
    case .literal(.string): "a string"
    case .literal(.bytes): "bytes"
    case .literal(let constant): constant.plainText ?? "null"
    case .mark(let mark): mark
    case .end: "the end"
    }
  }

  static let constants: [String: CEL.Value] = ["true": true, "false": false, "null": .null]

  /// The words that the specification reserves, so that they are not variables.
  static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while",
  ]
}
