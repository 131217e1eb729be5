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

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try source.boolean(at: position(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try source.text(at: position(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try source.double(at: position(key)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try source.float(at: position(key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }

  @inline(__always)
  private func integer<Number: FixedWidthInteger>(_ key: Key) throws -> Number {
    try source.integer(at: position(key), as: Number.self)
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
