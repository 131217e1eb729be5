/// The bytes of one run, which are consumed as choices from the front. After their end, every choice is the first.
struct Input {
  private var rest: ArraySlice<UInt8>

  init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    rest = [UInt8](UnsafeBufferPointer(start: start, count: count))[...]
  }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func number() -> Int { Int(byte()) << 8 | Int(byte()) }

  mutating func below(_ bound: Int) -> Int { (bound > 256 ? number() : Int(byte())) % bound }

  mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

  /// Consumes up to `count` bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Consumes a length of one byte and a text of that length. Invalid UTF-8 is replaced.
  mutating func text() -> String { String(decoding: bytes(Int(byte())), as: UTF8.self) }

  /// Consumes all remaining bytes.
  mutating func remainder() -> [UInt8] { bytes(rest.count) }
}

extension Input {
  /// Returns a damaged copy of a sample: up to eight edits change bytes, and remove, insert or move pieces.
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
