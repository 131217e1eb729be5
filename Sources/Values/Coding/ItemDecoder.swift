/// The decoder of one item, its single-value container, and the cursor over its members.
final class ItemDecoder: Decoder, SingleValueDecodingContainer {
  let source: DecoderSource
  let start: Int

  /// The number of members of the map.
  private(set) var count = 0
  /// The position of the next key to compare, and its index.
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

  /// Returns the position of the value of `key`, or nil.
  ///
  /// The search continues from the member found last. It finds keys in the order of the map at once, and other keys
  /// within one round.
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
  func decode(_ type: Double.Type) throws -> Double { try source.double(at: start) }
  func decode(_ type: Float.Type) throws -> Float { try source.float(at: start) }
  // Serves every integer type of the protocol.
  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    try source.integer(at: start, as: type)
  }
  func decode<Item: Decodable>(_ type: Item.Type) throws -> Item { try source.item(type, at: start) }
}

/// The decoding container of a map. The decoder holds the cursor, so that a container is a single reference.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ItemDecoder

  private var source: DecoderSource { decoder.source }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    var at = source.head(at: decoder.start).next
    var keys: [Key] = []
    keys.reserveCapacity(decoder.count)
    for _ in 0..<decoder.count {
      if let key = Key(stringValue: source.root.withBase { CBOR.string($0, at) }) { keys.append(key) }
      at = source.skip(source.skip(at))
    }
    return keys
  }

  func contains(_ key: Key) -> Bool { decoder.find(key.stringValue) != nil }

  @inline(__always)
  private func position(_ key: some CodingKey) throws -> Int {
    if let position = decoder.find(key.stringValue) { return position }
    throw ValueError(.missing(key.stringValue), path: source.path(to: decoder.start))
  }

  func decodeNil(forKey key: Key) throws -> Bool { try source.isNull(at: position(key)) }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try source.double(at: position(key)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try source.float(at: position(key)) }

  @inline(__always)
  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
    try source.integer(at: position(key), as: type)
  }

  func decode<Item: Decodable>(_ type: Item.Type, forKey key: Key) throws -> Item {
    try source.item(type, at: position(key))
  }

  // These three search for the key once; the standard library's defaults do it up to three times.

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let at = present(key) else { return nil }
    return try source.text(at: at)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    guard let at = present(key) else { return nil }
    return try source.integer(at: at, as: type)
  }

  func decodeIfPresent<Item: Decodable>(_ type: Item.Type, forKey key: Key) throws -> Item? {
    guard let at = present(key) else { return nil }
    return try source.item(type, at: at)
  }

  private func present(_ key: Key) -> Int? {
    guard let at = decoder.find(key.stringValue), !source.isNull(at: at) else { return nil }
    return at
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try ItemDecoder(source: source, start: position(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try UnkeyedDecoding(source: source, start: position(key))
  }

  func superDecoder() throws -> any Decoder {
    try ItemDecoder(source: source, start: position(PathKey.super))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try ItemDecoder(source: source, start: position(key))
  }
}

/// The decoding container of an array.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
  let source: DecoderSource
  let start: Int
  private var position: Int
  private let size: Int
  private(set) var currentIndex = 0

  init(source: DecoderSource, start: Int) throws {
    let head = source.head(at: start)
    guard head.major == CBOR.array else { throw source.mismatch("an array", at: start) }
    self.source = source
    self.start = start
    self.position = head.next
    self.size = head.count
  }

  var codingPath: [any CodingKey] { source.codingPath(to: start) }
  var count: Int? { size }
  var isAtEnd: Bool { currentIndex == size }

  /// Reads the element at the cursor. The cursor moves on only if `read` succeeds.
  @inline(__always)
  private mutating func element<Element>(_ read: (DecoderSource, Int) throws -> Element) throws -> Element {
    guard currentIndex < size else { throw ValueError(.noElement, path: source.path(to: start)) }
    let element = try read(source, position)
    position = source.skip(position)
    currentIndex += 1
    return element
  }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < size else { throw ValueError(.noElement, path: source.path(to: start)) }
    guard source.isNull(at: position) else { return false }
    return try element { _, _ in true }
  }

  mutating func decode(_ type: Double.Type) throws -> Double { try element { try $0.double(at: $1) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try element { try $0.float(at: $1) } }

  @inline(__always)
  mutating func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    try element { try $0.integer(at: $1, as: type) }
  }

  mutating func decode<Item: Decodable>(_ type: Item.Type) throws -> Item {
    try element { try $0.item(type, at: $1) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try element { try ItemDecoder(source: $0, start: $1).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element { try UnkeyedDecoding(source: $0, start: $1) }
  }

  mutating func superDecoder() throws -> any Decoder {
    try element { ItemDecoder(source: $0, start: $1) }
  }
}
