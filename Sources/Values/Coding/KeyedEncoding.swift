/// The encoding container of a map.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let storage: EncoderStorage
  let start: Int
  let depth: Int
  var filter = KeyFilter()

  var codingPath: [any CodingKey] { storage.state.pointee.path.map(PathKey.init) }

  /// Writes the key, runs `write` and increments the count. An error leaves the map unchanged.
  @inline(__always)
  private mutating func member(_ key: some CodingKey, _ write: (EncoderStorage) throws -> Void) throws {
    let storage = storage
    let before = storage.state.pointee.writer.count
    do {
      guard storage.state.pointee.open == start, before > start else { throw storage.state.pointee.misuse }
      try writeKey(key.stringValue)
      try write(storage)
    } catch {
      storage.state.pointee.writer.truncate(to: before)
      throw ValueError(error, encoding: storage.state.pointee.path + [.key(key.stringValue)])
    }
    storage.state.pointee.incrementCount(ofContainerAt: start)
  }

  @inline(__always)
  private mutating func writeKey(_ key: String) throws {
    let from = storage.state.pointee.writer.count
    storage.state.pointee.writer.text(key)
    let size = storage.state.pointee.writer.count - from
    // The head of a key over 23 bytes is longer. The filter then sees a part of it, which is the same for equal keys.
    if filter.insert(storage.state.pointee.writer.start + from + 1, count: size - 1) {
      storage.state.pointee.finishingSteps.insert(.findDuplicate)
    }
  }

  mutating func encodeNil(forKey key: Key) throws { try member(key) { $0.state.pointee.writer.append(CBOR.nullByte) } }
  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try member(key) { $0.state.pointee.writer.boolean(value) }
  }
  mutating func encode(_ value: String, forKey key: Key) throws {
    try member(key) { $0.state.pointee.writer.text(value) }
  }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    try member(key) { try $0.state.pointee.double(value) }
  }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    try member(key) { try $0.state.pointee.double(Double(value)) }
  }
  @inline(__always)
  mutating func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
    try member(key) { try $0.state.pointee.integer(value) }
  }

  mutating func encode<Item: Encodable>(_ value: Item, forKey key: Key) throws {
    let inside = depth + 1
    try member(key) { try $0.item(value, depth: inside) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(nested(key)).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(nested(key)).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder(nested(PathKey.super)) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(nested(key)) }

  private func encoder(_ content: EncoderStorage) -> ItemEncoder {
    ItemEncoder(storage: content, start: 0, depth: depth + 1)
  }

  private mutating func nested(_ key: some CodingKey) -> EncoderStorage {
    var content: EncoderStorage?
    do {
      try member(key) { content = $0.state.pointee.insertion(.key(key.stringValue)) }
    } catch {
      storage.state.pointee.failure = ValueError(error, encoding: [])
    }
    return content ?? EncoderStorage()
  }
}

/// Optional members. Nil is encoded as null, so that a map always has all members of its type. Decoding treats null and
/// an absent member alike. Each type has a function, because the standard library's defaults would omit nil.
extension KeyedEncoding {
  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try orNull(value, key) }
  mutating func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try orNull(value, key) }

  private mutating func orNull<Item: Encodable>(_ value: Item?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }
}
