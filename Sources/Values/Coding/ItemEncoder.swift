/// The encoder that one item is given, and its single-value container. Three words, so that no box is allocated.
struct ItemEncoder: Encoder, SingleValueEncodingContainer {
  let storage: EncoderStorage
  let start: Int
  let depth: Int

  /// The steps from the item being encoded; those around it are added to an error on its way out.
  var codingPath: [any CodingKey] { storage.state.pointee.path.map(PathKey.init) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    storage.state.pointee.openContainer(CBOR.map, at: start, depth: depth)
    if ObjectIdentifier(Key.self) == DictionaryKey.type { storage.state.pointee.duties.insert(.sortKeys) }
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
      throw storage.state.pointee.refusal
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
  func encode(_ value: Int) throws { try integer(value) }
  func encode(_ value: Int8) throws { try integer(value) }
  func encode(_ value: Int16) throws { try integer(value) }
  func encode(_ value: Int32) throws { try integer(value) }
  func encode(_ value: Int64) throws { try integer(value) }
  func encode(_ value: UInt) throws { try integer(value) }
  func encode(_ value: UInt8) throws { try integer(value) }
  func encode(_ value: UInt16) throws { try integer(value) }
  func encode(_ value: UInt32) throws { try integer(value) }
  func encode(_ value: UInt64) throws { try integer(value) }

  @inline(__always)
  private func integer<Number: FixedWidthInteger>(_ value: Number) throws {
    try begin()
    try storage.state.pointee.integer(value)
  }

  func encode<Item: Encodable>(_ value: Item) throws {
    try begin()
    try storage.item(value, depth: depth)
  }
}
