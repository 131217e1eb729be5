/// A parser of the grammar of the CEL specification, "Syntax".
struct Parser {
  private var tokens: [Token]
  private var at = 0
  private var nesting = 0

  /// - Throws: the first error of the source.
  static func parse(_ source: String) throws(SyntaxError) -> Expression {
    var parser = Parser(tokens: try Lexer.tokens(of: source))
    let expression = try parser.expression()
    guard parser.next == .end else { throw parser.unexpected("an operator or the end") }
    return expression
  }

  private init(tokens: [Token]) { self.tokens = tokens }

  // MARK: Operators

  private mutating func expression() throws(SyntaxError) -> Expression {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= CEL.maximumNesting else { throw tooDeep(offset) }
    let condition = try chain(isAnd: false)
    let start = offset
    guard take("?") else { return condition }
    let first = try chain(isAnd: false)
    try expect(":", "after the first branch of ?")
    return try make(.conditional(condition, first, try expression()), at: start)
  }

  /// Parses a chain of `||`, whose operands are chains of `&&`, or one of `&&`.
  private mutating func chain(isAnd: Bool) throws(SyntaxError) -> Expression {
    let first = try operand(ofAnd: isAnd)
    let start = offset
    var operands = [first]
    while take(isAnd ? "&&" : "||") { operands.append(try operand(ofAnd: isAnd)) }
    return operands.count == 1 ? first : try make(.logical(operands, isAnd: isAnd), at: start)
  }

  private mutating func operand(ofAnd isAnd: Bool) throws(SyntaxError) -> Expression {
    isAnd ? try binary(1) : try chain(isAnd: true)
  }

  private mutating func binary(_ precedence: Int) throws(SyntaxError) -> Expression {
    var left = try unary()
    while let found = binaryOperator, found.precedence >= precedence {
      let start = offset
      at += 1
      let right = try binary(found.precedence + 1)
      left = try make(.operation(found, [left, right]), at: start)
    }
    return left
  }

  private var binaryOperator: Expression.Operator? {
    if case .mark(let mark) = next, mark != "!" { Expression.Operator(rawValue: mark) } else { nil }
  }

  /// `!` and `-` repeat in a loop; their count is limited with the depth of the tree.
  private mutating func unary() throws(SyntaxError) -> Expression {
    var prefixes: [(Expression.Operator, Int)] = []
    while case .mark(let mark) = next, mark == "!" || mark == "-", prefixes.count <= CEL.maximumTreeDepth {
      if let last = prefixes.last, (last.0 == .not) != (mark == "!") { throw unexpected("an operand") }
      prefixes.append((mark == "!" ? .not : .negate, offset))
      at += 1
    }
    var operand: Expression
    if prefixes.last?.0 == .negate, let literal = try negativeLiteral() {
      prefixes.removeLast()
      operand = try members(of: literal)
    } else {
      operand = try members(of: try primary())
    }
    for (prefix, offset) in prefixes.reversed() { operand = try make(.operation(prefix, [operand]), at: offset) }
    return operand
  }

  /// The number after a `-`, which belongs to the literal: -9223372036854775808 is an int, and 9223372036854775808 is
  /// not.
  private mutating func negativeLiteral() throws(SyntaxError) -> Expression? {
    let start = tokens[at - 1].offset
    switch next {
    case .integer(let number):
      at += 1
      return try make(.literal(.int(Int64(truncatingIfNeeded: 0 &- number))), at: start)
    case .literal(.double(let number)):
      at += 1
      return try make(.literal(.double(-number)), at: start)
    default: return nil
    }
  }

  // MARK: Members

  private mutating func members(of operand: Expression) throws(SyntaxError) -> Expression {
    var operand = operand
    while true {
      let start = offset
      if take(".") {
        let nameOffset = offset
        let name = try fieldName()
        if !name.isQuoted, take("(") {
          operand = try call(name.text, target: operand, offset: nameOffset)
        } else {
          operand = try make(.select(operand, field: name.text), at: nameOffset)
        }
      } else if take("[") {
        let index = try expression()
        try expect("]", "after the index")
        operand = try make(.index(operand, index), at: start)
      } else if next == .mark("{"), operand.isQualifiedName {
        throw SyntaxError(message: "Messages are not supported. Write a map, as in {'name': value}.", offset: start)
      } else {
        return operand
      }
    }
  }

  /// A field name. A reserved word is allowed, because a dot stands before it.
  private mutating func fieldName() throws(SyntaxError) -> (text: String, isQuoted: Bool) {
    switch next {
    case .identifier(let name):
      at += 1
      return (name, false)
    case .quotedIdentifier(let name):
      at += 1
      return (name, true)
    default: throw unexpected("the name of a field")
    }
  }

  private mutating func primary() throws(SyntaxError) -> Expression {
    let start = offset
    let token = next
    at += 1
    switch token {
    case .integer(let number):
      guard let number = Int64(exactly: number) else {
        throw SyntaxError(message: "The number exceeds the range of an int, -2^63 to 2^63 - 1.", offset: start)
      }
      return try make(.literal(.int(number)), at: start)
    case .literal(let value): return try make(.literal(value), at: start)
    case .identifier(let name): return try nameOrCall(name, isAbsolute: false, offset: start)
    case .mark("."):
      guard case .identifier(let name) = next else { throw unexpected("a name") }
      at += 1
      return try nameOrCall(name, isAbsolute: true, offset: start)
    case .mark("("):
      let inner = try expression()
      try expect(")", "after the expression")
      return inner
    case .mark("["): return try make(.list(try elements(until: "]")), at: start)
    case .mark("{"): return try map(start)
    default:
      at -= 1
      throw unexpected("an operand")
    }
  }

  private mutating func nameOrCall(_ name: String, isAbsolute: Bool, offset: Int) throws(SyntaxError) -> Expression {
    if Token.reserved.contains(name) {
      throw SyntaxError(message: "\(name) is a reserved word. Choose another name.", offset: offset)
    }
    if take("(") { return try call(name, target: nil, offset: offset) }
    return try make(.name(name, isAbsolute: isAbsolute), at: offset)
  }

  private mutating func call(_ name: String, target: Expression?, offset: Int) throws(SyntaxError) -> Expression {
    let arguments = try elements(until: ")")
    if let macro = try Macros.expand(name, target: target, arguments: arguments, offset: offset) {
      return try make(macro, at: offset)
    }
    return try make(.call(name: name, target: target, arguments: arguments), at: offset)
  }

  /// Expressions with commas between them. A list may end with a comma, a call may not.
  private mutating func elements(until close: String) throws(SyntaxError) -> [Expression] {
    var elements: [Expression] = []
    while !take(close) {
      elements.append(try expression())
      if take(close) { break }
      try expect(",", "or \(close) after an expression")
      if close == ")", next == .mark(")") { throw unexpected("an argument") }
    }
    return elements
  }

  private mutating func map(_ start: Int) throws(SyntaxError) -> Expression {
    var entries: [(key: Expression, value: Expression)] = []
    while !take("}") {
      let key = try expression()
      try expect(":", "after the key of a map")
      entries.append((key, try expression()))
      if take("}") { break }
      try expect(",", "or } after the value of a map")
    }
    return try make(.map(entries), at: start)
  }

  // MARK: Tokens

  private var next: Token.Kind { tokens[at].kind }
  private var offset: Int { tokens[at].offset }

  private mutating func take(_ mark: String) -> Bool {
    guard next == .mark(mark) else { return false }
    at += 1
    return true
  }

  private mutating func expect(_ mark: String, _ position: String) throws(SyntaxError) {
    guard take(mark) else { throw unexpected("\(mark) \(position)") }
  }

  private func unexpected(_ expected: String) -> SyntaxError {
    if case .identifier(let name) = next, let mark = ["and": "&&", "or": "||"][name] {
      return SyntaxError(message: "Write \(mark) for \"\(name)\".", offset: offset)
    }
    let found = next == .end ? "The expression ends" : "\(tokens[at].description) stands"
    return SyntaxError(message: "\(found) where \(expected) is expected.", offset: offset)
  }

  private func make(_ kind: Expression.Kind, at offset: Int) throws(SyntaxError) -> Expression {
    let expression = Expression(kind, offset: offset)
    guard expression.depth <= CEL.maximumTreeDepth else { throw tooDeep(offset) }
    return expression
  }

  private func tooDeep(_ offset: Int) -> SyntaxError {
    SyntaxError(
      message: "The expression is nested more than \(CEL.maximumNesting) levels deep or a chain of operators is longer "
        + "than \(CEL.maximumTreeDepth). Split it.", offset: offset)
  }
}

extension Expression {
  /// Whether the expression is a name, or names with dots between them.
  fileprivate var isQualifiedName: Bool {
    switch kind {
    case .name: true
    case .select(let operand, _, _): operand.isQualifiedName
    default: false
    }
  }
}
