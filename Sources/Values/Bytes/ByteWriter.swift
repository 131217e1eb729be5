/// A growing run of bytes, for encoders and for the bodies of responses.
///
/// It owns raw memory and cannot be copied, so that appending needs neither a uniqueness check nor a retain.
/// `finish()` consumes it.
public struct ByteWriter: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>?
  @usableFromInline var capacity: Int

  /// How many bytes have been written.
  @inlinable public var count: Int { length }

  @usableFromInline var length: Int

  /// Makes an empty writer. No memory is allocated before the first byte if `capacity` (in bytes) is 0.
  @inlinable
  public init(capacity: Int = 0) {
    self.base = capacity > 0 ? .allocate(capacity: capacity) : nil
    self.capacity = max(capacity, 0)
    self.length = 0
  }

  /// Makes an empty writer with room for `capacity` bytes or more, in memory that was mostly used for the same before.
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

  /// The bytes where they were written.
  public consuming func detached() -> DetachedBytes {
    let bytes = DetachedBytes(base: base, count: length, capacity: capacity)
    discard self
    return bytes
  }

  /// The bytes as an array of exactly the right size, copied once.
  @inlinable
  public consuming func finish() -> [UInt8] {
    copy()
  }

  /// What has been written so far, as an array of exactly the right size.
  @inlinable
  func copy() -> [UInt8] {
    let (source, length) = (base, length)
    guard let source, length > 0 else { return [] }
    return [UInt8](UnsafeBufferPointer(start: source, count: length))
  }

  /// Lends what has been written so far, for handing it on without a copy. The pointer is valid inside `body` only.
  @inlinable
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: length))
  }

  /// Makes room for `extra` more bytes and says where they go.
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

// Safe to hand to another task: the memory has one owner.
extension ByteWriter: @unchecked Sendable {}
