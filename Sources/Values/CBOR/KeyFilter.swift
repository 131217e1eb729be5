/// A filter of 64 bits over the keys of one map. Most maps have a few keys that differ in length or in their first or
/// last byte, and are then known to be free of duplicates at the price of a few instructions a key.
struct KeyFilter {
  private var seen: UInt64 = 0

  /// Whether the key may have been inserted before.
  @inline(__always)
  mutating func insert(_ key: UnsafePointer<UInt8>, count: Int) -> Bool {
    var hash = UInt64(truncatingIfNeeded: count) &* 11
    if count > 0 {
      hash &+= UInt64(key[0]) &* 31
      hash &+= UInt64(key[count >> 1]) &* 7
      hash &+= UInt64(key[count &- 1]) &* 17
    }
    let bit: UInt64 = 1 << (hash & 63)
    defer { seen |= bit }
    return seen & bit != 0
  }
}
