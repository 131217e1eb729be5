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
  /// - Parameter depth: The maximum depth of arrays and objects, at most ``Value/maximumDocumentDepth``.
  public static func parse(_ text: [UInt8], depth: Int = maximumDepth) throws(JSONError) -> Value {
    guard text.count <= UInt32.max / 4 else { throw JSONError(.tooLarge, offset: 0) }
    return try text.withUnsafeBufferPointer { (buffer) throws(JSONError) in
      guard let base = buffer.baseAddress, !buffer.isEmpty else { throw JSONError(.truncated, offset: 0) }
      var transcoder = JSONTranscoder(base: base, end: buffer.count, depth: min(depth, Value.maximumDocumentDepth))
      return try transcoder.run()
    }
  }
}

/// The pass of ``JSONParser`` over a text: it reads JSON and writes CBOR.
struct JSONTranscoder: ~Copyable {
  let base: UnsafePointer<UInt8>
  let end: Int
  var at = 0
  var out: ByteWriter

  private let maximumDepth: Int

  init(base: UnsafePointer<UInt8>, end: Int, depth: Int) {
    self.base = base
    self.end = end
    maximumDepth = depth
    // CBOR needs more bytes than JSON only for fractional numbers and long strings.
    self.out = ByteWriter(capacity: end + 16)
  }

  mutating func run() throws(JSONError) -> Value {
    if end >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { throw JSONError(.byteOrderMark, offset: 0) }
    skipSpace()
    try value(depth: 0)
    skipSpace()
    guard at == end else { throw JSONError(.trailingBytes, offset: at) }
    return Value(unchecked: out.copy())
  }

  /// Converts the value at the cursor, which lies inside `depth` containers.
  private mutating func value(depth: Int) throws(JSONError) {
    guard at < end else { throw JSONError(.truncated, offset: at) }
    switch base[at] {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"): try object(depth: depth)
    case UInt8(ascii: "["): try array(depth: depth)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "t"): try keyword("true", CBOR.trueByte)
    case UInt8(ascii: "f"): try keyword("false", CBOR.falseByte)
    case UInt8(ascii: "n"): try keyword("null", CBOR.nullByte)
    default: throw JSONError(.unexpected(base[at]), offset: at)
    }
  }

  private mutating func object(depth: Int) throws(JSONError) {
    guard depth < maximumDepth else { throw JSONError(.tooDeep, offset: at) }
    let (from, head) = (at, out.count)
    var (count, filter, mayRepeat) = (0, KeyFilter(), false)
    out.append(CBOR.emptyMap)
    at &+= 1
    skipSpace()
    if at < end, base[at] == UInt8(ascii: "}") {
      at &+= 1
      return
    }
    repeat {
      skipSpace()
      guard at < end else { throw JSONError(.truncated, offset: at) }
      guard base[at] == UInt8(ascii: "\"") else { throw JSONError(.unexpected(base[at]), offset: at) }
      let size = try string()
      if filter.insert(out.start + (out.count - size), count: size) { mayRepeat = true }
      skipSpace()
      guard at < end else { throw JSONError(.truncated, offset: at) }
      guard base[at] == UInt8(ascii: ":") else { throw JSONError(.unexpected(base[at]), offset: at) }
      at &+= 1
      skipSpace()
      try value(depth: depth &+ 1)
      count &+= 1
    } while try hasAnother(until: UInt8(ascii: "}"))
    _ = out.setCount(count, ofContainerAt: head)
    if mayRepeat, let key = DuplicateKeys.first(out.start, map: head) {
      throw JSONError(.duplicateKey(key), offset: from)
    }
  }

  private mutating func array(depth: Int) throws(JSONError) {
    guard depth < maximumDepth else { throw JSONError(.tooDeep, offset: at) }
    let head = out.count
    var count = 0
    out.append(CBOR.array << 5)
    at &+= 1
    skipSpace()
    if at < end, base[at] == UInt8(ascii: "]") {
      at &+= 1
      return
    }
    repeat {
      skipSpace()
      try value(depth: depth &+ 1)
      count &+= 1
    } while try hasAnother(until: UInt8(ascii: "]"))
    _ = out.setCount(count, ofContainerAt: head)
  }

  /// Moves past a comma and returns true, or past the closing bracket and returns false.
  @inline(__always)
  private mutating func hasAnother(until close: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard at < end else { throw JSONError(.truncated, offset: at) }
    let byte = base[at]
    guard byte == UInt8(ascii: ",") || byte == close else { throw JSONError(.unexpected(byte), offset: at) }
    at &+= 1
    return byte != close
  }

  private mutating func keyword(_ word: StaticString, _ byte: UInt8) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard at < end else { throw JSONError(.truncated, offset: at) }
      guard base[at] == word.utf8Start[index] else { throw JSONError(.unexpected(base[at]), offset: at) }
      at &+= 1
    }
    out.append(byte)
  }

  @inline(__always)
  mutating func skipSpace() {
    while at < end {
      let byte = base[at]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      at &+= 1
    }
  }
}

/// The reason why a text is not JSON (RFC 8259) or not a ``Value``, and the offset of the fault.
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
    // The key is the text of a client or of a backend, which may be personal data and goes to logs.
    case .duplicateKey: "a key occurs twice"
    case .tooLarge: "the text is longer than 1 GiB"
    }
  }
}
