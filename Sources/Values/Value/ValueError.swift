/// Why bytes are no value, or why a Swift value could not be encoded or decoded, and where.
public struct ValueError: Error, Sendable {
  /// One step from the outermost value towards the one at fault.
  public enum Step: Sendable, Equatable {
    case key(String)
    case index(Int)
  }

  /// What is wrong.
  public enum Reason: Sendable, Equatable {
    /// The bytes end before the value does.
    case truncated
    /// Bytes follow the value.
    case trailingBytes
    /// A CBOR item outside the subset: byte strings, tags, indefinite lengths, other simple values and floats.
    case unsupported(UInt8)
    /// A length or number takes more bytes than it needs.
    case notShortest
    /// A varint has more than 64 bits.
    case varintTooLong
    /// Containers are nested more deeply than 64 levels.
    case tooDeep
    /// There are more bytes than a value's 4 GiB.
    case tooLarge
    /// Text is not well-formed UTF-8.
    case invalidText
    /// A key of a map is not text.
    case keyNotText
    /// A key occurs twice in one map.
    case duplicateKey(String)
    /// An integer is outside what the type, or the format's Int64, holds.
    case outOfRange(String)
    /// A number is infinite or not a number.
    case notFinite
    /// One kind of value was expected and another found.
    case mismatch(expected: String, found: String)
    /// A key is missing in a map.
    case missing(String)
    /// An array has no further element.
    case noElement
    /// An encoder was used twice, or after its value was finished.
    case misusedEncoder
    /// The type's own code refused, in its own words.
    case refused(String)
  }

  /// What is wrong.
  public var reason: Reason
  /// The way from the outermost value to the one at fault; empty if unknown or the outermost itself.
  public var path: [Step]
  /// The byte at fault, counted from the start of the buffer, where bytes were being checked.
  public var offset: Int?
  /// What the type's own code threw, if the reason is `refused`.
  public var underlying: (any Error)?

  public init(_ reason: Reason, path: [Step] = [], offset: Int? = nil, underlying: (any Error)? = nil) {
    self.reason = reason
    self.path = path
    self.offset = offset
    self.underlying = underlying
  }
}
