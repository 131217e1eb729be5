/// A value inside a Codable type. In this module's own coder it is copied as it is; with any other coder it encodes
/// itself by kind, maps as keyed containers.
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
    var writer = ByteWriter()
    let keys = container.allKeys
    writer.head(CBOR.map, UInt64(keys.count))
    for key in keys {
      writer.text(key.stringValue)
      writer.append(encoded: try container.decode(Value.self, forKey: key))
    }
    return try Value(validating: writer.finish())
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> Value {
    if container.decodeNil() { return .null }
    if let flag = try? container.decode(Bool.self) { return Value(flag) }
    if let number = try? container.decode(Int64.self) { return Value(number) }
    if let number = try? container.decode(Double.self), let value = Value(finite: number) { return value }
    return Value(try container.decode(String.self))
  }
}
