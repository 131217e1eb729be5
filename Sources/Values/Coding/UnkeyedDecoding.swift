/// An array being read.
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

  /// Reads the element at the cursor, which moves on only if that succeeds.
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

  mutating func decode(_ type: Bool.Type) throws -> Bool { try element { try $0.boolean(at: $1) } }
  mutating func decode(_ type: String.Type) throws -> String { try element { try $0.text(at: $1) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try element { try $0.double(at: $1) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try element { try $0.float(at: $1) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  @inline(__always)
  private mutating func integer<Number: FixedWidthInteger>() throws -> Number {
    try element { try $0.integer(at: $1, as: Number.self) }
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
