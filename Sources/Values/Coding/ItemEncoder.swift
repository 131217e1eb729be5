/// The encoder of one item, and its single-value container. It takes three words, which an existential holds without a
/// box.
struct ItemEncoder: Encoder, SingleValueEncodingContainer {
  let storage: EncoderStorage
  let start: Int
  let depth: Int

  /// The path from the item itself. The items around it add their steps to an error that passes through.
  var codingPath: [any CodingKey] { storage.state.pointee.path.map(PathKey.init) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    storage.state.pointee.openContainer(CBOR.map, at: start, depth: depth)
    if ObjectIdentifier(Key.self) == DictionaryCodingKey.type { storage.state.pointee.finishingSteps.insert(.sortKeys) }
    return KeyedEncodingContainer(KeyedEncoding(storage: storage, start: start, depth: depth))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    storage.state.pointee.openContainer(CBOR.array, at: start, depth: depth)
    return UnkeyedEncoding(storage: storage, start: start, depth: depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  @inline(__always)
  private func begin() throws {
    guard storage.state.pointee.open == start, storage.state.pointee.writer.count == start else {
      throw storage.state.pointee.misuse
    }
  }

  func encodeNil() throws {
    try begin()
    storage.state.pointee.writer.append(CBOR.nullByte)
  }

  func encode(_ value: Bool) throws {
    try begin()
    storage.state.pointee.writer.boolean(value)
  }

  func encode(_ value: String) throws {
    try begin()
    storage.state.pointee.writer.text(value)
  }

  func encode(_ value: Double) throws {
    try begin()
    try storage.state.pointee.double(value)
  }

  func encode(_ value: Float) throws { try encode(Double(value)) }

  @inline(__always)
  func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws {
    try begin()
    try storage.state.pointee.integer(value)
  }

  func encode<Item: Encodable>(_ value: Item) throws {
    try begin()
    try storage.item(value, depth: depth)
  }
}

/// The encoding container of an array.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let storage: EncoderStorage
  let start: Int
  let depth: Int

  var codingPath: [any CodingKey] { storage.state.pointee.path.map(PathKey.init) }

  var count: Int {
    guard start < storage.state.pointee.writer.count else { return 0 }
    return CBOR.head(storage.state.pointee.writer.start, start).count
  }

  /// Runs `write` and increments the count. An error leaves the array unchanged.
  @inline(__always)
  private func element(_ write: (EncoderStorage) throws -> Void) throws {
    let before = storage.state.pointee.writer.count
    do {
      guard storage.state.pointee.open == start, before > start else { throw storage.state.pointee.misuse }
      try write(storage)
    } catch {
      storage.state.pointee.writer.truncate(to: before)
      throw ValueError(error, encoding: storage.state.pointee.path + [.index(count)])
    }
    storage.state.pointee.incrementCount(ofContainerAt: start)
  }

  func encodeNil() throws { try element { $0.state.pointee.writer.append(CBOR.nullByte) } }
  func encode(_ value: Bool) throws { try element { $0.state.pointee.writer.boolean(value) } }
  func encode(_ value: String) throws { try element { $0.state.pointee.writer.text(value) } }
  func encode(_ value: Double) throws { try element { try $0.state.pointee.double(value) } }
  func encode(_ value: Float) throws { try element { try $0.state.pointee.double(Double(value)) } }
  @inline(__always)
  func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws {
    try element { try $0.state.pointee.integer(value) }
  }
  func encode<Item: Encodable>(_ value: Item) throws { try element { try $0.item(value, depth: depth + 1) } }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder() }

  private func encoder() -> ItemEncoder {
    var content: EncoderStorage?
    do {
      try element { content = $0.state.pointee.insertion(.index(count)) }
    } catch {
      storage.state.pointee.failure = ValueError(error, encoding: [])
    }
    return ItemEncoder(storage: content ?? EncoderStorage(), start: 0, depth: depth + 1)
  }
}
