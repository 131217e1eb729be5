import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Places that each keep one thing for the next use of it by the same thread. Threads may share a place; one that finds it
/// empty or taken does without.
struct ThreadSlots: ~Copyable, Sendable {
  /// Bits of pointers, or 0, each on a cache line of its own.
  private let slots = InlineArray<128, Atomic<UInt>> { _ in Atomic(0) }

  /// What is kept at the thread's place, which is empty afterwards.
  func take() -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: slots[Self.place].exchange(0, ordering: .acquiring))
  }

  /// False where the place is taken.
  func give(_ pointer: UnsafeMutableRawPointer) -> Bool {
    slots[Self.place].compareExchange(expected: 0, desired: UInt(bitPattern: pointer), ordering: .releasing).exchanged
  }

  /// Threads are known by the addresses of their stacks, which lie pages apart.
  private static var place: Int {
    #if canImport(Darwin)
      let address = UInt(bitPattern: pthread_self())
    #else
      let address = UInt(pthread_self())
    #endif
    return Int(truncatingIfNeeded: (address >> 12) % 16) * 8
  }
}
