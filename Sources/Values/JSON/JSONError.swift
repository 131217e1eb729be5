/// Why a text is not JSON (RFC 8259) or not a value.
public struct JSONError: Error, Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    /// The text ends before the value does.
    case truncated
    /// Something follows the value.
    case trailingBytes
    /// No value, or nothing of what may come next, starts with this byte.
    case unexpected(UInt8)
    /// A byte order mark starts the text (RFC 8259 section 8.1).
    case byteOrderMark
    /// Too many levels are nested.
    case tooDeep
    /// A number is not written as RFC 8259 section 6 has it, or is too large for a double.
    case invalidNumber, numberTooLarge
    /// An unescaped control character, U+0000 to U+001F, is in a string.
    case controlCharacter
    /// A backslash is followed by something other than RFC 8259 section 7 lists.
    case invalidEscape
    /// An escaped surrogate has no other half.
    case loneSurrogate
    /// A string is not well-formed UTF-8.
    case invalidText
    /// A key occurs twice in the object that starts at the offset.
    case duplicateKey(String)
    /// The text is longer than a value's 4 GiB.
    case tooLarge
  }

  /// What is wrong.
  public var reason: Reason
  /// The byte at fault, counted from the start of the text.
  public var offset: Int

  public init(_ reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONError: CustomStringConvertible {
  /// The sentence with the offset: `a string contains a control character, at byte 12`.
  public var description: String {
    if case .duplicateKey = reason {
      "\(sentence) in the object at byte \(offset)"
    } else {
      "\(sentence), at byte \(offset)"
    }
  }

  /// What is wrong, in words.
  public var sentence: String {
    switch reason {
    case .truncated: "the text ends too early"
    case .trailingBytes: "something follows the value"
    case .unexpected(let byte) where byte > 0x20 && byte < 0x7F: "unexpected \"\(Character(Unicode.Scalar(byte)))\""
    case .unexpected(let byte): "unexpected byte 0x\(String(byte, radix: 16))"
    case .byteOrderMark: "a byte order mark is not allowed"
    case .tooDeep: "too many levels are nested"
    case .invalidNumber: "a number is not well-formed"
    case .numberTooLarge: "a number is too large"
    case .controlCharacter: "a string contains a control character"
    case .invalidEscape: "a string contains an unknown escape"
    case .loneSurrogate: "a string contains half of a surrogate pair"
    case .invalidText: "a string is not well-formed UTF-8"
    case .duplicateKey(let key): "the key \"\(key)\" occurs twice"
    case .tooLarge: "the text is longer than 4 GiB"
    }
  }
}
