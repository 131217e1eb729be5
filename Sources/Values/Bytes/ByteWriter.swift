/// A growing buffer of bytes, for encoders and for the bodies of responses.
///
/// The writer owns raw memory and cannot be copied, so that appending needs neither a uniqueness check nor a retain.
/// ``finish()`` and ``detached()`` consume it.
public struct ByteWriter: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>?
  @usableFromInline var capacity: Int

  /// The number of bytes written.
  @inlinable public var count: Int { length }

  @usableFromInline var length: Int

  /// Creates an empty writer with room for `capacity` bytes. With 0, the first byte allocates the memory.
  @inlinable
  public init(capacity: Int = 0) {
    self.base = capacity > 0 ? .allocate(capacity: capacity) : nil
    self.capacity = max(capacity, 0)
    self.length = 0
  }

  /// Creates an empty writer with room for at least `capacity` bytes, in a buffer from the pool.
  public init(pooled capacity: Int) {
    let (buffer, capacity) = BufferPool.take(capacity)
    base = buffer
    self.capacity = capacity
    length = 0
  }

  @inlinable
  deinit {
    if let base { BufferPool.give(base, capacity: capacity) }
  }

  /// Returns the bytes without a copy; the caller frees them.
  public consuming func detached() -> DetachedBytes {
    let bytes = DetachedBytes(base: base, count: length, capacity: capacity)
    discard self
    return bytes
  }

  /// Returns the bytes as an array of exactly their size, copied once.
  @inlinable
  public consuming func finish() -> [UInt8] {
    copy()
  }

  /// Returns the bytes written so far as an array of exactly their size.
  @inlinable
  func copy() -> [UInt8] {
    let (source, length) = (base, length)
    guard let source, length > 0 else { return [] }
    return [UInt8](UnsafeBufferPointer(start: source, count: length))
  }

  /// Lends the bytes written so far. The pointer is valid inside `body` only.
  @inlinable
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: length))
  }

  /// Makes room for `extra` more bytes and returns their address.
  @inlinable @inline(__always)
  mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- length < extra { grow(by: extra) }
    return base.unsafelyUnwrapped + length
  }

  @usableFromInline @inline(never)
  mutating func grow(by extra: Int) {
    let wanted = max(128, capacity * 2, length + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    if let base {
      larger.initialize(from: base, count: length)
      BufferPool.give(base, capacity: capacity)
    }
    base = larger
    capacity = wanted
  }
}

// Sendable since the memory has one owner.
extension ByteWriter: @unchecked Sendable {}

extension ByteWriter {
  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    length &+= 1
  }

  /// Appends text known at compile time, whose length is a constant.
  @inlinable @inline(__always)
  public mutating func append(literal: StaticString) {
    precondition(literal.hasPointerRepresentation, "The literal is a single scalar instead of a string.")
    append(literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  /// Appends the UTF-8 of a string.
  @inlinable
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0.baseAddress, count: $0.count) }
  }

  /// Appends the bytes of an array.
  @inlinable
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0.baseAddress, count: $0.count) }
  }

  /// Appends the bytes of a slice.
  @inlinable
  public mutating func append(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { append($0.baseAddress, count: $0.count) }
  }

  /// Appends the bytes of a span.
  @inlinable @inline(__always)
  public mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append($0.baseAddress, count: $0.count) }
  }

  /// Appends the encoded bytes of a value. They are self-delimiting, and need no length before them.
  @inlinable
  public mutating func append(encoded value: Value) {
    value.storage.withUnsafeBufferPointer { buffer in
      append(buffer.baseAddress.unsafelyUnwrapped + Int(value.start), count: Int(value.end &- value.start))
    }
  }

  @inlinable @inline(__always)
  mutating func append(_ source: UnsafePointer<UInt8>?, count: Int) {
    guard count > 0, let source else { return }
    reserve(count).initialize(from: source, count: count)
    length &+= count
  }
}

extension ByteWriter {
  /// Appends an integer in ASCII decimal, without padding.
  @inlinable
  public mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: number.magnitude)
  }

  /// Appends an integer in ASCII decimal, without padding.
  @inlinable
  public mutating func append(decimal number: Int) {
    append(decimal: Int64(number))
  }

  /// Appends an integer in ASCII decimal, without padding.
  @inlinable
  public mutating func append(decimal number: UInt64) {
    var digits = 1
    var bound: UInt64 = 10
    // No number has more than 20 digits.
    while number >= bound, digits < 20 {
      digits &+= 1
      bound &*= 10
    }
    let target = reserve(digits)
    var rest = number
    var index = digits
    while index > 1 {
      index &-= 1
      let shorter = rest / 10
      target[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- shorter &* 10)
      rest = shorter
    }
    target[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
    length &+= digits
  }

  /// Appends all bytes of an integer in little-endian order.
  @inlinable @inline(__always)
  public mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number) {
    let size = MemoryLayout<Number>.size
    UnsafeMutableRawPointer(reserve(size)).storeBytes(of: number.littleEndian, as: Number.self)
    length &+= size
  }

  /// Appends an unsigned LEB128 varint in its shortest form, 1 to 10 bytes.
  @inlinable @inline(__always)
  public mutating func append(varint number: UInt64) {
    if number < 0x80 { return append(UInt8(truncatingIfNeeded: number)) }
    let target = reserve(10)
    var rest = number
    var size = 0
    while rest >= 0x80 {
      target[size] = UInt8(truncatingIfNeeded: rest) | 0x80
      rest >>= 7
      size &+= 1
    }
    target[size] = UInt8(truncatingIfNeeded: rest)
    length &+= size &+ 1
  }
}

/// Changes to bytes already written, for the encoders of this module.
extension ByteWriter {
  /// The byte at `index`, which must be less than `count`.
  subscript(index: Int) -> UInt8 {
    @inline(__always) get { base.unsafelyUnwrapped[index] }
    @inline(__always) set { base.unsafelyUnwrapped[index] = newValue }
  }

  /// The address of the first byte. Invalid before the first append, and after the next one.
  var start: UnsafePointer<UInt8> {
    @inline(__always) get { UnsafePointer(base.unsafelyUnwrapped) }
  }

  /// Removes the bytes from `index` on.
  @inline(__always)
  mutating func truncate(to index: Int) {
    length = index
  }

  /// Opens a gap of `size` bytes at `index`, with undefined contents.
  mutating func insertGap(of size: Int, at index: Int) {
    _ = reserve(size)
    let gap = base.unsafelyUnwrapped + index
    (gap + size).update(from: gap, count: length - index)
    length += size
  }

  /// Inserts the bytes of another writer at `index`.
  mutating func insert(_ other: borrowing ByteWriter, at index: Int) {
    guard other.length > 0 else { return }
    insertGap(of: other.length, at: index)
    (base.unsafelyUnwrapped + index).update(from: other.start, count: other.length)
  }
}
