/// One value as data: null, a boolean, an integer (Int64), a double, text, an array, or a map with text keys.
///
/// It is exactly one CBOR item (RFC 8949) under the core deterministic rules of its section 4.2.1 – definite lengths,
/// shortest heads – with three differences: the keys of a map keep their author's order instead of being sorted,
/// doubles always take 64 bits, and they are finite. No key occurs twice in a map; at most 64 levels are nested.
///
/// A value is a range of a shared buffer: cutting one out of a larger one allocates nothing, and keeps the buffer
/// alive. Two values are equal if their bytes are: 1 and 1.0 differ, and so do maps in another order.
public struct Value: Sendable {
  /// How many arrays and maps may be nested in each other.
  public static let maximumDepth = 64

  @usableFromInline let storage: [UInt8]
  // 32 bits each, so that a value takes two words and a decoder three, which an existential holds without a box.
  @usableFromInline let start: UInt32
  @usableFromInline let end: UInt32

  /// The encoded bytes, sharing memory.
  @inlinable public var bytes: ArraySlice<UInt8> { storage[Int(start)..<Int(end)] }

  /// Takes bytes that are known to be one value.
  init(unchecked storage: [UInt8]) {
    self.init(unchecked: storage, start: 0, end: storage.count)
  }

  init(unchecked storage: [UInt8], start: Int, end: Int) {
    self.storage = storage
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
  }

  /// Checks that `bytes` are exactly one value. Shares the memory of the array.
  public init(validating bytes: [UInt8]) throws(ValueError) {
    self = try Value(validatingPrefixOf: bytes, at: 0)
    guard Int(end) == bytes.count else { throw ValueError(.trailingBytes, offset: Int(end)) }
  }

  /// Checks that `bytes` are exactly one value. Shares memory if the slice covers its whole array, and copies it
  /// otherwise; `ByteReader.value()` cuts a value out of a larger buffer without copying.
  public init(validating bytes: ArraySlice<UInt8>) throws(ValueError) {
    try self.init(validating: Array(bytes))
  }

  /// Checks the value that starts at `start`, whatever follows it.
  init(validatingPrefixOf storage: [UInt8], at start: Int) throws(ValueError) {
    guard storage.count <= UInt32.max else { throw ValueError(.tooLarge) }
    guard start >= 0, start < storage.count else { throw ValueError(.truncated, offset: start) }
    // A map without members is what most screens and coordinators are.
    if storage[start] == CBOR.emptyMap {
      self.init(unchecked: storage, start: start, end: start + 1)
      return
    }
    let end = try storage.withUnsafeBufferPointer { (buffer) throws(ValueError) in
      try CBORValidator(base: buffer.baseAddress.unsafelyUnwrapped, end: buffer.count).item(at: start, depth: 0)
    }
    self.init(unchecked: storage, start: start, end: end)
  }

  var isEmptyMap: Bool { storage[Int(start)] == CBOR.emptyMap }

  /// Lends the buffer, in which the value lies from `start` to `end`.
  @inline(__always)
  func withBase<Result, Failure: Error>(
    _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeBufferPointer { (buffer) throws(Failure) in
      try body(buffer.baseAddress.unsafelyUnwrapped)
    }
  }
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    guard left.end - left.start == right.end - right.start else { return false }
    return left.withBase { mine in
      right.withBase { theirs in
        Memory.areEqual(mine + Int(left.start), theirs + Int(right.start), count: Int(left.end - left.start))
      }
    }
  }

  public func hash(into hasher: inout Hasher) {
    withBase { base in
      hasher.combine(bytes: UnsafeRawBufferPointer(start: base + Int(start), count: Int(end - start)))
    }
  }
}
