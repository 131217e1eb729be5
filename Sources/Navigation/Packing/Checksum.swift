/// A 32-bit checksum over bytes, eight at a time: a multiplication and a fold a word. It finds what storage does to bytes by
/// accident; it is no protection against someone who wants to change them.
func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  var sum = UInt64(bytes.count) &* multiplier
  var offset = 0
  while offset + 8 <= bytes.count {
    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    sum = fold((sum ^ word) &* multiplier)
    offset += 8
  }
  var tail: UInt64 = 0
  while offset < bytes.count {
    tail = tail << 8 | UInt64(bytes[offset])
    offset += 1
  }
  sum = fold((sum ^ tail) &* multiplier)
  return UInt32(truncatingIfNeeded: sum ^ (sum >> 32))
}

private func fold(_ sum: UInt64) -> UInt64 { sum ^ (sum >> 29) }
