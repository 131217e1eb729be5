/// The bytes of one run, taken from the front as choices; past their end every choice is the first.
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

  /// Up to as many bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// As many bytes as the next one says, as text; what is no UTF-8 is replaced.
  mutating func text() -> String { String(decoding: bytes(Int(byte())), as: UTF8.self) }

  /// All that is left.
  mutating func remainder() -> [UInt8] { bytes(rest.count) }
}
