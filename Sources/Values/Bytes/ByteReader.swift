/// A cursor over bytes that are not trusted: every read is checked against the end and throws instead of trapping.
public struct ByteReader: Sendable {
  @usableFromInline let storage: [UInt8]
  @usableFromInline let end: Int

  /// Where the next read starts, counted from the start of the bytes that the reader was given.
  public private(set) var position: Int

  /// Reads all of `bytes`, sharing their memory.
  public init(_ bytes: [UInt8]) {
    self.storage = bytes
    self.end = bytes.count
    self.position = 0
  }

  /// Reads all of `bytes`. Memory is shared if the slice covers its whole array, and copied once otherwise.
  public init(_ bytes: ArraySlice<UInt8>) {
    self.init(Array(bytes))
  }

  /// How many bytes are left.
  public var remaining: Int { end - position }

  /// Whether every byte has been read.
  public var isAtEnd: Bool { position == end }

  /// Reads one byte.
  public mutating func byte() throws(ValueError) -> UInt8 {
    guard position < end else { throw ValueError(.truncated, offset: position) }
    defer { position += 1 }
    return storage[position]
  }

  /// Reads `count` bytes, sharing memory.
  public mutating func slice(_ count: Int) throws(ValueError) -> ArraySlice<UInt8> {
    let from = position
    try skip(count)
    return storage[from..<position]
  }

  /// Reads `count` bytes of UTF-8. Throws if they are not well-formed (RFC 3629).
  public mutating func text(_ count: Int) throws(ValueError) -> String {
    let from = position
    try skip(count)
    let text = storage.withUnsafeBufferPointer { buffer -> String? in
      guard count > 0, let base = buffer.baseAddress else { return "" }
      guard UTF8Check.isValid(base + from, count: count) else { return nil }
      return String(decoding: UnsafeBufferPointer(start: base + from, count: count), as: UTF8.self)
    }
    guard let text else { throw ValueError(.invalidText, offset: from) }
    return text
  }

  /// Reads an integer in little-endian order, as many bytes as its type has.
  public mutating func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(ValueError) -> Number {
    let from = position
    try skip(MemoryLayout<Number>.size)
    return storage.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: from, as: type)) }
  }

  /// Reads an unsigned LEB128 varint. Refuses more than 64 bits, and forms longer than needed.
  public mutating func varint() throws(ValueError) -> UInt64 {
    let from = position
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      if shift == 63, next > 1 { throw ValueError(.varintTooLong, offset: from) }
      result |= UInt64(next & 0x7F) << shift
      if next < 0x80 {
        if next == 0, shift > 0 { throw ValueError(.notShortest, offset: from) }
        return result
      }
      shift += 7
    }
  }

  /// Reads a value where it starts, checks it completely and shares its memory.
  public mutating func value() throws(ValueError) -> Value {
    let value = try Value(validatingPrefixOf: storage, at: position)
    position = Int(value.end)
    return value
  }

  /// Throws if bytes are left.
  public func finish() throws(ValueError) {
    guard isAtEnd else { throw ValueError(.trailingBytes, offset: position) }
  }

  private mutating func skip(_ count: Int) throws(ValueError) {
    guard count >= 0, count <= remaining else { throw ValueError(.truncated, offset: position) }
    position += count
  }
}
