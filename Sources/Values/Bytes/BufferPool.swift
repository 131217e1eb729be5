import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The pool of buffers for responses, in two sizes.
///
/// glibc serves blocks of these sizes from its locked arenas and not from a thread's own cache.
@usableFromInline
enum BufferPool {
  private static let smallSize = 4096
  private static let smallSlots = ThreadSlots()
  private static let largeSize = 16_384
  private static let largeSlots = ThreadSlots()

  /// Returns a buffer with room for at least `count` bytes.
  static func take(_ count: Int) -> (buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {
    if count <= smallSize { return (take(smallSlots, smallSize), smallSize) }
    if count <= largeSize { return (take(largeSlots, largeSize), largeSize) }
    return (.allocate(capacity: count), count)
  }

  /// Takes back a buffer of any capacity, and deallocates one that the pool does not keep.
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

/// The finished bytes of a ``ByteWriter``, for an owner that cannot hold a noncopyable type, such as a C callback.
///
/// The owner calls ``free()`` exactly once.
public struct DetachedBytes: @unchecked Sendable {
  private let base: UnsafeMutablePointer<UInt8>?
  private let count: Int
  private let capacity: Int

  init(base: UnsafeMutablePointer<UInt8>?, count: Int, capacity: Int) {
    self.base = base
    self.count = count
    self.capacity = capacity
  }

  /// The bytes, valid until ``free()``.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Releases the memory.
  public func free() {
    if let base { BufferPool.give(base, capacity: capacity) }
  }
}

/// Slots that each hold one pointer for reuse by the same thread, without a lock.
///
/// Threads may share a slot. A thread that finds its slot empty or occupied does without it.
struct ThreadSlots: ~Copyable, Sendable {
  /// The bits of the pointers, 0 for an empty slot. A slot occupies a cache line of its own.
  private let slots = InlineArray<128, Atomic<UInt>> { _ in Atomic(0) }

  /// Empties the thread's slot and returns its pointer.
  func take() -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: slots[Self.index].exchange(0, ordering: .acquiring))
  }

  /// Fills the thread's slot. Returns false if it is occupied.
  func give(_ pointer: UnsafeMutableRawPointer) -> Bool {
    slots[Self.index].compareExchange(expected: 0, desired: UInt(bitPattern: pointer), ordering: .releasing).exchanged
  }

  /// The index of the thread's slot, by the address of its stack. Stacks lie pages apart.
  private static var index: Int {
    #if canImport(Darwin)
      let address = UInt(bitPattern: pthread_self())
    #else
      let address = UInt(pthread_self())
    #endif
    return Int(truncatingIfNeeded: (address >> 12) % 16) * 8
  }
}
