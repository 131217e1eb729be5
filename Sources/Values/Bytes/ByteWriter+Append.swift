extension ByteWriter {
  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    length &+= 1
  }

  /// Appends text known at compile time; its length is then a constant.
  @inlinable @inline(__always)
  public mutating func append(literal: StaticString) {
    precondition(literal.hasPointerRepresentation, "a string literal, not a single scalar")
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

  /// Appends the encoded bytes of a value; being self-delimiting they need no length before them.
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
