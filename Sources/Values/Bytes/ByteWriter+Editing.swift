/// What the encoders of this module need beyond appending: changing what has been written.
extension ByteWriter {
  /// The byte at `index`, which must lie before `count`.
  subscript(index: Int) -> UInt8 {
    @inline(__always) get { base.unsafelyUnwrapped[index] }
    @inline(__always) set { base.unsafelyUnwrapped[index] = newValue }
  }

  /// The start of what has been written. Not to be used before the first byte, nor after another append.
  var start: UnsafePointer<UInt8> {
    @inline(__always) get { UnsafePointer(base.unsafelyUnwrapped) }
  }

  /// Forgets what was written from `index` on.
  @inline(__always)
  mutating func truncate(to index: Int) {
    length = index
  }

  /// Opens a gap of `size` bytes at `index`; what it contains is left undefined.
  mutating func insertGap(of size: Int, at index: Int) {
    _ = reserve(size)
    let place = base.unsafelyUnwrapped + index
    (place + size).update(from: place, count: length - index)
    length += size
  }

  /// Inserts all that `other` has written at `index`.
  mutating func insert(_ other: borrowing ByteWriter, at index: Int) {
    guard other.length > 0 else { return }
    insertGap(of: other.length, at: index)
    (base.unsafelyUnwrapped + index).update(from: other.start, count: other.length)
  }
}
