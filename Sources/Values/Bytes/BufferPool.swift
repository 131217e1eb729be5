/// Buffers of one size kept for the next responses: it is a size at which allocators are slow.
@usableFromInline
enum BufferPool {
  static let size = 4096
  private static let slots = ThreadSlots()

  static func take() -> UnsafeMutablePointer<UInt8> {
    slots.take()?.assumingMemoryBound(to: UInt8.self) ?? .allocate(capacity: size)
  }

  /// Takes any buffer back; one of another size is deallocated.
  @usableFromInline
  static func give(_ buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {
    if capacity != size || !slots.give(UnsafeMutableRawPointer(buffer)) { buffer.deallocate() }
  }
}
