extension ValueError: CustomStringConvertible {
  /// The place, if known, and the sentence: `purchases[0].price: expected an integer, found text`.
  public var description: String {
    let place = Self.text(of: path)
    return place.isEmpty ? sentence : "\(place): \(sentence)"
  }

  /// What is wrong, in words, without the path.
  public var sentence: String {
    guard let offset else { return words }
    return "\(words), at byte \(offset)"
  }

  private var words: String {
    switch reason {
    case .truncated: "the bytes end before the value does"
    case .trailingBytes: "bytes follow the value"
    case .unsupported(let byte): "an item that starts with byte 0x\(String(byte, radix: 16)) is not supported"
    case .notShortest: "a number is not in its shortest form"
    case .varintTooLong: "a varint has more than 64 bits"
    case .tooDeep: "more than \(Value.maximumDepth) levels are nested"
    case .tooLarge: "a value is limited to 4 GiB"
    case .invalidText: "text is not well-formed UTF-8"
    case .keyNotText: "a key is not text"
    case .duplicateKey(let key): "the key \"\(key)\" occurs twice"
    case .outOfRange(let type): "the number is out of the range of \(type)"
    case .notFinite: "the number is not finite"
    case .mismatch(let expected, let found): "expected \(expected), found \(found)"
    case .missing(let key): "the key \"\(key)\" is missing"
    case .noElement: "the array has no further element"
    case .misusedEncoder: "an encoder was used twice, or after its value was finished"
    case .refused(let words): words
    }
  }

  /// A path as text: keys joined by dots, indices in brackets.
  public static func text(of path: [Step]) -> String {
    var text = ""
    for step in path {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      }
    }
    return text
  }
}
