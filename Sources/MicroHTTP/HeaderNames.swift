/// What is known of the names of a request's headers without looking at them again: most headers that a handler asks for are
/// not there, and this tells in one step.
struct HeaderNames: Sendable {
  /// A bit for every pair of length and first letter, several of which share one.
  private var bits: UInt64 = 0
  /// Those bits that more than one name has set.
  private var repeated: UInt64 = 0

  mutating func insert(_ name: UnsafeBufferPointer<UInt8>) {
    let bit = Self.bit(first: name.first ?? 0, count: name.count)
    repeated |= bits & bit
    bits |= bit
  }

  /// False only if at most one header has this name.
  func mayRepeat(_ name: StaticString) -> Bool {
    repeated & Self.bit(first: name.utf8Start.pointee, count: name.utf8CodeUnitCount) != 0
  }

  /// False only if no header has this name, in upper or lower case.
  func mayContain(_ name: StaticString) -> Bool {
    bits & Self.bit(first: name.utf8Start.pointee, count: name.utf8CodeUnitCount) != 0
  }

  private static func bit(first: UInt8, count: Int) -> UInt64 {
    1 << UInt64((Int(first | 0x20) &+ 7 &* count) & 63)
  }
}
