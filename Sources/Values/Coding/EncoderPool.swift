/// Storages kept for the next encodings, with their buffers: three allocations fewer for each.
enum EncoderPool {
  private static let slots = ThreadSlots()
  /// A buffer that one large value made grow is not kept for all the small ones.
  private static let largestKept = 16_384

  static func take() -> EncoderStorage {
    guard let pointer = slots.take() else { return EncoderStorage() }
    return Unmanaged<EncoderStorage>.fromOpaque(pointer).takeRetainedValue()
  }

  /// Takes a storage back, unless something else still holds it, such as an encoder that a type kept.
  static func give(_ storage: inout EncoderStorage) {
    guard isKnownUniquelyReferenced(&storage), storage.state.pointee.reset(keeping: largestKept) else { return }
    let kept = Unmanaged.passRetained(storage)
    if !slots.give(kept.toOpaque()) { kept.release() }
  }
}
