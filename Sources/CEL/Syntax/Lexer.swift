/// Splits a source into tokens.
struct Lexer {
  let bytes: [UInt8]
  var at = 0

  init(_ source: String) { bytes = Array(source.utf8) }

  /// - Throws: the first error of the source.
  static func tokens(of source: String) throws(SyntaxError) -> [Token] {
    guard source.utf8.count <= CEL.maximumSourceLength else {
      throw SyntaxError(
        message: "The expression is longer than \(CEL.maximumSourceLength) bytes. Split it.", offset: 0)
    }
    var lexer = Lexer(source)
    var tokens: [Token] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(SyntaxError) -> Token {
    skipSpace()
    let start = at
    guard let byte = peek() else { return Token(kind: .end, offset: start) }
    let kind: Token.Kind
    if byte.isDigit || byte == UInt8(ascii: ".") && peek(1)?.isDigit == true {
      kind = try number()
    } else if let literal = try stringOrBytes() {
      kind = literal
    } else if byte.isIdentifierStart {
      kind = try identifier()
    } else if byte == UInt8(ascii: "`") {
      kind = try quotedIdentifier()
    } else {
      kind = try mark()
    }
    return Token(kind: kind, offset: start)
  }

  func peek(_ distance: Int = 0) -> UInt8? { at + distance < bytes.count ? bytes[at + distance] : nil }

  mutating func take(_ text: StaticString) -> Bool {
    guard at + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[at + index] != text.utf8Start[index] { return false }
    at += text.utf8CodeUnitCount
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek() {
      if byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B {
        at += 1
      } else if take("//") {
        while let byte = peek(), byte != 0x0A { _ = (byte, at += 1) }
      } else {
        return
      }
    }
  }

  private mutating func identifier() throws(SyntaxError) -> Token.Kind {
    let start = at
    while let byte = peek(), byte.isIdentifierStart || byte.isDigit { at += 1 }
    let name = String(decoding: bytes[start..<at], as: UTF8.self)
    if let constant = Token.constants[name] { return .literal(constant) }
    return name == "in" ? .mark(name) : .identifier(name)
  }

  /// A field name in backticks (CEL specification, "Field Selection": ESC_IDENT).
  private mutating func quotedIdentifier() throws(SyntaxError) -> Token.Kind {
    let start = at
    at += 1
    while let byte = peek(), byte != UInt8(ascii: "`") {
      guard byte.isIdentifierStart || byte.isDigit || [0x2E, 0x2D, 0x2F, 0x20].contains(byte) else {
        throw SyntaxError(
          message: "A name in backticks has letters, digits, and the characters _ . - / only.", offset: at)
      }
      at += 1
    }
    guard at < bytes.count else { throw SyntaxError(message: "Close the name with a backtick.", offset: start) }
    at += 1
    guard at - start > 2 else { throw SyntaxError(message: "The name in backticks is empty.", offset: start) }
    return .quotedIdentifier(String(decoding: bytes[start + 1..<at - 1], as: UTF8.self))
  }

  private static let marks: [StaticString] = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",", "(", ")", "[", "]",
    "{", "}",
  ]

  private static let advice: [UInt8: String] = [
    UInt8(ascii: "="): "Compare with == or !=.",
    UInt8(ascii: "&"): "Write && for \"and\".",
    UInt8(ascii: "|"): "Write || for \"or\".",
  ]

  private mutating func mark() throws(SyntaxError) -> Token.Kind {
    for mark in Self.marks where take(mark) { return .mark("\(mark)") }
    if let advice = Self.advice[bytes[at]] { throw SyntaxError(message: advice, offset: at) }
    let scalar = String(decoding: bytes[at..<min(at + 4, bytes.count)], as: UTF8.self).unicodeScalars.first ?? " "
    throw SyntaxError(message: "The character \(scalar.debugName) is not part of an expression. Remove it.", offset: at)
  }

  // MARK: Numbers

  private mutating func number() throws(SyntaxError) -> Token.Kind {
    let start = at
    if take("0x") || take("0X") {
      let digits = digits { $0.hexadecimalValue != nil }
      return try integer(digits, radix: 16, start: start)
    }
    var text = digits(where: \.isDigit)
    var isDouble = false
    if peek() == UInt8(ascii: "."), peek(1)?.isDigit == true {
      at += 1
      text = (text.isEmpty ? "0" : text) + "." + digits(where: \.isDigit)
      isDouble = true
    }
    let beforeExponent = at
    if take("e") || take("E") {
      let sign = take("-") ? "-" : ""
      if sign.isEmpty { _ = take("+") }
      let exponent = digits(where: \.isDigit)
      if exponent.isEmpty {
        at = beforeExponent
      } else {
        text += "e\(sign)\(exponent)"
        isDouble = true
      }
    }
    if isDouble {
      guard let number = Double(text), number.isFinite else {
        throw SyntaxError(message: "The number exceeds the range of a double, ±1.8e308.", offset: start)
      }
      try endNumber(start)
      return .literal(.double(number))
    }
    return try integer(text, radix: 10, start: start)
  }

  private mutating func digits(where isDigit: (UInt8) -> Bool) -> String {
    let start = at
    while let byte = peek(), isDigit(byte) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func integer(_ digits: String, radix: Int, start: Int) throws(SyntaxError) -> Token.Kind {
    guard !digits.isEmpty else { throw SyntaxError(message: "The number has no digits after 0x.", offset: start) }
    let isUnsigned = take("u") || take("U")
    try endNumber(start)
    guard let number = UInt64(digits, radix: radix), isUnsigned || number <= 1 << 63 else {
      let range = isUnsigned ? "a uint, 0 to 2^64 - 1" : "an int, -2^63 to 2^63 - 1"
      throw SyntaxError(message: "The number exceeds the range of \(range).", offset: start)
    }
    return isUnsigned ? .literal(.uint(number)) : .integer(number)
  }

  private func endNumber(_ start: Int) throws(SyntaxError) {
    guard peek()?.isIdentifierStart == true else { return }
    throw SyntaxError(
      message: "A letter follows the number. Separate them, or write the number as 1, 1u or 1.5.", offset: at)
  }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var isIdentifierStart: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F }

  var hexadecimalValue: UInt32? { Character(Unicode.Scalar(self)).hexDigitValue.map { UInt32($0) } }
}

extension Unicode.Scalar {
  /// The character, or its code point if it is invisible.
  var debugName: String {
    properties.isAlphabetic || properties.isEmoji || (0x21...0x7E).contains(value)
      ? String(Character(self)) : "U+\(String(value, radix: 16, uppercase: true))"
  }
}
