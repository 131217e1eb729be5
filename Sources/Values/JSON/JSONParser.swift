/// A parser of JSON text (RFC 8259) that writes the bytes of a ``Value`` in linear time, without a tree in between.
///
/// The parser is strict where the RFC leaves a choice: it refuses duplicate keys, lone surrogates, a byte order mark,
/// and nesting of more than ``maximumDepth`` levels.
///
/// An integer literal within Int64 becomes an integer. Any other number is rounded to the nearest double. A whole
/// double within ±2^53 becomes an integer too (`1.0`, `1e2`), as in JSON Schema, and -0 becomes 0. The parser refuses a
/// number beyond the range of a double, and turns one too close to 0 into 0.
public enum JSONParser {
  /// Parses a text that is one JSON number; nil for any other text.
  public static func number(_ text: String) -> Value? {
    guard let value = try? parse(Array(text.utf8)), value.double != nil else { return nil }
    return value
  }

  /// The maximum depth of arrays and objects by default. It is below the 64 of a value, since clients are not trusted.
  public static let maximumDepth = 32

  /// Parses a text that is exactly one JSON value, with optional whitespace around it.
  ///
  /// - Parameter depth: The maximum depth of arrays and objects, at most 64.
  public static func parse(_ text: [UInt8], depth: Int = maximumDepth) throws(JSONError) -> Value {
    guard text.count <= UInt32.max / 4 else { throw JSONError(.tooLarge, offset: 0) }
    return try text.withUnsafeBufferPointer { (buffer) throws(JSONError) in
      guard let base = buffer.baseAddress, !buffer.isEmpty else { throw JSONError(.truncated, offset: 0) }
      var transcoder = JSONTranscoder(base: base, end: buffer.count, depth: min(depth, Value.maximumDepth))
      return try transcoder.run()
    }
  }
}

/// The reason why a text is not JSON (RFC 8259) or not a ``Value``, and its place in the text.
public struct JSONError: Error, Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    /// The text ends inside the value.
    case truncated
    /// Text follows the value.
    case trailingBytes
    /// No token that is valid here starts with this byte.
    case unexpected(UInt8)
    /// The text starts with a byte order mark (RFC 8259, section 8.1).
    case byteOrderMark
    /// Arrays and objects are nested too deeply.
    case tooDeep
    /// A number is malformed (RFC 8259, section 6), or exceeds the range of a double.
    case invalidNumber, numberTooLarge
    /// A string contains an unescaped control character, U+0000 to U+001F.
    case controlCharacter
    /// A string contains an escape that RFC 8259, section 7 does not list.
    case invalidEscape
    /// A string contains an escaped surrogate without its other half.
    case loneSurrogate
    /// A string is malformed UTF-8.
    case invalidText
    /// A key occurs twice in the object at the offset.
    case duplicateKey(String)
    /// The text is longer than 1 GiB, a quarter of the size of a value.
    case tooLarge
  }

  /// The reason.
  public var reason: Reason
  /// The offset of the byte at fault.
  public var offset: Int

  public init(_ reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONError: CustomStringConvertible {
  /// The message with the offset: `a string contains a control character, at byte 12`.
  public var description: String {
    if case .duplicateKey = reason {
      "\(sentence) in the object at byte \(offset)"
    } else {
      "\(sentence), at byte \(offset)"
    }
  }

  /// The message without the offset.
  public var sentence: String {
    switch reason {
    case .truncated: "the text ends inside the value"
    case .trailingBytes: "text follows the value"
    case .unexpected(let byte) where byte > 0x20 && byte < 0x7F: "unexpected \"\(Character(Unicode.Scalar(byte)))\""
    case .unexpected(let byte): "unexpected byte 0x\(String(byte, radix: 16))"
    case .byteOrderMark: "a byte order mark is not allowed"
    case .tooDeep: "arrays and objects are nested too deeply"
    case .invalidNumber: "a number is malformed"
    case .numberTooLarge: "a number exceeds the range of a double"
    case .controlCharacter: "a string contains a control character"
    case .invalidEscape: "a string contains an unknown escape"
    case .loneSurrogate: "a string contains half of a surrogate pair"
    case .invalidText: "a string is malformed UTF-8"
    case .duplicateKey(let key): "the key \"\(key)\" occurs twice"
    case .tooLarge: "the text is longer than 1 GiB"
    }
  }
}
