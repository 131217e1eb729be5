/// An array being filled.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let storage: EncoderStorage
  let start: Int
  let depth: Int

  var codingPath: [any CodingKey] { storage.state.pointee.path.map(PathKey.init) }

  var count: Int {
    guard start < storage.state.pointee.writer.count else { return 0 }
    return CBOR.head(storage.state.pointee.writer.start, start).count
  }

  /// Does what `write` does and counts the element; an error leaves the array as it was.
  @inline(__always)
  private func element(_ write: (EncoderStorage) throws -> Void) throws {
    let before = storage.state.pointee.writer.count
    do {
      guard storage.state.pointee.open == start, before > start else { throw storage.state.pointee.refusal }
      try write(storage)
    } catch {
      storage.state.pointee.writer.truncate(to: before)
      throw ValueError(error, encoding: storage.state.pointee.path + [.index(count)])
    }
    storage.state.pointee.countOne(ofContainerAt: start)
  }

  func encodeNil() throws { try element { $0.state.pointee.writer.append(CBOR.nullByte) } }
  func encode(_ value: Bool) throws { try element { $0.state.pointee.writer.boolean(value) } }
  func encode(_ value: String) throws { try element { $0.state.pointee.writer.text(value) } }
  func encode(_ value: Double) throws { try element { try $0.state.pointee.double(value) } }
  func encode(_ value: Float) throws { try element { try $0.state.pointee.double(Double(value)) } }
  func encode(_ value: Int) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: Int8) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: Int16) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: Int32) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: Int64) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: UInt) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: UInt8) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: UInt16) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: UInt32) throws { try element { try $0.state.pointee.integer(value) } }
  func encode(_ value: UInt64) throws { try element { try $0.state.pointee.integer(value) } }
  func encode<Item: Encodable>(_ value: Item) throws { try element { try $0.item(value, depth: depth + 1) } }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    let content = nested()
    content.state.pointee.openContainer(CBOR.map, at: 0, depth: depth + 1)
    return KeyedEncodingContainer(KeyedEncoding<Nested>(storage: content, start: 0, depth: depth + 1))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let content = nested()
    content.state.pointee.openContainer(CBOR.array, at: 0, depth: depth + 1)
    return UnkeyedEncoding(storage: content, start: 0, depth: depth + 1)
  }

  func superEncoder() -> any Encoder {
    ItemEncoder(storage: nested(), start: 0, depth: depth + 1)
  }

  private func nested() -> EncoderStorage {
    var content: EncoderStorage?
    do {
      try element { content = $0.state.pointee.insertion(.index(count)) }
    } catch {
      storage.state.pointee.failure = ValueError(error, encoding: [])
    }
    return content ?? EncoderStorage()
  }
}
