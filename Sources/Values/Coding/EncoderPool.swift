import Synchronization

/// One storage kept for the next encoding, with its buffer: three allocations fewer for each. While another thread uses
/// it, an encoding makes its own.
enum EncoderPool {
  /// A retained storage, or 0.
  private static let slot = Atomic<UInt>(0)
  /// A buffer that one large value made grow is not kept for all the small ones.
  private static let largestKept = 16_384

  static func take() -> EncoderStorage {
    let bits = slot.exchange(0, ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return EncoderStorage() }
    return Unmanaged<EncoderStorage>.fromOpaque(pointer).takeRetainedValue()
  }

  /// Takes a storage back, unless something else still holds it, such as an encoder that a type kept.
  static func give(_ storage: inout EncoderStorage) {
    guard isKnownUniquelyReferenced(&storage), storage.state.pointee.reset(keeping: largestKept) else { return }
    let kept = Unmanaged.passRetained(storage)
    let bits = UInt(bitPattern: kept.toOpaque())
    if !slot.compareExchange(expected: 0, desired: bits, ordering: .releasing).exchanged { kept.release() }
  }
}
