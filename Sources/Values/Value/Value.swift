/// One value as data: null, a boolean, an integer (Int64), a double, text, an array, or a map with text keys.
///
/// A value is exactly one CBOR item (RFC 8949) under the core deterministic rules of section 4.2.1: definite lengths
/// and shortest heads. It differs from them in three points: the keys of a map keep their author's order instead of
/// being sorted, doubles always take 64 bits, and doubles are finite. The keys of a map are unique, and at most 64
/// arrays and maps are nested.
///
/// A value is a range of a shared buffer. A part of a value allocates nothing, and keeps the whole buffer alive. Values
/// are equal if their bytes are: 1 and 1.0 differ, and so do maps in a different order.
public struct Value: Sendable {
  /// The maximum depth of nested arrays and maps.
  public static let maximumDepth = 64
  /// The maximum depth of a document that the program builds around values, such as the description of a session.
  public static let maximumDocumentDepth = 128

  @usableFromInline let storage: [UInt8]
  // 32 bits each: a value then takes two words, and a decoder three, which an existential holds without a box.
  @usableFromInline let start: UInt32
  @usableFromInline let end: UInt32

  /// The encoded bytes, which share the memory of the value.
  @inlinable public var bytes: ArraySlice<UInt8> { storage[Int(start)..<Int(end)] }

  /// Creates a value of trusted bytes.
  init(unchecked storage: [UInt8]) {
    self.init(unchecked: storage, start: 0, end: storage.count)
  }

  init(unchecked storage: [UInt8], start: Int, end: Int) {
    self.storage = storage
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
  }

  /// Validates `bytes` as exactly one value, which shares their memory.
  public init(validating bytes: [UInt8]) throws(ValueError) {
    self = try Value(validatingPrefixOf: bytes, at: 0)
    guard Int(end) == bytes.count else { throw ValueError(.trailingBytes, offset: Int(end)) }
  }

  /// Validates `bytes` as exactly one value, and copies them unless the slice covers its whole array.
  ///
  /// ``ByteReader/value()`` takes a value from a larger buffer without a copy.
  public init(validating bytes: ArraySlice<UInt8>) throws(ValueError) {
    try self.init(validating: Array(bytes))
  }

  /// Validates the value at `start`; other bytes may follow it.
  init(validatingPrefixOf storage: [UInt8], at start: Int, depth: Int = maximumDepth) throws(ValueError) {
    guard storage.count <= UInt32.max else { throw ValueError(.tooLarge) }
    guard start >= 0, start < storage.count else { throw ValueError(.truncated, offset: start) }
    // Most screens and coordinators are maps without members.
    if storage[start] == CBOR.emptyMap {
      self.init(unchecked: storage, start: start, end: start + 1)
      return
    }
    let end = try storage.withUnsafeBufferPointer { (buffer) throws(ValueError) in
      try CBORValidator(base: buffer.baseAddress.unsafelyUnwrapped, end: buffer.count, maximumDepth: depth)
        .item(at: start, depth: 0)
    }
    self.init(unchecked: storage, start: start, end: end)
  }

  var isEmptyMap: Bool { storage[Int(start)] == CBOR.emptyMap }

  /// Lends the whole buffer, in which the value reaches from `start` to `end`.
  @inline(__always)
  func withBase<Result, Failure: Error>(
    _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeBufferPointer { (buffer) throws(Failure) in
      try body(buffer.baseAddress.unsafelyUnwrapped)
    }
  }
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    guard left.end - left.start == right.end - right.start else { return false }
    return left.withBase { mine in
      right.withBase { theirs in
        Memory.areEqual(mine + Int(left.start), theirs + Int(right.start), count: Int(left.end - left.start))
      }
    }
  }

  public func hash(into hasher: inout Hasher) {
    withBase { base in
      hasher.combine(bytes: UnsafeRawBufferPointer(start: base + Int(start), count: Int(end - start)))
    }
  }
}

extension Value {
  public static let null = Value(unchecked: [CBOR.nullByte])
  /// A map without members, as most screens and coordinators are. Its bytes are a constant array, which is not
  /// reference counted, so that threads do not contend for a count.
  public static let emptyObject = Value(unchecked: emptyMapBytes)
  private static let emptyMapBytes: [UInt8] = [0xA0]

  private static let `true` = Value(unchecked: [CBOR.trueByte])
  private static let `false` = Value(unchecked: [CBOR.falseByte])

  public init(_ flag: Bool) {
    self = flag ? Self.true : Self.false
  }

  public init(_ number: Int64) {
    self = Self.written { $0.integer(number) }
  }

  public init(_ number: Int) {
    self.init(Int64(number))
  }

  /// Creates a double; nil if the number is infinite or NaN.
  public init?(finite number: Double) {
    guard number.isFinite else { return nil }
    self = Self.written { $0.double(number) }
  }

  public init(_ text: String) {
    self = Self.written { $0.text(text) }
  }

  /// The number of nested arrays and maps, the value itself included; 0 for any other value.
  public var depth: Int { withBase { CBOR.depth($0, Int(start)) } }

  /// Creates an array of values of any origin.
  ///
  /// - Throws: beyond ``maximumDepth``, and beyond 4 GiB.
  public init(elements: [Value]) throws(ValueError) {
    self = try Self.container(depth: Self.maximumDepth) { $0.array(elements) }
  }

  /// Creates a map of values of any origin, in the order of `members`.
  ///
  /// - Throws: for a duplicate key, beyond ``maximumDepth``, and beyond 4 GiB.
  public init(members: [(String, Value)]) throws(ValueError) {
    self = try Self.container(depth: Self.maximumDepth) { $0.map(members) }
  }

  /// Creates an array of the program's own. Traps beyond ``maximumDocumentDepth``.
  public static func array(_ elements: [Value]) -> Value {
    document { $0.array(elements) }
  }

  /// Creates a map of the program's own in the order of `members`. Traps for a duplicate key, and beyond
  /// ``maximumDocumentDepth``.
  public static func object(_ members: [(String, Value)]) -> Value {
    document { $0.map(members) }
  }

  private static func container(
    depth: Int, _ write: (inout ByteWriter) -> Void
  ) throws(ValueError) -> Value {
    try Value(validatingPrefixOf: written(write).storage, at: 0, depth: depth)
  }

  private static func document(_ write: (inout ByteWriter) -> Void) -> Value {
    do {
      return try container(depth: maximumDocumentDepth, write)
    } catch {
      preconditionFailure(error.description)
    }
  }

  private static func written(_ write: (inout ByteWriter) -> Void) -> Value {
    var writer = ByteWriter()
    write(&writer)
    return Value(unchecked: writer.finish())
  }
}

extension ByteWriter {
  fileprivate mutating func array(_ elements: [Value]) {
    head(CBOR.array, UInt64(elements.count))
    for element in elements { append(encoded: element) }
  }

  fileprivate mutating func map(_ members: [(String, Value)]) {
    head(CBOR.map, UInt64(members.count))
    for (key, value) in members {
      text(key)
      append(encoded: value)
    }
  }
}

// Without a nil literal, since `condition ? value : nil` would be null instead of no value.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral flag: Bool) { self.init(flag) }
  public init(integerLiteral number: Int64) { self.init(number) }
  public init(stringLiteral text: String) { self.init(text) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, Value)...) { self = .object(members) }

  /// Traps if the literal exceeds the range of a double.
  public init(floatLiteral number: Double) {
    precondition(number.isFinite, "The literal exceeds the range of a double.")
    self = Self.written { $0.double(number) }
  }
}
