/// The decoder that one item is given, its single-value container, and the cursor over its members.
final class ItemDecoder: Decoder, SingleValueDecodingContainer {
  let source: DecoderSource
  let start: Int

  /// How many members the map has, the position of the next key to compare and its index.
  private(set) var count = 0
  private var cursor = 0
  private var index = 0

  init(source: DecoderSource, start: Int) {
    self.source = source
    self.start = start
  }

  var codingPath: [any CodingKey] { source.codingPath(to: start) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try openMap()
    return KeyedDecodingContainer(KeyedDecoding(decoder: self))
  }

  func openMap() throws {
    let head = source.head(at: start)
    guard head.major == CBOR.map else { throw source.mismatch("a map", at: start) }
    count = head.count
    cursor = head.next
    index = 0
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try UnkeyedDecoding(source: source, start: start)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Where the value under `key` starts. The search goes on from the member found last, so that keys asked for in their
  /// order are found at once, and in any other order after one round.
  @inline(__always)
  func find(_ key: String) -> Int? {
    var key = key
    return key.withUTF8 { find($0) }
  }

  private func find(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    source.root.withBase { base in
      var (at, index) = (cursor, index)
      for _ in 0..<count {
        if index == count {
          index = 0
          at = CBOR.head(base, start).next
        }
        let head = CBOR.head(base, at)
        let value = head.next &+ head.count
        if head.count == key.count, let wanted = key.baseAddress,
          Memory.areEqual(base + head.next, wanted, count: head.count)
        {
          self.cursor = at
          self.index = index
          return value
        }
        at = CBOR.skip(base, value)
        index &+= 1
      }
      return nil
    }
  }

  func decodeNil() -> Bool { source.isNull(at: start) }
  func decode(_ type: Bool.Type) throws -> Bool { try source.boolean(at: start) }
  func decode(_ type: String.Type) throws -> String { try source.text(at: start) }
  func decode(_ type: Double.Type) throws -> Double { try source.double(at: start) }
  func decode(_ type: Float.Type) throws -> Float { try source.float(at: start) }
  func decode(_ type: Int.Type) throws -> Int { try source.integer(at: start, as: type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try source.integer(at: start, as: type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try source.integer(at: start, as: type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try source.integer(at: start, as: type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try source.integer(at: start, as: type) }
  func decode(_ type: UInt.Type) throws -> UInt { try source.integer(at: start, as: type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try source.integer(at: start, as: type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try source.integer(at: start, as: type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try source.integer(at: start, as: type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try source.integer(at: start, as: type) }
  func decode<Item: Decodable>(_ type: Item.Type) throws -> Item { try source.item(type, at: start) }
}
