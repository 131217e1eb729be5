/// Indented JSON, with every member and element on a line of its own.
enum IndentedJSON {
  /// - Parameter json: one JSON value without whitespace outside of strings.
  static func text(of json: [UInt8]) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(2 * json.count)
    var depth = 0
    var isInText = false
    func breakLine() {
      out.append(UInt8(ascii: "\n"))
      out += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }
    for (index, byte) in json.enumerated() {
      if isInText {
        out.append(byte)
        isInText = byte != UInt8(ascii: "\"") || isEscaped(index, in: json)
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        out.append(byte)
        depth += 1
        if !isClosing(json[index + 1]) { breakLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if !isOpening(json[index - 1]) { breakLine() }
        out.append(byte)
      case UInt8(ascii: ","):
        out.append(byte)
        breakLine()
      case UInt8(ascii: ":"):
        out += [byte, UInt8(ascii: " ")]
      default:
        isInText = byte == UInt8(ascii: "\"")
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

  private static func isClosing(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }

  /// Whether an odd number of backslashes stands before the quote.
  private static func isEscaped(_ quote: Int, in json: [UInt8]) -> Bool {
    !json[..<quote].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
  }
}
