/// The reason why bytes are not a ``Value``, or why the encoding or decoding of a Swift value failed, and the path or the
/// offset of the fault.
public struct ValueError: Error, Sendable {
  /// A step from an outer value to a value inside it.
  public enum Step: Sendable, Equatable {
    case key(String)
    case index(Int)
  }

  public enum Reason: Sendable, Equatable {
    /// The bytes end inside the value.
    case truncated
    /// Bytes follow the value.
    case trailingBytes
    /// A CBOR item is outside of the subset: a byte string, a tag, an indefinite length, or another simple value or
    /// float.
    case unsupported(UInt8)
    /// A length or number is not in its shortest form.
    case notShortest
    /// A varint has more than 64 bits.
    case varintTooLong
    /// Arrays and maps are nested more than 64 levels deep.
    case tooDeep
    /// The value takes more than 4 GiB.
    case tooLarge
    /// A text is malformed UTF-8.
    case invalidText
    /// A key of a map is not text.
    case keyNotText
    /// A key occurs twice in one map.
    case duplicateKey(String)
    /// An integer exceeds the range of the type, or of Int64.
    case outOfRange(String)
    /// A number is infinite or NaN.
    case notFinite
    /// A value is of another kind than the expected one.
    case mismatch(expected: String, found: String)
    /// A map lacks a key.
    case missing(String)
    /// An array has no further element.
    case noElement
    /// An encoder was used twice, or after its value was finished.
    case misusedEncoder
    /// The type's own code threw an error, with this description.
    case refused(String)
  }

  /// The reason.
  public var reason: Reason
  /// The steps from the outermost value to the invalid one; empty if they are unknown or the outermost value is
  /// invalid.
  public var path: [Step]
  /// The offset of the invalid byte in the buffer; nil unless bytes were validated.
  public var offset: Int?
  /// The error that the type's own code threw, if the reason is `refused`.
  public var underlying: (any Error)?

  public init(_ reason: Reason, path: [Step] = [], offset: Int? = nil, underlying: (any Error)? = nil) {
    self.reason = reason
    self.path = path
    self.offset = offset
    self.underlying = underlying
  }
}

extension ValueError: CustomStringConvertible {
  /// The path, if known, and the message: `purchases[0].price: expected an integer, found text`.
  public var description: String {
    let path = Self.text(of: path)
    return path.isEmpty ? sentence : "\(path): \(sentence)"
  }

  /// The message without the path.
  public var sentence: String {
    guard let offset else { return message }
    return "\(message), at byte \(offset)"
  }

  private var message: String {
    switch reason {
    case .truncated: "the bytes end inside the value"
    case .trailingBytes: "bytes follow the value"
    case .unsupported(let byte): "an item that starts with byte 0x\(String(byte, radix: 16)) is not supported"
    case .notShortest: "a number is not in its shortest form"
    case .varintTooLong: "a varint has more than 64 bits"
    case .tooDeep: "arrays and maps are nested more than \(Value.maximumDepth) levels deep"
    case .tooLarge: "the value takes more than 4 GiB"
    case .invalidText: "a text is malformed UTF-8"
    case .keyNotText: "a key is not text"
    case .duplicateKey(let key): "the key \"\(key)\" occurs twice"
    case .outOfRange(let type): "the number is out of the range of \(type)"
    case .notFinite: "the number is not finite"
    case .mismatch(let expected, let found): "expected \(expected), found \(found)"
    case .missing(let key): "the key \"\(key)\" is missing"
    case .noElement: "the array has no further element"
    case .misusedEncoder: "an encoder was used a second time, or after its value was complete"
    case .refused(let message): message
    }
  }

  /// Returns a path as text, with dots between keys and with indices in brackets.
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

extension ValueError {
  /// Converts an error that a type's `encode(to:)` threw, and puts the path to that type before the error's own.
  init(_ error: any Error, encoding path: [Step]) {
    self = ValueError(error)
    self.path = path + self.path
  }

  /// Converts an error that a type's own code threw.
  init(_ error: any Error) {
    switch error {
    case let error as ValueError: self = error
    case EncodingError.invalidValue(_, let context): self.init(context.debugDescription, context.codingPath, error)
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
      self.init(context.debugDescription, context.codingPath, error)
    default: self.init(.refused(String(describing: error)), underlying: error)
    }
  }

  private init(_ message: String, _ path: [any CodingKey], _ error: any Error) {
    self.init(.refused(message), path: path.map(Step.init), underlying: error)
  }
}
