extension Input {
  /// A sample as a store may have damaged it: up to eight of its bytes changed, pieces taken out, put in or moved.
  mutating func edited(_ sample: [UInt8]) -> [UInt8] {
    var bytes = sample
    for _ in 0..<below(9) {
      let place = below(bytes.count + 1)
      switch below(6) {
      case 0: if place < bytes.count { bytes[place] = byte() }
      case 1: if place < bytes.count { bytes[place] ^= 1 << (byte() & 7) }
      case 2: bytes.insert(contentsOf: self.bytes(1 + below(16)), at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(16)))
      case 4: bytes.insert(contentsOf: piece(of: sample), at: place)
      default: bytes.replaceSubrange(place..<min(bytes.count, place + 1 + below(64)), with: piece(of: sample))
      }
    }
    return bytes
  }

  private mutating func piece(of sample: [UInt8]) -> ArraySlice<UInt8> {
    let start = below(sample.count + 1)
    return sample[start..<min(sample.count, start + 1 + below(64))]
  }
}
