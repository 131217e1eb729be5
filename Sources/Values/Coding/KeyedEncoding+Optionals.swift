/// An optional that is nil is written as null, so that the members of a value do not depend on what it holds: who reads
/// the value as data finds every member. Decoding takes null and an absent member alike.
extension KeyedEncoding {
  private mutating func orNull<Item>(_ value: Item?, _ key: Key, _ encode: (inout Self, Item) throws -> Void) throws {
    if let value { try encode(&self, value) } else { try encodeNil(forKey: key) }
  }

  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    try orNull(value, key) { try $0.encode($1, forKey: key) }
  }
}
