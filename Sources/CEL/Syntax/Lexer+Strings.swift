/// The strings and bytes of a source (CEL specification, "String and Bytes Values").
extension Lexer {
  /// Reads a string or bytes literal. Nil if none starts here.
  mutating func stringOrBytes() throws(SyntaxError) -> Token.Kind? {
    let start = at
    let (raw, binary) = (UInt8(ascii: "r"), UInt8(ascii: "b"))
    let prefix = bytes[at...].prefix(2).prefix { $0 | 0x20 == raw || $0 | 0x20 == binary }
    guard let quote = peek(prefix.count), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    let (isRaw, isBytes) = (prefix.contains { $0 | 0x20 == raw }, prefix.contains { $0 | 0x20 == binary })
    guard prefix.count < 2 || isRaw && isBytes else { return nil }
    at += prefix.count
    let content = try content(quote: quote, start: start, isRaw: isRaw, isBytes: isBytes)
    return .literal(isBytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self)))
  }

  private mutating func content(
    quote: UInt8, start: Int, isRaw: Bool, isBytes: Bool
  ) throws(SyntaxError) -> [UInt8] {
    let isTriple = peek(1) == quote && peek(2) == quote
    at += isTriple ? 3 : 1
    var content: [UInt8] = []
    while let byte = peek() {
      if byte == quote, !isTriple || peek(1) == quote && peek(2) == quote {
        at += isTriple ? 3 : 1
        return content
      }
      if !isTriple, byte == 0x0A || byte == 0x0D { break }
      if byte == UInt8(ascii: "\\"), !isRaw {
        try escape(into: &content, isBytes: isBytes)
      } else {
        content.append(byte)
        at += 1
      }
    }
    let mark = String(repeating: Character(Unicode.Scalar(quote)), count: isTriple ? 3 : 1)
    throw SyntaxError(message: "The string is not closed. Write \(mark) at its end.", offset: start)
  }

  private static let simpleEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "v"): 0x0B, UInt8(ascii: "\\"): 0x5C,
    UInt8(ascii: "?"): 0x3F, UInt8(ascii: "\""): 0x22, UInt8(ascii: "'"): 0x27, UInt8(ascii: "`"): 0x60,
  ]

  private mutating func escape(into content: inout [UInt8], isBytes: Bool) throws(SyntaxError) {
    let start = at
    at += 1
    guard let letter = peek() else { throw SyntaxError(message: "The string ends after \\.", offset: start) }
    if let simple = Self.simpleEscapes[letter] {
      at += 1
      content.append(simple)
      return
    }
    let value: UInt32
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "3"): value = try digits(3, radix: 8, start: start)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      at += 1
      value = try digits(2, radix: 16, start: start)
    case UInt8(ascii: "u") where !isBytes, UInt8(ascii: "U") where !isBytes:
      at += 1
      value = try digits(letter == UInt8(ascii: "u") ? 4 : 8, radix: 16, start: start)
    default:
      let hint = isBytes && letter | 0x20 == UInt8(ascii: "u") ? " Bytes take \\x and two digits." : ""
      throw SyntaxError(message: "The escape is unknown. Write \\\\ for a backslash.\(hint)", offset: start)
    }
    if isBytes {
      content.append(UInt8(value))
    } else if let scalar = Unicode.Scalar(value) {
      content += UTF8.encode(scalar).map(Array.init) ?? []
    } else {
      throw SyntaxError(
        message: "The escape is not a Unicode character, but a surrogate or a value above 10FFFF.", offset: start)
    }
  }

  private mutating func digits(_ count: Int, radix: UInt32, start: Int) throws(SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek()?.hexadecimalValue, digit < radix else {
        throw SyntaxError(
          message: "The escape needs \(count) \(radix == 8 ? "octal" : "hexadecimal") digits.", offset: start)
      }
      value = value * radix + digit
      at += 1
    }
    return value
  }
}
