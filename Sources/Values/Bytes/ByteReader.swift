/// A cursor over untrusted bytes. Every read is checked against the end, and throws instead of trapping.
public struct ByteReader: Sendable {
  @usableFromInline let storage: [UInt8]
  @usableFromInline let end: Int

  /// The offset of the next read from the start of the bytes.
  public var position: Int {
    @inlinable get { next }
  }
  @usableFromInline var next: Int

  /// Creates a reader of `bytes`, whose memory it shares.
  @inlinable
  public init(_ bytes: [UInt8]) {
    self.storage = bytes
    self.end = bytes.count
    self.next = 0
  }

  /// The number of unread bytes.
  @inlinable
  public var remaining: Int { end - next }

  /// Whether every byte has been read.
  public var isAtEnd: Bool { position == end }

  /// Reads one byte.
  @inlinable @inline(__always)
  public mutating func byte() throws(ValueError) -> UInt8 {
    let position = next
    guard position < end else { throw error(.truncated, at: position) }
    next = position &+ 1
    return storage.withUnsafeBufferPointer { $0.baseAddress.unsafelyUnwrapped[position] }
  }

  /// Reads `count` bytes of UTF-8. Throws if they are malformed (RFC 3629).
  public mutating func text(_ count: Int) throws(ValueError) -> String {
    let from = position
    try skip(count)
    let text = storage.withUnsafeBufferPointer { buffer in
      String(validating: UnsafeBufferPointer(rebasing: buffer[from..<(from + count)]), as: UTF8.self)
    }
    guard let text else { throw ValueError(.invalidText, offset: from) }
    return text
  }

  /// Reads `count` bytes and lends them to `body`.
  public mutating func withBytes<Result>(_ count: Int, _ body: (Span<UInt8>) -> Result) throws(ValueError) -> Result {
    let from = next
    try skip(count)
    return body(storage.span.extracting(from..<(from + count)))
  }

  /// Reads an unsigned LEB128 varint. Throws for more than 64 bits, and for a form that is not the shortest.
  @inlinable @inline(__always)
  public mutating func varint() throws(ValueError) -> UInt64 {
    let first = try byte()
    return first < 0x80 ? UInt64(first) : try longVarint()
  }

  /// Reads a varint whose first byte has been read.
  @usableFromInline @inline(never)
  mutating func longVarint() throws(ValueError) -> UInt64 {
    next -= 1
    let from = next
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      if shift == 63, byte > 1 { throw ValueError(.varintTooLong, offset: from) }
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        if byte == 0, shift > 0 { throw ValueError(.notShortest, offset: from) }
        return result
      }
      shift += 7
    }
  }

  /// Reads and validates a value, which shares the memory of the reader.
  public mutating func value() throws(ValueError) -> Value {
    if next < end, storage[next] == CBOR.emptyMap {
      next &+= 1
      return .emptyObject
    }
    let value = try Value(validatingPrefixOf: storage, at: position)
    next = Int(value.end)
    return value
  }

  /// Skips `count` bytes.
  public mutating func skip(_ count: Int) throws(ValueError) {
    guard count >= 0, count <= remaining else { throw ValueError(.truncated, offset: position) }
    next += count
  }

  @usableFromInline @inline(never)
  func error(_ reason: ValueError.Reason, at position: Int) -> ValueError { ValueError(reason, offset: position) }
}
