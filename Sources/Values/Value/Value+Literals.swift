extension Value {
  /// Null.
  public static let null = Value(unchecked: [CBOR.nullByte])
  /// A map without members, which is what most screens and coordinators are. Its bytes are a constant, so that threads do not
  /// contend for its count of references.
  public static let emptyObject = Value(unchecked: emptyMapBytes)
  private static let emptyMapBytes: [UInt8] = [0xA0]

  private static let yes = Value(unchecked: [CBOR.trueByte])
  private static let no = Value(unchecked: [CBOR.falseByte])

  public init(_ flag: Bool) {
    self = flag ? Self.yes : Self.no
  }

  public init(_ number: Int64) {
    self = Self.written { $0.integer(number) }
  }

  public init(_ number: Int) {
    self.init(Int64(number))
  }

  /// A double, or nil if it is infinite or not a number.
  public init?(finite number: Double) {
    guard number.isFinite else { return nil }
    self = Self.written { $0.double(number) }
  }

  public init(_ text: String) {
    self = Self.written { $0.text(text) }
  }

  /// An array of values. Traps beyond 64 levels: for tests and small values that the program itself makes.
  public static func array(_ elements: [Value]) -> Value {
    checked { writer in
      writer.head(CBOR.array, UInt64(elements.count))
      for element in elements { writer.append(encoded: element) }
    }
  }

  /// A map in the order given. Traps if a key occurs twice, and beyond 64 levels: for tests and small values that the
  /// program itself makes.
  public static func object(_ members: [(String, Value)]) -> Value {
    checked { writer in
      writer.head(CBOR.map, UInt64(members.count))
      for (key, value) in members {
        writer.text(key)
        writer.append(encoded: value)
      }
    }
  }

  private static func written(_ write: (inout ByteWriter) -> Void) -> Value {
    var writer = ByteWriter()
    write(&writer)
    return Value(unchecked: writer.finish())
  }

  private static func checked(_ write: (inout ByteWriter) -> Void) -> Value {
    do {
      return try Value(validating: written(write).storage)
    } catch {
      preconditionFailure(error.description)
    }
  }
}

// No nil literal: `condition ? value : nil` would be null instead of no value.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral flag: Bool) { self.init(flag) }
  public init(integerLiteral number: Int64) { self.init(number) }
  public init(stringLiteral text: String) { self.init(text) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, Value)...) { self = .object(members) }

  /// Traps on a literal that is too large for a double.
  public init(floatLiteral number: Double) {
    precondition(number.isFinite, "the literal is too large for a double")
    self = Self.written { $0.double(number) }
  }
}
