import Synchronization

extension Value {
  /// Encodes a Swift value.
  ///
  /// Equal values always have the same bytes: sets and dictionaries are sorted, and everything else keeps the order in
  /// which the type encodes it. A date becomes a text in UTC, rounded to milliseconds (RFC 3339). A type that encodes
  /// nothing becomes an empty map, and a type without stored properties is encoded only once. Inside `encode(to:)`, an
  /// encoder's `codingPath` starts at the type itself instead of the outermost value.
  ///
  /// A type whose `encode(to:)` passes its own encoder to a `Set` (`set.encode(to: encoder)`) hides the set from the
  /// sorting; `encoder.singleValueContainer().encode(set)` does not.
  ///
  /// - Throws: ``ValueError`` for a double that is not finite, an integer beyond Int64, a date outside of the years 0000
  ///   to 9999, a duplicate key, and more than 64 levels. An error of a type's own code is wrapped, with its path.
  public init<Item: Encodable>(encoding value: Item) throws(ValueError) {
    if MemoryLayout<Item>.size == 0, let known = FieldlessEncodings.encoding(of: Item.self) {
      self = known
      return
    }
    let storage = EncoderStorage()
    do {
      try storage.item(value, depth: 0)
    } catch {
      throw ValueError(error)
    }
    if storage.state.pointee.writer.isEmptyMap {
      self = .emptyObject
    } else {
      let bytes = storage.state.pointee.writer.copy()
      guard bytes.count <= UInt32.max else { throw ValueError(.tooLarge) }
      self.init(unchecked: bytes)
    }
    if MemoryLayout<Item>.size == 0 { FieldlessEncodings.insert(self, of: Item.self) }
  }

  /// Decodes a Swift value.
  ///
  /// Integers are checked against the range of their type, an integer is accepted as a double, and unknown keys are
  /// ignored. A type without stored properties is decoded from an empty map without a call of its code.
  ///
  /// - Throws: ``ValueError``. An error of a type's own code is wrapped, with its path.
  public func decode<Item: Decodable>(_ type: Item.Type) throws(ValueError) -> Item {
    if MemoryLayout<Item>.size == 0, isEmptyMap { return unsafeBitCast((), to: type) }
    do {
      return try DecoderSource(root: self).item(type, at: Int(start))
    } catch {
      throw ValueError(error)
    }
  }
}

/// The conformance for values inside Codable types. The coder of this module copies a value; with any other coder, the
/// value encodes itself by its kind, and a map as a keyed container.
extension Value: Codable {
  public func encode(to encoder: any Encoder) throws {
    switch kind {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .boolean: try bool?.encode(to: encoder)
    case .integer: try int?.encode(to: encoder)
    case .double: try double?.encode(to: encoder)
    case .text: try text?.encode(to: encoder)
    case .array:
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .map:
      var container = encoder.container(keyedBy: PathKey.self)
      for member in members { try container.encode(member.value, forKey: PathKey(.key(member.key))) }
    }
  }

  public init(from decoder: any Decoder) throws {
    if let own = decoder as? ItemDecoder {
      self = own.source.value(at: own.start)
    } else if let container = try? decoder.container(keyedBy: PathKey.self) {
      self = try Self.map(container)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [Value] = []
      while !container.isAtEnd { elements.append(try container.decode(Value.self)) }
      self = try Value(encoding: elements)
    } else {
      self = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func map(_ container: KeyedDecodingContainer<PathKey>) throws -> Value {
    try Value(members: container.allKeys.map { ($0.stringValue, try container.decode(Value.self, forKey: $0)) })
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> Value {
    if container.decodeNil() { return .null }
    if let flag = try? container.decode(Bool.self) { return Value(flag) }
    if let number = try? container.decode(Int64.self) { return Value(number) }
    if let number = try? container.decode(Double.self), let value = Value(finite: number) { return value }
    return Value(try container.decode(String.self))
  }
}

/// The encodings of types without stored properties. All values of such a type are alike, and one encoding serves them
/// all.
///
/// Every encoding reads the table, and every type writes it once. Readers take no lock, since threads would contend for
/// it: a table is immutable, and a larger one replaces it. Replaced tables stay in memory, since readers may still use
/// them; their number is that of the types.
enum FieldlessEncodings {
  private final class Table: Sendable {
    let encodings: [ObjectIdentifier: Value]

    init(_ encodings: [ObjectIdentifier: Value]) { self.encodings = encodings }
  }

  private static let current = Atomic<Unmanaged<Table>?>(nil)

  static func encoding(of type: Any.Type) -> Value? {
    guard let table = current.load(ordering: .acquiring) else { return nil }
    return table._withUnsafeGuaranteedRef { $0.encodings[ObjectIdentifier(type)] }
  }

  static func insert(_ value: Value, of type: Any.Type) {
    var table = current.load(ordering: .acquiring)
    while true {
      var encodings = table?._withUnsafeGuaranteedRef { $0.encodings } ?? [:]
      if encodings.updateValue(value, forKey: ObjectIdentifier(type)) != nil { return }
      let larger = Unmanaged.passRetained(Table(encodings))
      let (exchanged, original) = current.compareExchange(
        expected: table, desired: larger, ordering: .acquiringAndReleasing)
      if exchanged { return }
      larger.release()
      table = original
    }
  }
}
