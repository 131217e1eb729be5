/// Buffers of two sizes kept for the next responses: they are sizes at which allocators are slow.
@usableFromInline
enum BufferPool {
  private static let smallSize = 4096
  private static let smallSlots = ThreadSlots()
  private static let largeSize = 16_384
  private static let largeSlots = ThreadSlots()

  /// A buffer for at least this many bytes.
  static func take(_ count: Int) -> (buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {
    if count <= smallSize { return (take(smallSlots, smallSize), smallSize) }
    if count <= largeSize { return (take(largeSlots, largeSize), largeSize) }
    return (.allocate(capacity: count), count)
  }

  /// Takes any buffer back; one of another size is deallocated.
  @usableFromInline
  static func give(_ buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {
    let pointer = UnsafeMutableRawPointer(buffer)
    let isKept = capacity == smallSize ? smallSlots.give(pointer) : capacity == largeSize && largeSlots.give(pointer)
    if !isKept { buffer.deallocate() }
  }

  private static func take(_ slots: borrowing ThreadSlots, _ size: Int) -> UnsafeMutablePointer<UInt8> {
    slots.take()?.assumingMemoryBound(to: UInt8.self) ?? .allocate(capacity: size)
  }
}
